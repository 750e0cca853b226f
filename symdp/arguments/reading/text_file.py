r"""Derivations in a text file, with formulas in LaTeX: what ``symdp derive FILE`` reads.

A file has one keyword on a line, or an ``align`` block as it stands in a paper; ``%`` begins a comment.

| line | meaning |
|---|---|
| ``title: words`` | what is derived |
| ``assume: \varepsilon > 0, 0 < \delta \le 1`` | assumptions, in force from there on |
| ``integer: k, i`` | these variables are integers |
| ``index: \ell`` | $\varepsilon_\ell$ is a member of a family; an assumption on it is said of each |
| ``let: m = \varepsilon/2`` | a new name |
| ``with: \lambda = ...`` | a value for a variable, which must lie where the variable lives |
| ``lemma NAME: relation where conditions`` | a lemma with its own variables; ``cited WORDS`` at the end |
| ``state: relation`` | holds by itself |
| ``implies: relation``, ``iff: relation`` | follows from the line before; is equivalent to it |
| ``use: NAME with p = ..., x = ...`` | for the next step |
| ``distribution Z: value with mass; value with mass`` | so that ``\mathbb{E}[...]`` can be written out |
| ``expect Z: relation`` | expectations of the line before (the relation may be left out) |
| ``cite: words [kov/thm-2.5]`` | a result from elsewhere, by the id of a claim or a key of the bibliography |
| ``cite NAME: words [key, place] \| relation`` | one that gives a relation; without a reference it is words |
| ``cases: relation``, ``case: condition``, ..., ``end`` | a case distinction |
| ``induction k from 1: relation``, ``base:``, ``step:``, ``end`` | an induction |
| ``conclude: relation`` | what is shown |

>>> derivation = derivation_from(r'''
... title: A first bound
... assume: x \ge 0
... \begin{align}
...   1 + x &\le e^{x}   \text{tangent} \\
...         &<   2 e^{x}
... \end{align}
... ''')
>>> derivation.title, len(derivation.steps), derivation.check().shown
('A first bound', 3, 'x + 1 < 2*exp(x)')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

from sympy import Expr, Integer, Symbol

from symdp.arguments.reading.latex_rows import Context, Row, assignments, read_line, read_rows
from symdp.arguments.reading.latex_tokens import LatexError, tokens
from symdp.arguments.reading.text_lines import TextLine, TextLines
from symdp.formulas.relation import Relation
from symdp.incoming import NotRead, text_of
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.expressions import (
    DerivationError,
    number_and_member,
    relation_variables,
    variables_of,
)
from symdp.sources.derivations.lines import (
    Branch,
    Cases,
    Cite,
    Conclude,
    Distribution,
    Expect,
    Implies,
    Induction,
    Lemma,
    Let,
    Line,
    Start,
    State,
    Suppose,
    Use,
    With,
)

LARGEST_FILE = 1_000_000
_BLOCK = re.compile(r"[ \t]*(?:\\begin\s*\{([A-Za-z]+\*?)\}|(\\\[)|(\$\$))")
_ENVIRONMENTS = {"align", "equation", "gather", "eqnarray", "multline", "aligned", "flalign", "split",
                 "gathered"}


class DerivationFileError(DerivationError):
    """The file as a whole cannot be read."""


def read_derivation(path: Path) -> Derivation:
    """The derivation in a file; an error says the file, the line and the column."""
    try:
        text = text_of(path, LARGEST_FILE)
    except NotRead as reason:
        raise DerivationFileError(f"{path}: {reason}") from reason
    try:
        return derivation_from(text)
    except (LatexError, DerivationError) as reason:
        raise DerivationFileError(f"{path}, {reason}") from reason


def derivation_from(text: str) -> Derivation:
    """The derivation that a text writes down."""
    parser = _File(text.replace("\r\n", "\n"))
    steps = parser.steps(())
    if not parser.at_end():
        parser.fail("'end' without a block that it ends")
    if not any(not isinstance(s, Let | Suppose) for s in steps):
        raise DerivationFileError("line 1: there is no step in it")
    twice = number_and_member(_written(parser.where, steps))
    if twice is not None:
        index = twice.rpartition("_")[2]
        raise DerivationFileError(f"{twice} is one number here, and a member of a family in a sum there; write "
                                  f"'index: {index}' before it if it is meant of each, or give one another name")
    return Derivation(parser.title, parser.where, parser.integers, steps)


def _written(*values: object) -> Iterator[Expr]:
    """The expressions in lines and relations, wherever they stand in them."""
    for value in values:
        if isinstance(value, Expr):
            yield value
        elif isinstance(value, tuple | list):
            yield from _written(*value)
        elif is_dataclass(value):
            yield from _written(*(getattr(value, f.name) for f in fields(value)))


class _File(TextLines):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.context = Context()
        self.title = ""
        self.where: tuple[Relation, ...] = ()
        self.integers: set[Symbol] = set()
        self.begun = False
        #: distributions whose masses were stated to be those of a law
        self.laws: set[str] = set()
        self.pending: tuple[Use, ...] = ()
        self.depth = 0

    # --- steps

    def steps(self, until: Sequence[str]) -> list[Line]:
        """The steps up to one of these keywords, or to ``end``, or to the end of the file."""
        found: list[Line] = []
        while not self.at_end():
            if self.at_block_end():
                break
            line = self.peek()
            if line is not None:
                if line.keyword in until:
                    break
                found += self.keyword(line)
            else:
                found += self.block()
        if self.pending:
            self.fail("'use' is not followed by a step")
        return found

    def block(self) -> list[Line]:
        """An align block, or a displayed formula."""
        begin = _BLOCK.match(self.text, self.position)
        if begin is None:
            line = self.text[self.position:self.line_end()]
            self.fail(f"neither a keyword nor a block of formulas: {line.strip()[:40]!r}",
                      self.position + len(line) - len(line.lstrip()))
        name = begin.group(1)
        if name is not None and name.rstrip("*") not in _ENVIRONMENTS:
            self.fail(f"the environment {name} is not understood; use align", begin.start(1))
        closing = rf"\end{{{name}}}" if name else r"\]" if begin.group(2) else "$$"
        stop = self.text.find(closing, begin.end())
        if stop < 0:
            self.fail(f"this block is never closed by {closing}", begin.start())
        found = read_rows(self.text, begin.end(), stop, self.context)
        if not found:
            self.fail("an empty block", begin.start())
        self.position = stop + len(closing)
        if rest := re.match(r"[ \t.,;]*", self.text[self.position:self.line_end()]):
            self.position += rest.end()
        self.begun = True
        for step in found:
            if isinstance(step, Start):
                self.context.known |= variables_of(step.expr)
        if self.pending:
            place = next(i for i, s in enumerate(found) if not isinstance(s, Start))
            found[place] = replace(found[place], uses=(*self.pending, *found[place].uses))
            self.pending = ()
        return self.with_laws(found, begin.start())

    def keyword(self, line: TextLine) -> list[Line]:
        readers: dict[str, Callable[[TextLine], list[Line]]] = {
            "title": self.read_title, "assume": self.read_assume, "integer": self.read_integer,
            "index": self.read_index, "let": self.read_name, "with": self.read_name,
            "lemma": self.read_lemma, "state": self.read_relation, "implies": self.read_relation,
            "iff": self.read_relation, "conclude": self.read_relation, "use": self.read_use,
            "distribution": self.read_distribution, "expect": self.read_expect,
            "cite": self.read_cite, "cases": self.read_cases, "induction": self.read_induction,
        }
        if line.keyword not in readers:
            self.fail(f"there is no keyword {line.keyword!r}; known are {', '.join(readers)}", line.at)
        self.advance()
        before = self.pending
        steps = readers[line.keyword](line)
        if steps:
            self.begun = True
        if before and steps:
            if not isinstance(steps[0], State | Implies | Conclude):
                self.fail(f"'use' does not go with '{line.keyword}'", line.at)
            steps[0] = replace(steps[0], uses=(*before, *steps[0].uses))
            self.pending = ()
        return self.with_laws(steps, line.at)

    def with_laws(self, steps: list[Line], at: int) -> list[Line]:
        """Before the first step that writes out a mean: that the masses are those of a law."""
        due = [] if not steps or isinstance(steps[0], Expect) else [
            State(condition, reason=f"a law of {name}", line=self.number(at))
            for name in sorted(self.context.averaged - self.laws) for condition in self.context.laws[name].conditions]
        if due and isinstance(steps[0], Implies):
            self.fail(r"a mean is taken here for the first time; write 'state: \mathbb{E}[1] = 1' before, which asks "
                      "for a law", at)
        if steps and not self.depth:  # inside of a block it is shown under the block's conditions only
            self.laws |= set() if isinstance(steps[0], Expect) else self.context.averaged
        return [*due, *steps]

    def no_name(self, line: TextLine) -> None:
        if line.name:
            self.fail(f"write '{line.keyword}: ...'", line.at)

    def read_title(self, line: TextLine) -> list[Line]:
        self.no_name(line)
        self.title = self.text[line.start:line.stop].strip()
        return []

    def conditions(self, start: int, stop: int) -> tuple[Relation, ...]:
        reader = self.context.reader(self.text, tokens(self.text, start, stop))
        found: list[Relation] = reader.whole(reader.conditions)
        for relation in found:
            self.context.known |= relation_variables(relation)
        return tuple(found)

    def read_assume(self, line: TextLine) -> list[Line]:
        self.no_name(line)
        found = self.conditions(line.start, line.stop)
        if self.begun or self.depth:
            return [Suppose(found, line=self.number(line.at))]
        self.where += found
        return []

    def names(self, start: int, stop: int) -> list[Symbol]:
        reader = self.context.reader(self.text, tokens(self.text, start, stop))
        found = [reader.name()]
        while reader.at(","):
            reader.advance()
            found.append(reader.name())
        if reader.token.kind != "end":
            reader.unexpected()
        return found

    def read_integer(self, line: TextLine) -> list[Line]:
        self.no_name(line)
        found = self.names(line.start, line.stop)
        self.integers |= set(found)
        self.context.known |= set(found)
        return []

    def read_index(self, line: TextLine) -> list[Line]:
        self.no_name(line)
        self.context.indices |= set(self.names(line.start, line.stop))
        return []

    def read_name(self, line: TextLine) -> list[Line]:
        self.no_name(line)
        found = assignments(self.text, line.start, line.stop, self.context)
        for name in found:
            if str(name) in self.context.laws:
                self.fail(f"{name} is a random variable; take another name", line.at)
        self.context.known |= set(found)
        self.context.named |= set(found)
        kind = Let if line.keyword == "let" else With
        return [kind(name, expr, line=self.number(line.at)) for name, expr in found.items()]

    def read_relation(self, line: TextLine) -> list[Line]:
        relation, row = read_line(self.text, line.start, line.stop, self.context)
        common = self.common(line, row)
        if line.keyword in ("implies", "iff"):
            step: Line = Implies(relation, line.keyword == "iff")
        else:
            step = State(relation) if line.keyword == "state" else Conclude(relation)
        return [replace(step, **common)]  # type: ignore[arg-type]

    def common(self, line: TextLine, row: Row) -> dict[str, object]:
        label = line.name or row.label
        if label:
            self.context.labels.add(label)
        return {"reason": row.reason, "label": label, "uses": row.uses, "line": self.number(line.at)}

    def read_use(self, line: TextLine) -> list[Line]:
        self.no_name(line)
        match = re.fullmatch(r"\s*(\S+)\s*(?:with\b(.*))?", self.text[line.start:line.stop], re.DOTALL)
        if match is None or match.group(1) not in self.context.labels:
            self.fail("there is no line or lemma of that name before", line.start)
        at = {}
        if match.group(2):
            start = line.start + match.start(2)
            at = dict(assignments(self.text, start, line.stop, self.context))
        self.pending = (*self.pending, Use(match.group(1), at))
        return []

    def read_lemma(self, line: TextLine) -> list[Line]:
        if not line.name:
            self.fail("a lemma has a name: 'lemma NAME: ...'", line.at)
        if line.name in self.context.labels:
            self.fail(f"there are two lines called {line.name!r}", line.at)
        stop, reference = line.stop, ""
        if cited := re.search(r"\bcited\b", self.text[line.start:stop]):
            reference = self.text[line.start + cited.end():stop].strip() or "without a reference"
            stop = line.start + cited.start()
        where: tuple[Relation, ...] = ()
        outer, self.context.known = self.context.known, set(self.context.known)
        if found := re.search(r"\bwhere\b", self.text[line.start:stop]):
            where = self.conditions(line.start + found.end(), stop)
            stop = line.start + found.start()
        relation, row = read_line(self.text, line.start, stop, self.context)
        self.context.known = outer
        self.context.labels.add(line.name)
        own = relation_variables(relation).union(*(relation_variables(r) for r in where))
        return [Lemma(relation, where, frozenset(self.integers) & own, reference, label=line.name,
                      reason=row.reason, line=self.number(line.at))]

    def read_distribution(self, line: TextLine) -> list[Line]:
        if not line.name:
            self.fail("write 'distribution Z: value with mass; value with mass'", line.at)
        (variable,) = self.names_in(line.name, line.at)
        if variable in self.context.named:
            self.fail(f"{variable} has a meaning already; take another name for the random variable", line.at)
        atoms: list[tuple[Expr, Expr]] = []
        start = line.start
        for part in self.text[line.start:line.stop].split(";"):
            found = re.search(r"\bwith\b", part)
            if found is None:
                self.fail("write 'value with mass' for each atom", start)
            value = self.expression(start, start + found.start())
            atoms.append((value, self.expression(start + found.end(), start + len(part))))
            start += len(part) + 1
        self.laws.discard(str(variable))
        self.context.laws[str(variable)] = Distribution(variable, tuple(atoms))
        return []

    def names_in(self, name: str, at: int) -> list[Symbol]:
        start = self.text.index(name, at)
        return self.names(start, start + len(name))

    def expression(self, start: int, stop: int) -> Expr:
        reader = self.context.reader(self.text, tokens(self.text, start, stop))
        first = reader.token
        found: Expr = reader.whole(reader.expression)
        reader.refuse_lost(found, first)
        return found

    def read_expect(self, line: TextLine) -> list[Line]:
        law = self.context.laws.get(str(self.names_in(line.name, line.at)[0])) if line.name else None
        if law is None:
            self.fail("name a distribution that was declared: 'expect Z:'", line.at)
        if not self.text[line.start:line.stop].strip():
            return [Expect(law, None, line=self.number(line.at))]
        relation, row = read_line(self.text, line.start, line.stop, self.context)
        return [Expect(law, relation, reason=row.reason, label=row.label, line=self.number(line.at))]

    def read_cite(self, line: TextLine) -> list[Line]:
        content = self.text[line.start:line.stop]
        words, bar, _ = content.partition(" | ")
        relation = None
        if bar:
            relation, _ = read_line(self.text, line.start + len(words) + 3, line.stop, self.context)
        if line.name:
            self.context.labels.add(line.name)
        said = re.fullmatch(r"(.*\S)\s*\[([^\[\]]+)\]", words.strip(), re.DOTALL)
        says, reference = said.groups() if said else (words.strip(), "")
        return [Cite(says, reference.strip(), relation, label=line.name, line=self.number(line.at))]

    # --- blocks

    def read_cases(self, line: TextLine) -> list[Line]:
        relation, row = read_line(self.text, line.start, line.stop, self.context)
        branches: list[Branch] = []
        while (case := self.peek()) is not None and case.keyword == "case":
            self.advance()
            self.depth += 1
            where = self.conditions(case.start, case.stop)
            branches.append(Branch(where, tuple(self.steps(("case",)))))
            self.depth -= 1
        self.end(line)
        if len(branches) < 2:
            self.fail("a case distinction has at least two lines 'case: condition'", line.at)
        step = Cases(tuple(branches), relation)
        return [replace(step, **self.common(line, row))]  # type: ignore[arg-type]

    def read_induction(self, line: TextLine) -> list[Line]:
        match = re.fullmatch(r"(\S+)\s+from\s+(-?\d+)", line.name)
        if match is None:
            self.fail("write 'induction k from 1: relation'", line.at)
        (variable,) = self.names_in(match.group(1), line.at + len("induction"))
        relation, row = read_line(self.text, line.start, line.stop, self.context)
        parts: dict[str, tuple[Line, ...]] = {"base": (), "step": ()}
        while (part := self.peek()) is not None and part.keyword in parts:
            self.advance()
            self.depth += 1
            labels = set(self.context.labels)
            if part.keyword == "step":
                self.context.labels.add("hypothesis")
            parts[part.keyword] = tuple(self.steps(("base", "step")))
            self.context.labels = labels
            self.depth -= 1
        self.end(line)
        step = Induction(variable, Integer(int(match.group(2))), relation, parts["base"], parts["step"])
        return [replace(step, **self.common(line, row))]  # type: ignore[arg-type]

    def end(self, opening: TextLine) -> None:
        self.skip()
        if not self.at_block_end():
            self.fail(f"the block '{opening.keyword}' is never closed by 'end'", opening.at)
        self.advance()
