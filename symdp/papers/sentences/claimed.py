r"""What a formula claims: its chains with their contexts, for the judge; a verdict for what needs none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from sympy import Expr, Product, Sum, Symbol, binomial

from symdp.arguments.reading.latex_tokens import LatexError
from symdp.formulas.relation import MIRROR, Op, Relation
from symdp.papers.finding import Finding
from symdp.papers.formulas.closed_forms import is_unit, signed
from symdp.papers.formulas.conditions import Condition, condition_of
from symdp.papers.formulas.members import hidden_sums, in_reach, of_extremes, put_values
from symdp.papers.formulas.sides import function_of, is_order, read_side, shown, source_of
from symdp.papers.formulas.unions import union_bounds
from symdp.papers.sentences.context import (
    Hypothesis,
    InForce,
    Meaning,
    in_force,
    is_parameter,
    of_each,
)
from symdp.papers.sentences.elsewhere import letter_of, letters
from symdp.papers.sentences.parts import Phrase, is_bound
from symdp.papers.sentences.roles import CLAIMS, WANTED
from symdp.papers.sentences.stated import StatedPaper
from symdp.papers.text.chains import Aside, Display, Unread
from symdp.papers.text.rows import (
    COMPARED,
    DEFINES,
    RELATIONS,
    ROUGHLY,
    RowChain,
    at_top,
)
from symdp.papers.text.says_more import denies
from symdp.papers.text.source_text import Text
from symdp.papers.text.walking import (
    Math,
    Prose,
    walk,
)
from symdp.papers.work import Work
from symdp.sources.derivations.expressions import families_of, variables_of

_CONCLUDES = re.compile(
    r"\b(?:then|hence|thus|therefore|so|it follows|consequently|implies|conclude|we (?:have|get|see|obtain))\b"
    r"[^#]{0,40}$",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"\b(?:choos\w+|choices?|chosen|optim\w+|minimi[sz]\w+|maximi[sz]\w+|set|sets|setting|tak\w+|pick\w*|solv\w+|tun\w+"
    r"|balanc\w+|equat\w+|best|let|put|use|using|with|plug\w*|vanish\w*|stationary|suffic\w+|enough|sampl\w+|achiev\w+"
    r"|attain\w*)\b",
    re.IGNORECASE,
)
_PUT = re.compile(
    r"\b(?:put|set|let|write|putting|setting|letting|writing|substitute|choose|pick)\b[^.]*$", re.IGNORECASE
)


class Claimed(StatedPaper):
    def emit(
        self, part: Phrase, local: list[Hypothesis], own: dict[Symbol, Meaning], denied: bool, said: str
    ) -> None:
        body = part.formula.body.stripped()
        if part.display is None:
            if re.search(r"[<>=]|\\[lg]eq?(?![A-Za-z])", body.signs):
                self.add(self.finding(body.at(0), body.at(len(body)), shown(body), "unread", part.broken))
            return
        d = part.display
        reason = part.role == "since" and part.condition is not None and not part.broken and not is_bound(part)
        if part.role not in ("claim", "define") and not reason:
            self.emit_assumed(part, d)
            return
        if reason:  # it is used as a hypothesis, and has to be right itself
            local = [h for h in local if h is not part.condition]
        asides: list[tuple[Aside, Hypothesis]] = []
        for aside in d.asides:
            asides.append((aside, self.aside(aside)))
        if asides:
            self.was_beside = (self.paragraphs, [h for a, h in asides if a.kind == "condition" and not h.vague])
        for spoken in d.spoken:
            for condition in self.between(spoken.body):
                local = [*local, condition]
        ordered: list[tuple[int, int, object]] = [(c.row, 0, c) for c in d.chains]
        ordered += [(u.row, 1, u) for u in d.unread] + [(a.row, 2, (a, h)) for a, h in asides]
        behind = {id(chain): d.chains[place + 1 : place + 2] for place, chain in enumerate(d.chains)}
        last: Relation | None = None
        for _, _, thing in sorted(ordered, key=lambda entry: entry[:2]):
            if isinstance(thing, Unread):
                for _number in range(thing.count):
                    self.add(
                        self.finding(
                            thing.begin, thing.end, thing.tex, "unread", self.located(thing.reason, thing.at)
                        )
                    )
            elif isinstance(thing, RowChain):
                # what stands before an arrow in a formula may be supposed; on a row of its own it is claimed
                supposed = any(c.implied and (c.both_ways or part.formula.inline) for c in behind.get(id(thing), ()))
                last = self.emit_chain(
                    part, thing, local, own, denied or supposed, said, asides, last, reason=reason,
                    supposed=supposed) or last
            else:
                aside, condition = thing  # type: ignore[misc]
                for _ in range(max(1, sum(t.text in RELATIONS for _, t in at_top(aside.found)))):
                    unread = bool(condition.vague) or condition.kind == "unread"
                    what = aside.why or f"the {aside.kind} is not read"
                    why = self.located(what, aside.text.at(aside.found[0].at))
                    self.add(
                        self.finding(
                            aside.begin,
                            aside.begin + 1,
                            condition.text,
                            "unread" if unread else "assumption",
                            why if unread else "",
                        )
                    )

    def emit_assumed(self, part: Phrase, d: Display) -> None:
        """One finding for each relation of a condition."""
        body = part.formula.body.stripped()
        if part.condition is None:
            return
        signs = sum(len(c.links) for c in d.chains) + sum(u.count for u in d.unread)
        signs += sum(any(t.text == r"\in" for s in c.sides for t in s.found) for c in d.chains if not c.links)
        signs += sum(max(1, sum(t.text in RELATIONS for _, t in at_top(a.found))) for a in d.asides)
        reading = ", ".join(map(str, part.condition.condition.relations))
        for _ in range(max(1, signs)):
            self.add(
                self.finding(
                    body.at(0),
                    body.at(len(body)),
                    shown(body),
                    "unread" if part.broken else "assumption",
                    f"the condition is not read: {part.broken}" if part.broken else "",
                    reading,
                )
            )

    def aside(self, aside: Aside) -> Hypothesis:
        source = aside.text[aside.found[0].at : aside.found[-1].at + len(aside.found[-1].text)]
        line = self.sources.place(source.at(0)).line
        typed = shown(source)
        try:
            if aside.kind == "doubt":
                raise LatexError(aside.text.signs, 0, aside.why)
            condition = condition_of(aside.text.signs, self.book, aside.found)
            if condition.kinds:
                raise LatexError(aside.text.signs, 0, "of this set nothing is known")
            return Hypothesis(
                condition,
                typed,
                line,
                "if" if aside.kind == "condition" else "since",
            )
        except (LatexError, RecursionError):
            if aside.kind == "reason":
                return Hypothesis(Condition(), typed, line, "unread")
            letters = frozenset(re.findall(r"\\[a-zA-Z]+|[A-Za-z]", source.signs))
            return Hypothesis(Condition(), typed, line, "if", letters)

    def between(self, body: Text) -> Iterator[Hypothesis]:
        r"""Conditions in \intertext."""
        items = [i for i in walk(body).items if isinstance(i, Prose | Math)]
        for item in items:
            if isinstance(item, Math):
                self.expanded.pop(id(item), None)
        for part in self.parts(items):
            if part.role != "claim":
                self.hypothesis(part)
                if part.condition is not None:
                    yield part.condition

    def emit_chain(
        self,
        part: Phrase,
        chain: RowChain,
        local: list[Hypothesis],
        own: dict[Symbol, Meaning],
        denied: bool,
        said: str,
        asides: Sequence[tuple[Aside, Hypothesis]],
        last: Relation | None,
        *,
        reason: bool = False,
        supposed: bool = False,
    ) -> Relation | None:
        if not chain.links:
            return None
        sides: list[Expr | None] = []
        needs: list[tuple[Expr, ...]] = []
        reasons: list[str] = []
        local = [*self.parameters.carried_on(in_force(self.frames, local, own)), *local]
        self.prepare_values(in_force(self.frames, local, own))
        self.book.computed.clear()
        first_time = not (reason or supposed or self.beyond) and self.begins_definition(part, chain)
        if first_time and self.concludes(part, chain, said):
            # let $x > 0$; then $x = 5$: it is no value that the name is given, and may follow from what is not here
            first_time, denied = False, True
        for side in chain.sides:
            try:
                expr, lost = read_side(side, self.book)
                sides.append(expr)
                needs.append(lost)
                reasons.append("")
            except (LatexError, RecursionError) as error:
                at = int(error.args[1]) if isinstance(error, LatexError) else 0
                why = str(error.args[2]) if isinstance(error, LatexError) else "nested too deeply"
                sides.append(None)
                needs.append(())
                reasons.append(self.located(why, side.text.at(at)))
        counted = _counters(sides, self.sources.place(chain.begin).line)
        local = [*local, counted] if counted is not None else local
        around = in_force(self.frames, local, own)
        local = [*local, *self.of_members(sides, around)]
        sides = put_values(sides, around.members)
        findings: list[Finding] = []
        ops: list[Op | None] = []
        contexts: list[InForce] = []
        frames = self.frames
        for i, link in enumerate(chain.links):
            tex = self.typed(chain, i)
            begin = link.begin
            op = COMPARED.get(link.sign)
            verdict, message, reading = "undecided", "", ""
            if is_order(chain.sides[i], self.book) or is_order(chain.sides[i + 1], self.book) or link.sign in ROUGHLY:
                verdict, message, op = (
                    "asymptotic",
                    "an order of magnitude, not a relation that holds at each point",
                    None,
                )
            elif (i == 0 and first_time) or link.sign in DEFINES or op == ":=":
                verdict, op = "definition", None
            elif op is None:
                verdict, message = "unread", f"{link.sign} is not judged; only = and inequalities are"
            elif sides[i] is None or sides[i + 1] is None:
                verdict, message, op = "unread", reasons[i] or reasons[i + 1], None
            if verdict == "definition" and sides[i + 1] is not None:
                reading = f"{source_of(self.sources, chain.sides[i])} is {sides[i + 1]}"
            elif sides[i] is not None and sides[i + 1] is not None and verdict == "undecided":
                reading = str(Relation(sides[i], op if op and op != ":=" else "==", sides[i + 1]))  # type: ignore[arg-type]
            findings.append(self.finding(begin, max(link.end, begin + 1), tex, verdict, message, reading))
            ops.append(op if findings[-1].verdict == "undecided" else None)  # type: ignore[arg-type]
            row = self.row_of(chain, i, begin)
            mine = [h for a, h in asides if a.row == row]
            others = [r for a, h in asides if a.row != row for r in h.condition.relations]
            contexts.append(in_force(frames, [*local, *mine], own, [*others, *self.since, *self.passing]))
        for expr in sides:
            if expr is not None:
                self.seen |= variables_of(expr)
        if first_time and part.defined is not None:
            name, meaning = part.defined
            if part.role == "claim" and part.formula.inline and CLAIMS.search(said):
                meaning = replace(meaning, concluded=self.paragraphs)
            own[name] = meaning
            self.frames[-1].meanings[name] = meaning
            equal = Condition((Relation(name, "==", meaning.value),))
            self.frames[-1].hypotheses += of_each(Hypothesis(equal, meaning.text, meaning.line, "let"), self.every)
            outside = all(f.kind in ("document", "section", "other") for f in self.frames)
            if chain.links[0].sign in DEFINES and outside:
                self.keep_notation(name, meaning)
        named = {v for e in sides if e is not None for v in variables_of(e)}
        used = set(map(str, named))
        for context in contexts:
            known = named & context.meanings.keys()
            named |= {v for name in known for v in variables_of(context.meanings[name].value)}
        # what is known of a quantity is known where a name stands for it; what it is stays unknown there, too
        facts = tuple(r for name in sorted(map(str, named)) for r in self.book.facts.get(name, ()))
        typed = tuple((name, self.book.tex[name]) for name in sorted(used) if name in self.book.tex)
        explicit = CLAIMS.search(said) is not None or bool(chain.words)
        premise = (last,) if chain.implied and last is not None else ()
        denied = denied or any(
            context.meanings[v].concluded not in (None, self.paragraphs)
            for context in contexts for v in context.meanings.keys() & {v for e in sides if e is not None
                                                                        for v in variables_of(e)}
        )
        if any(op is not None for op in ops):
            self.places[len(self.entries)] = self.place()
            self.bounds_claimed(sides, ops, contexts, findings[0])
            self.entries.append(
                Work(
                    tuple(findings),
                    tuple(sides),
                    tuple(needs),
                    tuple(ops),
                    tuple(contexts),
                    facts,
                    typed,
                    explicit,
                    denied,
                    premise,
                    tuple(sorted(self.book.computed)),
                    "assumption" if reason or WANTED.search(part.before) else "",
                    self.beyond or denies(part.before, part.after if part.formula.inline else ""),
                    chain.both_ways,
                    union_bounds(sides, self.book),
                )
            )
        else:
            self.entries += findings
        good = [
            Relation(sides[i], op, sides[i + 1])
            for i, op in enumerate(ops)
            if op is not None
        ]
        return good[-1] if len(good) == len(ops) == 1 else None

    def of_members(self, sides: Sequence[Expr | None], context: InForce) -> Iterator[Hypothesis]:
        """What is known of each member of the families that a chain sums over."""
        for h in context.hypotheses:
            known = in_reach([m for m in h.condition.members if m in context.members], sides)
            if known:
                yield Hypothesis(Condition(known), h.text, h.line, h.kind)
        read = [side for side in sides if side is not None]
        bounds, shared = of_extremes(read, context.members, self.book)
        if bounds:
            known = (*in_reach(bounds, sides), *shared)
            yield Hypothesis(Condition(known), "the largest or smallest of them", self.sources.place(0).line, "let")
        families = families_of(*read)
        for typed in hidden_sums(context.relations, families, self.book) if families else ():
            # what it says of them is not known here, and may be all that matters
            every = frozenset(letter_of(v) for side in sides if side is not None for v in variables_of(side))
            yield Hypothesis(Condition(), typed, self.sources.place(0).line, "words", letters(typed) | every)

    def keep_notation(self, name: Symbol, meaning: Meaning) -> None:
        """What a paper defines with a sign of its own, outside of its theorems, is the same in the next section."""
        if (is_parameter(name) or "_" in str(name)) and name not in self.frames[0].meanings:
            self.frames[0].meanings[name] = meaning
        elif self.frames[0].meanings.get(name) != meaning:
            self.frames[0].meanings.pop(name, None)  # it is another thing in each section

    def bounds_claimed(
        self, sides: list[Expr | None], ops: list[Op | None], contexts: list[InForce], finding: Finding
    ) -> None:
        """x <= 1 of a free name: an author who writes it may count on it elsewhere."""
        for i, op in enumerate(ops):
            left, right = sides[i], sides[i + 1]
            if op is None or left is None or right is None:
                continue
            named = {side for side in (left, right) if isinstance(side, Symbol)}
            plain = all(isinstance(side, Symbol) or side.is_number for side in (left, right))
            if plain and named - contexts[i].meanings.keys():
                condition = Condition(perhaps=(Relation(left, op, right),))
                self.note(Hypothesis(condition, finding.tex, finding.line, "claim"))

    def prepare_values(self, context: InForce) -> None:
        """The signs that integrals and infinite sums may need."""
        positive, not_negative, below = set(), set(), set()
        for r in context.relations:
            for one, op, other in ((r.left, r.op, r.right), (r.right, MIRROR[r.op], r.left)):
                if isinstance(one, Symbol) and other.is_Rational:
                    if (op == ">" and other >= 0) or (op == ">=" and other > 0):
                        positive.add(one)
                    if op in (">", ">=") and other >= 0:
                        not_negative.add(one)
                    if (op == "<" and other <= 1) or (op == "<=" and other < 1):
                        below.add(one)
        unit = not_negative & below
        for name, meaning in context.meanings.items():  # r = e^{-1/s} with s > 0
            value = signed(meaning.value, frozenset(positive))
            if value.is_positive:
                positive.add(name)
            if is_unit(value) or 1 - meaning.value in unit & positive:
                unit.add(name)
        self.book.positive, self.book.unit = positive, unit

    def row_of(self, chain: RowChain, i: int, begin: int) -> int:
        """The row of a link: rows are counted from that of the chain, where they begin elsewhere."""
        begins = list(dict.fromkeys([chain.begin, *(link.begin for link in chain.links)]))
        return chain.row + begins.index(begin)

    def concludes(self, part: Phrase, chain: RowChain, said: str) -> bool:
        """Whether an equation is a conclusion about a name that has its domain, and that nobody chooses."""
        if part.role == "define" or chain.links[0].sign in DEFINES or part.defined is None:
            return False
        if not _CONCLUDES.search(said) or _CHOOSES.search(f"{said} {part.after}"):
            return False
        return part.defined[0] in in_force(self.frames, [], {}).domains

    def begins_definition(self, part: Phrase, chain: RowChain) -> bool:
        """Whether a chain begins with a name that nobody has used before, or gives a free name its value."""
        link = chain.links[0]
        explicit = part.role == "define" or link.sign in DEFINES
        if COMPARED.get(link.sign) != "==" and not explicit:
            return False
        if part.role == "define" and part.display is not None and part.display.chains[0] is not chain:
            return False
        fresh = len(self.book.names)
        function = function_of(chain.sides[0], self.book)
        try:
            left, _ = read_side(chain.sides[0], self.book)
        except LatexError:
            return explicit
        new_quantity = len(self.book.names) > fresh
        if explicit and link.sign not in DEFINES and not isinstance(left, Symbol) and function is None:
            if part.defined is not None and left == part.defined[0] ** 2:
                return True
            # put b/a = e^{2u}: a substitution holds because it is put so
            return _PUT.search(part.before) is not None and bool(variables_of(left))
        if explicit:
            if part.defined is None or (part.display is not None and part.display.chains[0] is not chain):
                part.defined = None
                self.defines(chain, part)
            return True
        if not isinstance(left, Symbol):
            return False
        if function is not None and function[0] not in self.book.functions and new_quantity:
            return self.defines(chain, part)
        if str(left) in self.book.tex:
            return False
        context = in_force(self.frames, [], {})
        if left in context.meanings:
            return False
        if left in self.seen and left not in context.declared:
            return False
        with suppress(LatexError):
            value, _ = read_side(chain.sides[1], self.book)
            if left in variables_of(value):
                return False
            return self.defines(chain, part)
        return False


def _counters(sides: Sequence[Expr | None], line: int) -> Hypothesis | None:
    """Bounds of sums and names in binomial coefficients are integers; a sum is meant not to be empty."""
    whole: set[Symbol] = set()
    perhaps: list[Relation] = []
    for sum_ in (s for side in sides if side is not None for s in side.atoms(Sum, Product)):
        for index, low, high in sum_.limits:
            whole |= (low.free_symbols | high.free_symbols) - {index}
            if high.free_symbols or low.free_symbols:
                perhaps.append(Relation(high, ">=", low))
    for coefficient in (b for side in sides if side is not None for b in side.atoms(binomial)):
        whole |= coefficient.free_symbols
    if not whole:
        return None
    names = frozenset(whole)
    return Hypothesis(Condition((), names, names, tuple(perhaps)), "counted by a sum or a binomial", line, "suppose")
