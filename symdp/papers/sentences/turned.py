r"""A paper while it is read, where its argument turns: what is in force there, and what is only kept in mind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from sympy import Expr, Symbol, log, sqrt

from symdp.arguments.reading.latex_tokens import LatexError
from symdp.formulas.relation import Relation
from symdp.papers.formulas.conditions import Condition, condition_of
from symdp.papers.formulas.quantities import PaperReader
from symdp.papers.sentences.claimed import Claimed
from symdp.papers.sentences.context import (
    ANEW,
    Frame,
    Hypothesis,
    Meaning,
    contradict,
    in_force,
    subjects,
)
from symdp.papers.sentences.elsewhere import RESTRICTS, letters
from symdp.papers.sentences.parts import EVERYWHERE, Phrase, is_bare, is_bound, says
from symdp.papers.sentences.roles import role_of
from symdp.papers.sentences.turning_points import (
    ACTS_ON,
    ADDED,
    ARROW,
    EVERY,
    EVERY_BEHIND,
    EVERY_INSIDE,
    EXAMPLE,
    FOR_EVERY,
    IF_NECESSARY,
    IS_ANOTHER,
    QUANTIFIES,
    RENAMES,
    STANDS_FOR,
    STANDS_IN,
    UNDER,
    acts_on_all,
    conditions_in,
    ends,
    is_otherwise,
    kept_in_mind,
    opposites,
    reaches_contradiction,
    substituted,
    supposes_in_words,
    takes_back,
    turns_away,
)
from symdp.papers.work import Work
from symdp.sources.derivations.expressions import variables_of

#: What may be supposed for a while.
_SUPPOSED = ("suppose", "case", "if", "for")


def _has_value_where(r: Relation) -> Expr:
    """What has a value exactly where a relation holds."""
    above = r.left - r.right if r.op in (">", ">=") else r.right - r.left
    return log(above) if r.op in ("<", ">") else sqrt(above)


class Turned(Claimed):
    # --- names that get another meaning

    def substituted_names(self, parts: Sequence[Phrase], whole: str) -> tuple[frozenset[Symbol], int]:
        """Replace x by -x: what was said of x is not said of the x that is meant from that formula on."""
        numbers = substituted(whole)
        names: set[Symbol] = set()
        begins = len(parts)
        for number, (part, after) in enumerate(pairwise(parts)):
            found = set(self.put_for_each_other(part, after))
            begins, names = (min(begins, number), names | found) if found else (begins, names)
        for number, part in enumerate(parts):
            if part.text is None or not part.formula.inline:
                continue
            typed = part.text.signs
            before = len(names)
            arrow = ARROW.match(typed)
            if arrow and r"\mapsto" in typed and UNDER.search(part.before):
                names |= set(self.named_by(arrow[1]))
            if number in numbers:
                names |= set(self.named_by(arrow[1] if arrow else typed) if arrow or not says(part) else ())
            names |= set(self.put_for_itself(part))
            if number and ADDED.fullmatch(f"{parts[number - 1].before} # {part.before}"):
                names |= set(self.named_by(typed))
            if is_bare(part, self.book) and (ACTS_ON.search(part.before) or IS_ANOTHER.match(part.after)):
                names |= set(self.named_by(typed))
            if is_bare(part, self.book) and STANDS_FOR.match(part.after):  # a number, where it had a value before
                names |= {n for n in self.named_by(typed) if any(n in f.meanings for f in self.frames)}
            if len(names) > before:
                begins = min(begins, number)
        if IF_NECESSARY.search(whole) and self.is_symmetric(names):
            return frozenset(), 0
        return frozenset(names), begins

    def put_for_each_other(self, one: Phrase, other: Phrase) -> Iterator[Symbol]:
        """x in: set x to -x, denote log x by x, the same with -x for x."""
        for bare, expression, before in ((one, other, one.before), (other, one, other.before)):
            if bare.text is None or expression.text is None or says(expression) or not is_bare(bare, self.book):
                continue
            if is_bare(expression, self.book) or not expression.formula.inline or not bare.formula.inline:
                continue
            within = set(letters(bare.text.signs)) & set(letters(expression.text.signs))
            renames = RENAMES.search(one.before) is not None
            if within and renames and len(other.before.split()) <= 4 and not STANDS_IN.search(before):
                yield from self.named_by(bare.text.signs)

    def is_symmetric(self, names: set[Symbol]) -> bool:
        """Whether what is in force of two names is the same with the names exchanged."""
        if len(names) != 2:
            return False
        one, other = names
        swap = {one: other, other: one}
        known = {r for f in self.frames for h in f.hypotheses for r in h.condition.relations if r.symbols & names}
        turned = {Relation(r.left.xreplace(swap), r.op, r.right.xreplace(swap)) for r in known}
        plain = {Relation(r.left, r.op, r.right) for r in known}
        mean = any(names & {n, *variables_of(m.value)} for f in self.frames for n, m in f.meanings.items())
        return plain == turned and not mean

    def put_for_itself(self, part: Phrase) -> Iterator[Symbol]:
        r"""x in x := x + 1, and in x \leftarrow x + 1: the old one is not the new one."""
        if part.text is None or part.display is None:
            return
        found = re.match(r"\s*(\\?[A-Za-z]+)\s*(?::=|\\(?:coloneqq|gets|leftarrow)(?![A-Za-z]))(.*)", part.text.signs,
                         re.DOTALL)
        if found is None and part.role == "define":
            found = re.match(r"\s*(\\?[A-Za-z]+)\s*=([^=<>]*)$", part.text.signs)
        if found is not None and found[1] in letters(found[2]):
            yield from self.named_by(found[1])

    def named_by(self, typed: str) -> Iterator[Symbol]:
        """The names in a formula that has nothing else."""
        with suppress(LatexError, IndexError, RecursionError):
            for piece in typed.strip(" ().").split(","):
                reader = PaperReader.of(piece, self.book)
                yield reader.whole(reader.name)

    def forget(self, names: frozenset[Symbol], why: str, origin: int) -> None:
        """Nothing that was said of the names is in force, and nothing is refuted of them either."""
        for frame in self.frames:
            for name in [n for n, m in frame.meanings.items() if n in names or variables_of(m.value) & names]:
                del frame.meanings[name]
        stems = {str(n).partition("_")[0] for n in names}

        def speaks_of(h: Hypothesis) -> bool:
            return bool(h.condition.names & names) or any(m.families & stems for m in h.condition.members)

        self.keep_in_mind(speaks_of, self.frames, opposite=False)
        line = self.sources.place(origin).line
        typed = frozenset().union(*(letters(self.spelt(n)) for n in names))
        self.frames[-1].hypotheses.append(Hypothesis(Condition(), " ".join(why.split())[:80], line, "words", typed))

    def spelt(self, name: Symbol) -> str:
        """A name as it may be typed."""
        first = str(name).partition("_")[0]
        return {"eps": r"\varepsilon", "lam": r"\lambda"}.get(first, first if len(first) == 1 else f"\\{first}")

    def keep_in_mind(self, meant: Callable[[Hypothesis], bool], frames: Sequence[Frame], *, opposite: bool) -> None:
        for frame in frames:
            for place, h in enumerate(frame.hypotheses):
                if meant(h) and not h.vague:
                    frame.hypotheses[place] = kept_in_mind(h, opposite=opposite)
                    self.parameters.forget_condition(h.condition)
        for place, h in enumerate(self.paragraph):
            if meant(h) and not h.vague:
                self.paragraph[place] = kept_in_mind(h, opposite=opposite)

    # --- names that are quantified anew

    def anew(self, parts: Sequence[Phrase]) -> list[Hypothesis]:
        """For all y: in such a sentence y is not what it was."""
        names: set[Symbol] = set()
        for part in parts:
            if part.text is None:
                continue
            bare = part.formula.inline and is_bare(part, self.book)
            if bare and (EVERY.search(part.before) or EVERY_BEHIND.match(part.after)):
                names |= set(self.named_by(part.text.signs))
            if bare and role_of(part.before) == "let":  # fix x: it is that of no condition before
                fixed = frozenset(self.named_by(part.text.signs))
                self.paragraph = [h for h in self.paragraph if not h.condition.names & fixed]
            for inside in EVERY_INSIDE.finditer(part.text.signs):
                names |= set(self.named_by(inside[1]))
        self.two_meanings(parts, names)
        if not names:
            return []
        for frame in self.frames:
            for name in names & frame.meanings.keys():
                del frame.meanings[name]
        line = self.sources.place(parts[0].formula.body.at(0)).line
        return [Hypothesis(Condition(names=frozenset(names)), "for all of them", line, ANEW)]

    def two_meanings(self, parts: Sequence[Phrase], quantified: Iterable[Symbol]) -> None:
        """Let a = 1. For all a > 0 ...: which of them a is from there on is not known, so that it is neither."""
        known = {name: meaning for frame in self.frames for name, meaning in frame.meanings.items()}
        names = dict.fromkeys(set(quantified) & known.keys(), "all of them")
        for part in parts:
            for typed, bound in self.bounded_in(part):
                words = " ".join(part.before.split()[-4:])
                every = FOR_EVERY.search(words) is not None
                number = QUANTIFIES.search(words) is not None or part.role == "claim"
                names |= {n: typed for n in bound & known.keys() if every or (number and known[n].value.is_Rational)}
        for name, typed in names.items():
            before = f"{known[name].text} (line {known[name].line})"
            why = f"{name} has two meanings, {before} and {typed}"
            self.forget(frozenset({name}), why, parts[0].formula.body.at(0))

    def bounded_in(self, part: Phrase) -> Iterator[tuple[str, frozenset[Symbol]]]:
        """The names that a formula bounds, or that a condition beside it bounds."""
        if part.text is None or part.display is None:
            return
        sides = [a for a in part.display.asides if a.kind == "condition"]
        with suppress(LatexError, IndexError, RecursionError):
            found = [condition_of(a.text.signs, self.book, a.found) for a in sides]
            if not found and part.role != "claim" and is_bound(part):
                found = [condition_of(part.text.signs, self.book)]
            declared = in_force(self.frames, [], {}).declared if found else frozenset()
            for condition in found:
                if all(r.op != "==" for r in condition.relations):
                    typed = ", ".join(map(str, condition.relations)) or part.text.signs.strip()
                    yield typed, subjects(condition, declared)

    # --- functions that are defined for some arguments only

    def restrict_functions(self, parts: Sequence[Phrase]) -> None:
        """Let f(x) = x for x >= 0: nothing is known of f(-1); for even n: of no value without more words."""
        for name, variable in self.begun_functions:
            needs: list[Expr] = []
            for part in parts:
                if part.condition is None or variable not in part.condition.condition.names:
                    continue
                needs += [_has_value_where(r) for r in part.condition.condition.relations if r.op != "=="]
                needs += [1 / (a - b) for a, b in part.condition.condition.unequal]
            if needs:
                self.book.domains[name] = tuple(needs)
            beside = [p for p in parts if p.text is not None and variable in set(self.named_by(p.text.signs))]
            if any(RESTRICTS.search(" ".join(p.before.split()[-2:])) for p in beside):
                self.book.functions.pop(name, None)
        self.begun_functions = []

    # --- suppositions that end

    def heard(self, whole: str) -> None:
        """What the words of a sentence end, once it is said; what they begin."""
        if acts_on_all(whole):
            every = {n for f in self.innermost() for h in f.hypotheses for n in h.condition.names}
            every |= {n for f in self.innermost() for n in f.meanings}
            self.forget(frozenset(every), whole, 0)
        if takes_back(whole):
            self.keep_in_mind(lambda h: bool(h.condition.relations), self.frames, opposite=False)
        if supposes_in_words(whole):
            self.end_suppositions(self.innermost())
            self.against = True
        elif reaches_contradiction(whole):
            self.end_suppositions(self.innermost())
            self.against = False
        elif ends(whole) and self.frames[-1].kind != "theorem":
            here = [h for h, paragraph in self.supposed_in.items() if paragraph == self.paragraphs]
            inner = self.innermost()
            self.end_suppositions(inner, None if inner[-1].kind == "proof" else here)
            self.against = False

    def turned_away(self, whole: str) -> None:
        """Otherwise, in both cases: what was supposed for a while is not meant here."""
        if turns_away(whole):
            self.end_suppositions(self.innermost())
            self.against = False

    def next_item(self) -> None:
        """What an item of a list has supposed, and then used, ends with it; a list of suppositions goes on."""
        entries, supposed = self.item_began
        claims = any(isinstance(entry, Work) for entry in self.entries[entries:])
        since = [h for h in self.supposed_in if h not in supposed]
        if claims and since:
            self.end_suppositions(self.innermost(), since)
        self.item_began = (len(self.entries), frozenset(self.supposed_in))

    def innermost(self) -> list[Frame]:
        """The lists that are open, and what they stand in."""
        found: list[Frame] = []
        for frame in reversed(self.frames):
            found.insert(0, frame)
            if frame.kind != "other":
                break
        return found

    def end_suppositions(self, frames: Sequence[Frame], among: Sequence[Hypothesis] | None = None) -> None:
        given = {h for frame in frames for h in frame.given}

        def is_supposed(h: Hypothesis) -> bool:
            says_something = bool(h.condition.relations or h.condition.unequal or h.condition.members)
            passing = h.kind in _SUPPOSED and h not in given and h not in self.lasting
            return says_something and passing and (among is None or h in among)

        self.keep_in_mind(is_supposed, frames, opposite=True)

    def suppose(self, said: Hypothesis, whole: str) -> None:
        """Remember in which paragraph something is supposed, and whether it is meant for all that follows."""
        self.supposed_in[said] = self.paragraphs
        if EVERYWHERE.search(whole):
            self.lasting.add(said)
        elif EXAMPLE.search(whole):
            self.examples.append(said)

    def next_paragraph(self) -> None:
        """What was supposed for an example does not reach beyond its paragraph."""
        if self.examples:
            self.keep_in_mind(lambda h: h in self.examples, self.innermost(), opposite=False)
        self.examples = []

    def otherwise(self, whole: str) -> list[Hypothesis]:
        """If x >= 1, we are done. Otherwise ...: there x < 1, if that was the only condition."""
        case = self.last_case
        if case is None or not is_otherwise(whole) or conditions_in(whole) > whole.lower().count("if not"):
            return []
        (relation,) = opposites(case.condition.relations)
        condition = Condition((relation,), names=case.condition.names)
        return [Hypothesis(condition, f"otherwise, where {case.text} does not hold", case.line, "case")]

    def remember_case(self, parts: Sequence[Phrase], whole: str) -> None:
        """The one condition of a sentence, which the next one may deny with a word."""
        words = conditions_in(whole)
        if not words and not any(p.condition is not None for p in parts):
            return
        said = [p.condition for p in parts if p.condition is not None]
        self.last_case = None
        if len(said) != 1 or words != 1 or not self.supposed or self.beyond:
            return
        one, condition = said[0], said[0].condition
        more = condition.unequal or condition.integers or condition.members or one.vague
        turned = opposites(condition.relations)
        if one.kind in _SUPPOSED and not more and len(condition.relations) == len(turned) == 1:
            self.last_case = one

    def left_behind(self, local: list[Hypothesis], behind: Sequence[Hypothesis]) -> list[Hypothesis]:
        """If x > 1 then ..., a contradiction; hence ...: what the clauses before these words have supposed."""
        return [
            kept_in_mind(h, opposite=True)
            if h.kind in _SUPPOSED and h.condition.relations and h in self.supposed_in and h not in behind
            else h
            for h in local
        ]

    def concluded(self, part: Phrase) -> None:
        """Hence x <= 1, where x > 1 is supposed: its author has done with the supposition, and said so or not."""
        if part.role != "claim" or part.text is None or not part.formula.inline or not is_bound(part):
            return
        with suppress(LatexError, RecursionError, IndexError):
            for relation in condition_of(part.text.signs, self.book).relations:
                denied = self.denied_by(relation)
                if denied is not None:
                    self.end_suppositions(self.innermost(), [denied])

    def is_other_case(self, part: Phrase, other: Sequence[Hypothesis]) -> bool:
        """Otherwise x < 1, after x >= 1: that is what the word says."""
        if part.text is None:
            return False
        in_mind = {r for h in other for r in h.condition.relations}
        with suppress(LatexError, RecursionError, IndexError):
            said = condition_of(part.text.signs, self.book).relations
            return bool(said) and all(r in in_mind for r in said)
        return False

    def bind(self, said: Hypothesis, own: Mapping[Symbol, Meaning]) -> None:
        """Let y > 0, where y was 1: it is not 1 any more."""
        if said.kind != "let" or any(r.op == "==" for r in said.condition.relations):
            return
        names = subjects(said.condition) - own.keys()
        self.release(names)

    def denied_by(self, relation: Relation) -> Hypothesis | None:
        """What is supposed and excludes a bound: hence x <= 1, after x > 1 was supposed."""
        claimed = Condition((relation,))
        for frame in self.innermost():
            for h in frame.hypotheses:
                if h.kind in ("suppose", "case") and h not in frame.given and contradict(h.condition, claimed):
                    return h
        return None
