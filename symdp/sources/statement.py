r"""What a source says: statements, and the claims in them that a machine can settle.

A :class:`Claim` says one thing, as printed, and never carries its verdict. Its kind is its class.
A printed claim that does not hold gets a companion with ``role="corrected"``; one that can be
better gets ``role="sharper"``. Both name the claim they improve in ``improves``.

>>> from sympy import exp
>>> from symdp.formulas.notation import x
>>> from symdp.formulas.relation import ge
>>> book = Source("book", "A book", "nobody2026book")
>>> tangent = Statement(
...     place=book.lemma("1"), title="The tangent of the exponential", variables={x: real},
...     claims=(Inequality("", "exp lies above its tangent at 0", ge(exp(x), 1 + x)),),
... )
>>> tangent.id, tangent.claims[0].id, tangent.claims[0].kind
('book/lem-1', 'book/lem-1', 'inequality')
>>> print(tangent.claims[0].domain)
x real
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from sympy import Expr, Indexed, Integer, Symbol, oo

from symdp.formulas.notation import delta, eps, exact, symbol
from symdp.formulas.printing import said, to_text
from symdp.formulas.relation import ForEvery, Relation
from symdp.numbers.domain import Domain, Interval
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.expressions import relation_variables
from symdp.sources.example import Example
from symdp.sources.regime import Regime
from symdp.sources.slips import Provenance, slip_of
from symdp.sources.subject import SUMS, AnySequence, Subject, symbols_of, words_of
from symdp.typeset.line_breaks import LINE, SCREEN, aligned, break_lines
from symdp.typeset.prose import formula_lines, lettered, listed, markdown, quantifier, sentence
from symdp.typeset.typesetting import latex

Task = Literal["decide", "derive", "draw", "cite"]
Role = Literal["printed", "corrected", "sharper"]
KINDS = (
    "inequality", "identity", "guarantee", "comparison", "asymptotic", "optimality", "figure",
    "structural",
)


# --- documents, and places in them -----------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """A document: its short key in ids, its title, and its key in ``references.bib``."""

    key: str
    title: str
    cite: str
    #: the names of its logarithm and of symbols, where it does not write them as the house does
    log: str = "log"
    symbols: Mapping[str, str] = field(default_factory=dict, hash=False)
    #: the pages of its places, by their slugs, as far as the text that was read shows where pages end
    pages: Mapping[str, str] = field(default_factory=dict, hash=False)

    def at(self, slug: str, label: str) -> Place:
        return Place(self, slug, label)

    def theorem(self, number: str) -> Place:
        return Place(self, f"thm-{number}", f"Theorem {number}")

    def lemma(self, number: str) -> Place:
        return Place(self, f"lem-{number}", f"Lemma {number}")

    def corollary(self, number: str) -> Place:
        return Place(self, f"cor-{number}", f"Corollary {number}")

    def remark(self, number: str) -> Place:
        return Place(self, f"rem-{number}", f"Remark {number}")

    def equation(self, number: str) -> Place:
        return Place(self, f"eq-{number}", f"Equation ({number})")

    def section(self, number: str) -> Place:
        return Place(self, f"sec-{number}", f"Section {number}")

    def figure(self, number: str) -> Place:
        return Place(self, f"fig-{number}", f"Figure {number}")

    def appendix(self, number: str) -> Place:
        return Place(self, f"app-{number.lower()}", f"Appendix {number}")


@dataclass(frozen=True)
class Place:
    """Where in a source a statement stands."""

    source: Source
    slug: str
    label: str

    @property
    def id(self) -> str:
        return f"{self.source.key}/{self.slug}"


# --- where variables live --------------------------------------------------------------------


@dataclass(frozen=True)
class Space:
    """An interval, and whether only its integers are meant."""

    interval: Interval
    integer: bool = False


_zero, _one = Integer(0), Integer(1)
real = Space(Interval())
positive = Space(Interval(_zero, oo, lower_open=True))
nonnegative = Space(Interval(_zero, oo))
unit = Space(Interval(_zero, _one))
unit_positive = Space(Interval(_zero, _one, lower_open=True))
unit_open = Space(Interval(_zero, _one, True, True))
positive_integer = Space(Interval(_one, oo), integer=True)


def domain_over(variables: Mapping[Symbol, Space], where: tuple[Relation, ...] = ()) -> Domain:
    """The domain of these variables, further restricted by relations.

    >>> from symdp.formulas.notation import eps, k
    >>> from symdp.formulas.relation import le
    >>> from sympy import Rational
    >>> print(domain_over({eps: positive, k: positive_integer}, (le(eps, Rational("0.9")),)))
    0 < eps <= 9/10, k >= 1 integer
    """
    spaces = Domain(
        {v: s.interval for v, s in variables.items()},
        frozenset(v for v, s in variables.items() if s.integer),
    )
    return Domain.of((*spaces.relations(), *where), spaces.integers, spaces.variables)


# --- claims ----------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Claim:
    """One assertion. ``name`` is its part of the id; ``says`` is it in one's own words."""

    name: str
    says: str
    #: restricts the variables of the statement further
    where: tuple[Relation, ...] = field(default=(), kw_only=True)
    #: what is known of single members of families, such as A[0] == 0, or for every integer of a range, which no
    #: domain can say
    members: tuple[Relation | ForEvery, ...] = field(default=(), kw_only=True)
    #: what holds of every member of a family, such as w[x] >= 0: an index that is no variable is any integer
    each: tuple[Relation, ...] = field(default=(), kw_only=True)
    #: where it is printed, when that is not simply the place of the statement
    printed_at: str = field(default="", kw_only=True)
    task: Task = field(default="decide", kw_only=True)
    role: Role = field(default="printed", kw_only=True)
    #: the name of the claim that this one corrects or sharpens
    improves: str | None = field(default=None, kw_only=True)
    #: one sentence on what was wrong, or what is gained
    because: str = field(default="", kw_only=True)
    #: where its variables live; what is not said here, its statement says
    variables: Mapping[Symbol, Space] = field(default_factory=dict, kw_only=True, hash=False)
    #: instances in which the claim can be computed, and whether it speaks of all or of some
    examples: tuple[Example, ...] = field(default=(), kw_only=True)
    quantifier: Literal["all", "some"] = field(default="all", kw_only=True)
    #: a derivation of the claim, line by line
    derivation: Derivation | None = field(default=None, kw_only=True, compare=False)
    #: an end of the domain, such as lam == 0, where a formula has no value and is read as its limit
    limit_at: Relation | None = field(default=None, kw_only=True)
    #: for a task of deriving: the variable whose range or best value is asked for
    over: Symbol | None = field(default=None, kw_only=True)
    #: a point at which the kernel may look, since it fails there
    fails_at: Mapping[Symbol, Expr] = field(default_factory=dict, kw_only=True, hash=False)
    #: of a claim in words: what a formal statement of it would need (see symdp.sources.beyond)
    beyond: str = field(default="", kw_only=True)
    #: the page of the source, where that is known
    page: str = field(default="", kw_only=True)
    #: who may have made it what it is: the authors, or the way from the page to the text (see symdp.sources.slips)
    provenance: Provenance = field(default="authors", kw_only=True)
    #: these two are set by the statement
    id: str = field(default="", kw_only=True)
    domain: Domain = field(default_factory=lambda: Domain({}), kw_only=True)

    kind: ClassVar[str] = ""

    @property
    def symbols(self) -> frozenset[Symbol]:
        """The variables in the formulas of the claim."""
        return frozenset()

    def formula(self, **style: Any) -> str:
        """The LaTeX of the claim's formula, or nothing where it is not a formula."""
        return ""

    def text(self) -> str:
        """The claim as one line of plain text."""
        return self.says

    def display(self, room: int, **style: Any) -> tuple[str, str]:
        """Words that lead up to the formula, and the formula, in lines as wide as there is room."""
        return "", break_lines(self.formula(**style), room)

    def leading(self, words: str, **style: Any) -> str:
        """The words that lead up to the formula, behind the domain."""
        lives, known = quantifier(self.domain, self.variables, **style), listed(self._known(**style))
        said = [f"For {lives}," if lives else "", f"if {known}," if known else "", words]
        return " ".join(filter(None, said))

    def _known(self, **style: Any) -> list[str]:
        """What else is known, with formulas between dollar signs; the hypotheses speak of members of families."""
        found = []
        for m in self.members:
            r, where = (m.relation, f" for ${latex(m.low, **style)}\\le {latex(m.index, **style)}\\le "
                        f"{latex(m.high, **style)}$") if isinstance(m, ForEvery) else (m, "")
            if not r.left.has(Indexed) and not r.right.has(Indexed):
                found.append(f"${latex(r, **style)}${where}")
        return found

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id or self.name}: {self.text()}>"

    def _repr_latex_(self) -> str:
        words, formula = self.display(LINE)
        text = [sentence(self.says), self.leading(words)] if formula else [sentence(self.says)]
        rows = [row for part in text if part for row in formula_lines(part, SCREEN)]
        return f"$\\displaystyle {aligned([*rows, formula] if formula else rows)}$"

    def _repr_markdown_(self) -> str:
        words, formula = self.display(SCREEN)
        text = f"**{self.id or self.name}** ({self.kind}): {markdown(self.says)}"
        if not formula:
            return text
        return "\n\n".join(filter(None, [text, self.leading(markdown(words)), f"$$\n{formula}\n$$\n"]))


