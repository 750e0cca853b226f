r"""What a sentence states: conditions, definitions, what names are, and restrictions in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from sympy import Expr, Integer, Pow, Symbol, sqrt

from symdp.arguments.reading.latex_tokens import LatexError
from symdp.formulas.notation import symbol
from symdp.formulas.parsing import ParseError, parse_conditions
from symdp.formulas.relation import Op, Relation
from symdp.formulas.vocabulary import is_variable
from symdp.papers.finding import Finding
from symdp.papers.formulas.conditions import Condition, condition_of, denied
from symdp.papers.formulas.members import (
    Span,
    members_of,
    quantified,
    quantified_inside,
    spread_over,
)
from symdp.papers.formulas.quantities import PaperReader
from symdp.papers.formulas.sides import ALL_READING, HURRIED, READING, function_of, read_side, shown
from symdp.papers.sentences.context import Hypothesis, Meaning, in_force
from symdp.papers.sentences.elsewhere import (
    RESTRICTS,
    SAME,
    is_restricted,
    is_share,
    letter_of,
    letters,
    unread_condition,
)
from symdp.papers.sentences.open_paper import OpenPaper
from symdp.papers.sentences.parts import (
    EVERYWHERE,
    Phrase,
    bounds_one_name,
    is_bare,
    is_bound,
    of_known_names,
    parts_of,
    says,
)
from symdp.papers.sentences.roles import UNLESS, declared, kind_said, role_of
from symdp.papers.sentences.survey import expanded_formula
from symdp.papers.text.rows import (
    COMPARED,
    RELATIONS,
    RowChain,
    tokens_of,
)
from symdp.papers.text.source_text import Text
from symdp.papers.text.walking import (
    Directive,
    Math,
    Prose,
)
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.sources.derivations.expressions import families_of, variables_of

#: Signs of relations that are not judged, and yet say where a name lives.
ROUGH = re.compile(r"\\(?:ll|gg|neq?|not|to|approx|sim|simeq|rightarrow|nmid|mid|equiv)(?![A-Za-z])")
#: A relation above a sign, or in the place of a number of a display.
_ABOVE = re.compile(
    r"\\(?:overset|stackrel|underset|tag\*?|underbrace)\s*\{[^{}]*(?:[<>=]|\\[lg]eq?(?![A-Za-z]))[^{}]*\}"
)
#: Nothing more, or that it holds.
_ENDS = re.compile(
    r"[\s.;,)]*(?:(?:holds?|follows?|trivially|always|is (?:true|clear|immediate|obvious)|too|as well|again|still)"
    r"[\s.;,)]*)*",
    re.IGNORECASE,
)
#: A sentence that begins so has something else to say.
_OPENS_A_CLAIM = re.compile(
    r"\W*(?:(?:so|and|then|now|but|thus|hence|therefore|moreover)\W+)?(?:given|with|under|using|by|since|as|because|writing"
    r"|setting|putting|letting|taking|choosing|plugging|substituting|when|whenever|once|provided|assuming|supposing)\b",
    re.IGNORECASE,
)
_SAME_INTERVAL = re.compile(
    r"\b(?:in|on|over|within) (?:the same|this|that) (?:range|interval|domain|region)\b", re.IGNORECASE
)
_REAL = re.compile(r"\breal(?:s| numbers?)?\s*$", re.IGNORECASE)
_OPPOSITE: dict[str, Op] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class StatedPaper(OpenPaper):
    def parts(self, items: Sequence[Prose | Math]) -> Iterator[Phrase]:
        found = list(parts_of(items, self.expand, self.frames[-1].supposes))
        if len(found) > 1 and not self.frames[-1].supposes:
            last, behind = found[-1], items[-1]
            ended = behind is last.formula or (isinstance(behind, Prose) and _ENDS.fullmatch(behind.text) is not None)
            # for all $x > 0$, $x + 1 > 0$: the last one is what the sentence claims
            supposed = {"for", "if"}
            if _OPENS_A_CLAIM.match(found[0].before):  # given $x \\le 1$, $x^2 \\le 1$
                supposed |= {"where", "since", "define", "case", "noun", "suppose"}
            if ended and {p.role for p in found} <= supposed:
                if re.fullmatch(r"\s*,\s*", last.before):
                    last.role = "claim"
                elif re.match(r"\W*(?:for|given|when|if)", found[0].before, re.IGNORECASE):
                    # for all $x > 0$, $x + 1 > 0$ and $x^2 > 0$: without a claim it would be no sentence
                    for part in of_known_names(found):
                        part.role = "claim"
        return iter(found)

    def expand(self, item: Math) -> Text | str:
        found = self.expanded.get(id(item))
        return expanded_formula(self.walk, item) if found is None else found

    def names(self, part: Phrase) -> None:
        """$n$ between words that say what n is."""
        if part.text is None or part.formula.environment != "$":
            return
        try:
            given = [t for t in tokens_of(part.text) if t.text not in (",",) and t.kind != "gap"]
        except LatexError:
            return
        if not given or any(t.text in RELATIONS or t.text in (r"\in", r"\to", ":") for t in given):
            if given and len(given) > 2 and any(t.text == ":" for t in given[:2]) and given[0].kind == "letter":
                self.book.kinds[given[0].text] = "a function"
            self.integrality(part)
            return
        if self.list_of(part) or len(part.text.signs) > 40:
            return
        said = declared(part.before, part.after)
        kind = kind_said(part.before, part.after)
        found: list[Symbol] = []
        try:
            for piece in part.text.signs.split(","):
                reader = PaperReader.of(piece, self.book)
                found.append(reader.whole(reader.name))
        except (LatexError, IndexError):
            return
        if kind is not None and said is None:
            for name in found:
                if str(name) not in {str(n) for h in self.frames[-1].hypotheses for n in h.condition.names}:
                    self.book.kinds[str(name)] = kind
        elif said is not None:
            whole, sign = said
            low = {
                ">": (">=", 1) if whole else (">", 0),
                ">=": (">=", 0),
                "<": ("<", 0),
                "p": (">=", 0),
                "n": (">=", 0),
            }.get(sign)
            relations = [] if low is None else [Relation(n, low[0], Integer(low[1])) for n in found]  # type: ignore[arg-type]
            perhaps = [Relation(n, ">=", Integer(1)) for n in found] if sign == "n" else []
            if sign == "p":
                relations += [Relation(n, "<=", Integer(1)) for n in found]
            condition = Condition(
                tuple(relations), frozenset(found) if whole else frozenset(), frozenset(found), tuple(perhaps)
            )
            line = self.sources.place(part.formula.body.at(0)).line
            words = f"{part.before} {part.formula.body.signs.strip()} {part.after}".strip()
            # of $N$ spins: they are counted, and what was said of N before goes on
            counted = re.search(r"\bof(?: the| these| our)?\s*$", part.before) is not None
            binds = role_of(part.before) in ("let", "for") and not counted
            kind = "let" if relations or binds else "suppose"
            kept = Hypothesis(condition, " ".join(words.split())[-80:], line, kind)
            if sign != "!":
                self.home.hypotheses.append(kept)
                self.note(kept)
                if binds and EVERYWHERE.search(words) is None:
                    self.release(frozenset(found))
            else:
                self.in_words(part.text.signs, words, part.formula.body.at(0))
            for name in found:
                self.book.kinds.pop(str(name), None)

    def list_of(self, part: Phrase) -> bool:
        r"""$X_1, \dots, X_n$, which counts its members; what the words beside it say is said of each of them."""
        typed = part.text.signs.strip() if part.text is not None else ""
        found = spread_over(typed, self.book)
        if found is None or found[0] != f"{found[0].partition('_')[0]}_{{{found[1]}}}":
            return False
        one, index, span = found
        line = self.sources.place(part.formula.body.at(0)).line
        first, last = span
        if role_of(part.before) in ("let", "for"):  # for all a_1, ..., a_n: what was said of their sum was of others
            family = str(_plain_name(one.partition("_")[0]))
            for frame in self.frames:
                frame.hypotheses[:] = [
                    h if family not in families_of(*(s for r in h.condition.relations for s in (r.left, r.right)))
                    else replace(h, condition=Condition(perhaps=h.condition.relations), kind="words")
                    for h in frame.hypotheses
                ]
        if isinstance(last, Symbol) and last not in in_force(self.frames, [], {}).domains:
            name = frozenset([last])
            counted = Hypothesis(Condition((Relation(last, ">=", first),), name, name), typed, line, "suppose")
            self.home.hypotheses.append(counted)
            self.note(counted)
        said = declared("", part.after)
        bounds = {">": r"> 0", ">=": r"\ge 0", "<": "< 0"}
        binds = role_of(part.before) in ("let", "suppose", "for")
        if said is not None and said[1] in bounds and not said[0] and binds:
            with suppress(LatexError, RecursionError, IndexError):
                members = members_of(condition_of(f"{one} {bounds[said[1]]}", self.book).relations, index, span)
                self.home.hypotheses.append(Hypothesis(Condition(members=members), typed, line, "let"))
        return True

    def release(self, names: frozenset[Symbol]) -> None:
        """The names are bound anew: they stand for nothing, and no condition of the paragraph is theirs."""
        for frame in self.frames:
            for name in names & frame.meanings.keys():
                del frame.meanings[name]
        self.paragraph = [h for h in self.paragraph if not h.condition.names & names]

    def integrality(self, part: Phrase) -> None:
        """$n \\ge 2$ is an integer."""
        said = declared(part.before, part.after)
        if re.search(r"\bso (?:is|are)\s*$", part.before) and self.whole:
            said = (True, "")
        self.whole = said is not None and said[0]
        if said is not None and not said[0] and _REAL.search(part.before) and part.text is not None:
            with suppress(LatexError, RecursionError, IndexError):
                self.are_real(condition_of(part.text.signs, self.book).names)
        if said is None or not said[0] or part.text is None or not is_bound(part):
            return
        with suppress(LatexError, RecursionError):
            condition = condition_of(part.text.signs, self.book)
            line = self.sources.place(part.formula.body.at(0)).line
            words = f"{part.formula.body.signs.strip()} {part.after[:30]}" if part.after else part.before
            said_so = Hypothesis(
                Condition((), condition.names, condition.names), " ".join(words.split()), line, "suppose"
            )
            self.home.hypotheses.append(said_so)
            self.note(said_so)

    def are_real(self, names: frozenset[Symbol]) -> None:
        """For every real $n$: it is no integer from here on, as far as anybody knows."""
        for frame in self.frames:
            frame.hypotheses[:] = [
                replace(h, condition=replace(h.condition, integers=h.condition.integers - names))
                if h.condition.integers & names else h
                for h in frame.hypotheses
            ]

    def share(self, part: Phrase) -> None:
        """A fraction of something lies between 0 and 1."""
        typed, line = shown(part.formula.body), self.sources.place(part.formula.body.at(0)).line
        with suppress(LatexError, IndexError, RecursionError):
            names = condition_of(typed, self.book).names if says(part) else {
                reader.whole(reader.name) for reader in (PaperReader.of(t, self.book) for t in typed.split(","))
            }
            bounds = tuple(r for n in names for r in (Relation(n, ">=", Integer(0)), Relation(n, "<=", Integer(1))))
            self.note(Hypothesis(Condition(perhaps=bounds), typed, line, "words"))

    def spoken(self, parts: Sequence[Phrase]) -> None:
        """Restrictions in the words beside names."""
        together = ""
        for part in parts:
            if part.text is None or not part.formula.inline:
                together = ""
                continue
            typed = part.text.signs
            together = f"{together} {typed}" if together and role_of(part.before) is None else typed
            subject = part.role != "claim" or is_bound(part) or is_bare(part, self.book)
            before = " ".join(part.before.split()[-3:])
            after = " ".join(re.split(r"[,;:.]", part.after)[0].split()[:7])
            if subject and is_share(before, after):
                self.share(part)
            told = subject and is_restricted(before, after, bounded=bounds_one_name(part, self.book))
            if told or (part.role == "claim" and ROUGH.search(typed) and len(typed) < 40):
                passing = re.search(r"\b(?:for|if|when|whenever|once|every|all|any|each|as)\b", before, re.IGNORECASE)
                kind = "if" if passing and not re.search(r"\bthat\b", before) else "words"
                self.in_words(together, f"{before} {typed} {after}", part.formula.body.at(0), kind)

    def unread_words(self, parts: Sequence[Phrase], whole: str) -> list[Hypothesis]:
        """Conditions of a sentence that are said without a formula, of whatever stands in it."""
        said = unread_condition(whole)
        here = [p for p in parts if p.condition is not None and p.role in ("for", "if", "case")]
        if SAME.match(said) and (self.paragraph or here or self.beside(whole)) and self.unread_in != self.paragraphs:
            said = ""  # it is the one that was read in this paragraph, and is in force
        elif said:
            self.unread_in = self.paragraphs
        for part in parts:
            typed = part.text.signs.strip() if part.text is not None and part.formula.inline else ""
            if re.fullmatch(r"[\[(][^()\[\]]*,[^()\[\]]*[\])]", typed) or (ROUGH.search(typed) and len(typed) < 40):
                said = said or typed  # on [0, 1], as n goes to infinity
        found = []
        for part in parts:
            if part.text is None:
                continue
            inside = " ".join(re.findall(r"\\(?:text\w*|mbox|hbox)\s*\{([^{}]*)\}", part.text.signs))
            above = _ABOVE.search(part.text.signs)
            beside = inside if RESTRICTS.search(inside) or unread_condition(inside) else ""
            words = said or (above.group() if above else "") or beside
            if words:
                line = self.sources.place(part.formula.body.at(0)).line
                found.append(Hypothesis(Condition(), words[:80], line, "words", letters(part.text.signs)))
        return found

    def beside(self, whole: str) -> list[Hypothesis]:
        """On the same interval: the conditions that stood beside the last display of the paragraph."""
        paragraph, conditions = self.was_beside
        return conditions if paragraph == self.paragraphs and _SAME_INTERVAL.search(whole) else []

    def hypothesis(self, part: Phrase) -> None:
        """The condition that a formula states; one that is not understood is remembered by its letters."""
        if part.display is None or part.text is None or not says(part):
            return
        typed = shown(part.formula.body)
        line = self.sources.place(part.formula.body.stripped().at(0)).line
        if self.listed_members(part, typed, line) or self.ranges(part, typed, line):
            return
        try:
            with hard_deadline(READING if self.book.seconds < ALL_READING else HURRIED):
                given = tokens_of(part.text)
                condition = Condition()
                if part.formula.inline and not any(t.kind == "words" for t in given):
                    condition = condition_of(part.text.signs, self.book, given)
                else:
                    if part.display.unread:
                        raise LatexError(part.text.signs, 0, part.display.unread[0].reason)
                    for chain in part.display.chains:
                        condition += self.condition_of_chain(chain)
                    for aside in part.display.asides:
                        if aside.kind == "doubt":
                            raise LatexError(aside.text.signs, 0, aside.why)
                        condition += condition_of(aside.text.signs, self.book, aside.found)
        except (LatexError, RecursionError, TimeIsUp) as reason:
            inside = frozenset(re.findall(r"\\[a-zA-Z]+|[A-Za-z]", part.text.signs))
            why = str(reason.args[2]) if isinstance(reason, LatexError) else "it is nested too deeply"
            part.condition = Hypothesis(Condition(), typed, line, part.role, inside)
            part.broken = why
            return
        numbers = {str(s) for h in self.frames[-1].hypotheses for s in h.condition.names}
        for name, kind in condition.kinds:
            if name not in numbers:
                self.book.kinds[name] = kind
        if any(name in numbers for name, _ in condition.kinds):  # of numbers, those in a set that is not known
            part.condition = Hypothesis(Condition(), typed, line, part.role, letters(part.text.signs))
            return
        for relation in condition.relations:
            for name in relation.symbols:
                self.book.kinds.pop(str(name), None)
        part.excepted = UNLESS.search(part.before) is not None or (
            self.excepting and re.fullmatch(r"[\s,]*(?:and|or)?[\s,]*(?:at|for|when|if)?\s*", part.before) is not None
        )
        self.excepting = part.excepted
        if part.excepted:
            condition = denied(condition) or Condition()
            if not condition.names:
                part.condition = Hypothesis(condition, typed, line, part.role, letters(part.text.signs))
                part.broken = "what is excepted is not one relation"
                return
            typed = f"unless {typed}"
        part.condition = Hypothesis(condition, typed, line, part.role)

    def listed_members(self, part: Phrase, typed: str, line: int) -> bool:
        r"""a_1, \dots, a_n \ge 0: whether it is such a list; what is said of each of them is kept."""
        found = spread_over(part.text.signs, self.book) if part.text is not None and part.formula.inline else None
        if found is None:
            return False
        one, index, span = found
        try:
            condition = condition_of(one, self.book)
        except (LatexError, RecursionError, IndexError):
            return False
        if condition.kinds or condition.unequal or condition.integers:
            return False
        members = members_of(condition.relations, index, span)
        part.condition = Hypothesis(Condition(members=members), typed, line, part.role)
        return True

    def ranges(self, part: Phrase, typed: str, line: int) -> bool:
        r"""i = 1, \dots, n: whether it is the range of an index."""
        if part.text is None or not re.search(r"\\[lc]?dots", part.text.signs):
            return False
        found = quantified(part.before, part.text.signs.strip().rstrip(",.;"), self.book)
        if found is None:
            return False
        index, span = found
        if span is None:
            return False
        low, high = span
        bounds = (Relation(index, ">=", low), Relation(index, "<=", high))
        part.condition = Hypothesis(Condition(bounds, frozenset([index]), frozenset([index])), typed, line, part.role)
        return True

    def each_member(self, parts: Sequence[Phrase]) -> dict[Symbol, Span | None]:
        """The indices that a sentence speaks of for all of their values."""
        found: dict[Symbol, Span | None] = {}
        for part in parts:
            if part.text is None:
                continue
            typed = part.text.signs.strip().rstrip(",.;")
            for one in (
                quantified(part.before, typed, self.book) if part.formula.inline else None,
                quantified_inside(typed, self.book),
            ):
                if one is not None:
                    found[one[0]] = one[1]
        return found

    def condition_of_chain(self, chain: RowChain) -> Condition:
        sides = [read_side(s, self.book) for s in chain.sides]
        relations = []
        for i, link in enumerate(chain.links):
            op = COMPARED.get(link.sign)
            if op is None or op == ":=":
                raise LatexError(chain.sides[0].text.signs, 0, f"{link.sign} is not read in a condition")
            relations.append(Relation(sides[i][0], op, sides[i + 1][0]))  # type: ignore[arg-type]
        return Condition(tuple(relations), names=frozenset().union(*(r.symbols for r in relations)))

    def define(self, part: Phrase) -> bool:
        """c = ..., and f(x) = ..., from here on."""
        return part.display is not None and bool(part.display.chains) and self.defines(part.display.chains[0], part)

    def defines(self, chain: RowChain, part: Phrase) -> bool:
        if not self.supposed:
            return False
        side = chain.sides[0]
        line = self.sources.place(part.formula.body.stripped().at(0)).line
        try:
            value, _ = read_side(chain.sides[1], self.book)
        except LatexError:
            return False
        function = function_of(side, self.book)
        if function is not None:
            name, variables = function
            if not variables_of(value) & set(variables) and value.free_symbols & set(variables):
                return False
            self.book.functions[name] = (variables, value)
            self.book.domains.pop(name, None)
            self.begun_functions.append((name, variables[0]))
        try:
            left, _ = read_side(side, self.book)
        except LatexError:
            return False
        if function is not None and left == value:
            return True
        if isinstance(left, Pow) and left.exp == 2 and self.is_positive(left.base):
            left, value = left.base, sqrt(value)
        if not isinstance(left, Symbol) or left in variables_of(value):
            return False
        part.defined = (left, Meaning(value, shown(part.formula.body)[:80], line))
        return True

    def is_positive(self, name: Expr) -> bool:
        r"""Whether $\sigma^2 = 2v$ defines $\sigma$, since it is known which root is meant.

        It is declared to be positive, or it is the letter of standard deviations.
        """
        if not isinstance(name, Symbol):
            return False
        known = (Relation(name, ">", Integer(0)), Relation(name, ">=", Integer(0)), Relation(Integer(0), "<", name),
                 Relation(Integer(0), "<=", name))
        return letter_of(name) == "sigma" or any(r in known for r in in_force(self.frames, [], {}).relations)

    def exclude(self, part: Phrase, hypothesis: Hypothesis) -> None:
        """The case x > 1 is trivial: from there on the author may mean x <= 1."""
        relations = hypothesis.condition.relations
        if len(relations) != 1 or relations[0].op not in _OPPOSITE:
            self.in_words(hypothesis.text, hypothesis.text, part.formula.body.at(0))
            return
        (r,) = relations
        left_over = Condition(perhaps=(Relation(r.left, _OPPOSITE[r.op], r.right),))
        self.note(replace(hypothesis, condition=left_over, kind="words"))

    def substitute(self, part: Phrase, local: list[Hypothesis]) -> None:
        """b/a = e^{2u}: it holds because it is put so, of names that are free."""
        if part.display is None or len(part.display.chains) != 1:
            return
        typed, line = shown(part.formula.body), self.sources.place(part.formula.body.stripped().at(0)).line
        try:
            condition = Condition(perhaps=self.condition_of_chain(part.display.chains[0]).relations)
            found = Hypothesis(condition, typed, line, "define")
        except (LatexError, RecursionError):
            found = Hypothesis(Condition(), typed, line, "define", letters(typed))
        self.note(found)
        local.append(found)

    def _unread(self, item: Directive, message: str) -> None:
        place = self.sources.place(item.origin)
        self.entries.append(Finding(place.file, place.line, place.column, item.text, "", "unread", message=message))

    def assume(self, item: Directive) -> None:
        word, _, rest = item.text.partition(" ")
        place = self.sources.place(item.origin)
        if word == "integer":
            names = [symbol(n) for n in re.split(r"[\s,]+", rest) if is_variable(n)]
            condition = Condition(integers=frozenset(names), names=frozenset(names))
        elif word == "real":
            condition = Condition(names=frozenset(symbol(n) for n in re.split(r"[\s,]+", rest) if is_variable(n)))
        elif word == "assume":
            try:
                condition = condition_of(rest, self.book) if "\\" in rest else _plain(rest)
            except (LatexError, ParseError) as reason:
                self._unread(item, f"the comment is not read: {reason}")
                return
        else:
            if word not in ("ignore", "expect"):
                self._unread(item, f"{word!r} is not understood; known are assume, integer, real, ignore, expect")
            return
        self.frames[-1].hypotheses.append(Hypothesis(condition, rest, place.line, "suppose"))
        if word == "assume":
            self.entries.append(
                Finding(
                    place.file, place.line, place.column, rest, "; ".join(map(str, condition.relations)), "assumption"
                )
            )


def _plain_name(typed: str) -> Symbol:
    return symbol(typed.strip().lstrip("\\"))


def _plain(text: str) -> Condition:
    relations = tuple(parse_conditions(text))
    return Condition(relations, names=frozenset().union(*(r.symbols for r in relations)))