@dataclass(frozen=True, repr=False)
class _Related(Claim):
    """A claim that is one relation between two expressions."""

    relation: Relation

    @property
    def symbols(self) -> frozenset[Symbol]:
        # the name of an indexed family lives nowhere; its members are spoken of in the hypotheses
        written = self.relation.written  # in which SymPy may have cancelled a variable
        return relation_variables(self.relation) | {
            symbol(v) for v in (written.variables if written is not None else ())}

    def formula(self, **style: Any) -> str:
        return latex(self.relation, **style)

    def text(self) -> str:
        known = [*map(str, self.members), *(f"{r} for every index" for r in self.each)]
        return f"{self.relation} with {', '.join(known)}" if known else str(self.relation)


@dataclass(frozen=True, repr=False)
class Inequality(_Related):
    """One side never exceeds the other on the domain."""

    kind: ClassVar[str] = "inequality"


@dataclass(frozen=True, repr=False)
class Comparison(_Related):
    """One bound is at least as good as another on the domain."""

    kind: ClassVar[str] = "comparison"


@dataclass(frozen=True, repr=False)
class Identity(_Related):
    """Two expressions are equal on the domain."""

    kind: ClassVar[str] = "identity"

    def __post_init__(self) -> None:
        if self.relation.op != "==":
            raise ValueError(f"an identity is an equality; {self.relation} is not")


@dataclass(frozen=True, repr=False)
class Guarantee(Claim):
    """``fold`` mechanisms of the subject, adaptively composed, are (epsilon, delta)-private."""

    subject: Subject
    epsilon: Expr
    delta: Expr
    fold: Expr = _one
    #: for a task of deriving how far it holds: up to which value of ``over``; it fails at a point beyond
    up_to: Expr | None = None

    kind: ClassVar[str] = "guarantee"

    @classmethod
    def of(cls, subject: Subject, fold: Expr, epsilon: Expr, delta: Expr, domain: Domain) -> Guarantee:
        """A guarantee that stands by itself, outside of a statement."""
        return cls("", "", subject, epsilon, delta, fold, domain=domain)

    def __post_init__(self) -> None:
        for name in ("epsilon", "delta", "fold"):
            object.__setattr__(self, name, exact(getattr(self, name)))

    @property
    def symbols(self) -> frozenset[Symbol]:
        parts = (self.epsilon, self.delta, self.fold)
        found = symbols_of(self.subject).union(*(e.free_symbols for e in parts))
        # The sums of a sequence live where its parameters put them; no statement says it.
        return found - set(SUMS) if isinstance(self.subject, AnySequence) else found

    def formula(self, **style: Any) -> str:
        total = ",\\ ".join(latex(e, **style) for e in (self.epsilon, self.delta))
        return f"\\left({total}\\right)\\text{{-DP}}"

    def display(self, room: int, **style: Any) -> tuple[str, str]:
        # In one line, the two pairs of a guarantee would be too wide for a page.
        names = style.get("names") or {}
        total = [names.get(f"total {word}") or rf"{latex(v, **style)}_{{\mathrm{{total}}}}"
                 for v, word in ((eps, "epsilon"), (delta, "delta"))]
        values = [break_lines(latex(e, **style), room - 8) for e in (self.epsilon, self.delta)]
        rows = [f"{name} &= {value}" for name, value in zip(total, values, strict=True)]
        words = f"{self._what(**style)} is $({','.join(total)})$-DP with"
        return words, aligned([f"{rows[0]},", rows[1]], mark="")

    def _what(self, **style: Any) -> str:
        words = words_of(self.subject, **style)
        if isinstance(self.subject, AnySequence):
            return f"the composition of {words}"
        return words if self.fold == 1 else f"the ${latex(self.fold, **style)}$-fold composition of {words}"

    def text(self) -> str:
        fold = "" if self.fold == 1 or isinstance(self.subject, AnySequence) else \
            f"{to_text(self.fold)}-fold "
        return (
            f"{fold}composition of {self.subject} is "
            f"({said(self.epsilon)}, {said(self.delta)})-DP"
        )


@dataclass(frozen=True, repr=False)
class Asymptotic(Claim):
    """``left`` has the stated order in the regime.

    A regime in words alone is only shown; what is to be decided needs it as data. Where there is a derivation,
    ``constants`` may say what it shows: left <= constants[0]*right, and for Theta right <= constants[1]*left, with
    what the variables that follow others are in their places.
    """

    left: Expr
    order: Literal["O", "Theta", "o", "~"]
    right: Expr
    regime: Regime | str = field(default_factory=Regime)
    constants: tuple[Expr, ...] = ()

    kind: ClassVar[str] = "asymptotic"

    @property
    def symbols(self) -> frozenset[Symbol]:
        moving = self.regime.symbols if isinstance(self.regime, Regime) else frozenset()
        return frozenset(self.left.free_symbols | self.right.free_symbols | moving)

    def formula(self, **style: Any) -> str:
        left, right = latex(self.left, **style), latex(self.right, **style)
        if self.order == "~":
            return f"{left} \\sim {right}"
        name = {"O": "O", "Theta": "\\Theta", "o": "o"}[self.order]
        return f"{left} = {name}\\left({right}\\right)"

    def display(self, room: int, **style: Any) -> tuple[str, str]:
        words = self.regime.words(**style) if isinstance(self.regime, Regime) else self.regime
        if isinstance(self.regime, Regime) and not self.regime.symbols:
            return f"{words},", break_lines(self.formula(**style), room)
        return f"in the regime {words}," if words else "", break_lines(self.formula(**style), room)

    def text(self) -> str:
        left, right = to_text(self.left), to_text(self.right)
        return f"{left} ~ {right}" if self.order == "~" else f"{left} = {self.order}({right})"


@dataclass(frozen=True, repr=False)
class Optimality(Claim):
    """Nothing better exists; both the bound and what attains it have to be shown."""

    kind: ClassVar[str] = "optimality"


@dataclass(frozen=True, repr=False)
class Figure(Claim):
    """A picture that can be drawn again."""

    kind: ClassVar[str] = "figure"


@dataclass(frozen=True, repr=False)
class Structural(Claim):
    """A definition, an equivalence, a Markov chain: no formula settles it."""

    kind: ClassVar[str] = "structural"


# --- statements ------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Statement:
    """A theorem, lemma, section or figure of a source, with its formulas and claims."""

    place: Place
    title: str
    variables: Mapping[Symbol, Space] = field(default_factory=dict, hash=False)
    #: in words, with LaTeX between dollar signs
    hypotheses: str = ""
    #: named closed forms, in the order in which they are shown
    formulas: Mapping[str, Expr] = field(default_factory=dict, hash=False)
    claims: tuple[Claim, ...] = ()
    #: further keys of ``references.bib``
    cites: tuple[str, ...] = ()
    #: what a formal statement of its claims in words would need
    beyond: str = ""

    def __post_init__(self) -> None:
        for expr in self.formulas.values():
            exact(expr)
        names = [c.name for c in self.claims]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{self.id} has two claims called {name!r}")
        object.__setattr__(self, "claims", tuple(self._adopt(c) for c in self.claims))

    def _adopt(self, claim: Claim) -> Claim:
        """The claim with its id and its domain."""
        if claim.improves is not None and claim.improves not in {c.name for c in self.claims}:
            raise ValueError(f"{self.id} has no claim {claim.improves!r} to improve")
        known = {**self.variables, **claim.variables}
        symbols = claim.symbols | frozenset().union(*(r.symbols for r in claim.where))
        for v in sorted(symbols - set(known), key=str):
            raise ValueError(f"{claim.name or self.id}: nothing says where {v} lives; say it in "
                             f"variables={{{v}: positive}} or another space")
        spaces = {v: s for v, s in known.items() if v in symbols}
        id = f"{self.id}.{claim.name}" if claim.name else self.id
        slip = slip_of(id)
        return replace(
            claim,
            variables=spaces,  # in the order of the statement
            id=id,
            page=claim.page or self.source.pages.get(self.place.slug, ""),
            provenance=claim.provenance if slip is None else slip.provenance,
            beyond=claim.beyond or self.beyond,
            domain=domain_over(spaces, claim.where),
        )

    def __repr__(self) -> str:
        names = ", ".join(c.name for c in self.claims) or "none"
        shown = names if len(names) < 400 else f"{len(self.claims)} of them"
        return f"<Statement {self.id}: {self.title}; claims: {shown}>"

    @property
    def id(self) -> str:
        return self.place.id

    @property
    def source(self) -> Source:
        return self.place.source

    def claim(self, name: str) -> Claim:
        return next(c for c in self.claims if c.name == name)

    def improvement_of(self, claim: Claim, role: Role) -> Claim | None:
        """The corrected or the sharper form of a claim, if there is one."""
        return next((c for c in self.claims if c.improves == claim.name and c.role == role), None)

    def _repr_latex_(self) -> str:
        rows = formula_lines(f"{self.title}. {self.hypotheses}", SCREEN)
        for name, expr in self.formulas.items():
            rows += [*formula_lines(f"{name}:", SCREEN), break_lines(latex(expr), LINE)]
        return f"$\\displaystyle {aligned(rows)}$"

    def _repr_markdown_(self) -> str:
        where = f"*{self.source.title}, {self.place.label}.*"
        parts = [f"### {self.title}", f"{where} {self.hypotheses}"]
        for name, expr in self.formulas.items():
            parts.append(f"{sentence(lettered(name)).rstrip('.')}:")
            parts.append(f"$$\n{break_lines(latex(expr), SCREEN)}\n$$")
        return "\n\n".join(parts)
