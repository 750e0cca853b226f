r"""Terms: the language in which the kernel thinks. **Trusted.**

A term is a tree that never evaluates: ``x/x`` stays ``x/x``, ``0*log(x)`` keeps its logarithm, and what
is defined is read off the term as it was written. Equal trees are one object, so that comparing is cheap.

>>> x, y = variable("x"), variable("y")
>>> print(x / x + number(1, 2) * x ** number(2))
x/x + 1/2*x^2
>>> x + y == y + x, x + y == x + y
(False, True)

A sum or a product binds its index without a name: inside, ``bound(0)`` is the index of the innermost sum
around it, ``bound(1)`` that of the next. What is substituted for a variable therefore cannot be caught by
an index of the same name, and sums that differ only in the name of their index are equal.

>>> total = sum_over("i", number(1), variable("k"), member("a", variable("i")) * x)
>>> print(substitute(total, {"x": variable("i")}))
sum(a[i_1]*i, i_1 = 1..k)
>>> total == sum_over("j", number(1), variable("k"), member("a", variable("j")) * x)
True

A family is a function of an integer: ``member("a", i)`` is its value at ``i``, for one i; that something
holds of every member is for a formula to say (:class:`symdp.kernel.goals.Each`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from flint import fmpq

from symdp.kernel.effort import Effort

if TYPE_CHECKING:  # a record speaks of terms
    from symdp.kernel.functions.record import Function

#: Operations and how many arguments they have; None means two or more.
OPERATIONS: dict[str, int | None] = {"+": None, "*": None, "-": 2, "/": 2, "^": 2, "neg": 1}
CONSTANTS = ("pi", "e")
#: Functions by their names; :mod:`symdp.kernel.functions`, which comes with the kernel, fills it.
FUNCTIONS: dict[str, Function] = {}
#: These bind an index in their last argument: (low, high, body).
BINDERS = ("sum", "product")
#: Besides functions that say so, these are defined wherever their arguments are.
TOTAL = frozenset(["+", "-", "*", "neg", "member", *BINDERS])

_known: WeakValueDictionary[tuple[Any, ...], Term] = WeakValueDictionary()


def _united(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """The union, as one of the two where it can be: many terms share few sets."""
    return a if b <= a else b if a <= b else a | b


class Term:
    """A node: what it is, and its arguments. Made by the functions of this module alone."""

    __slots__ = ("__weakref__", "_hash", "args", "depth", "families", "head", "hint", "loose", "size",
                 "value", "variables")

    def __init__(self, head: str, value: Any, args: tuple[Term, ...], hint: str) -> None:
        #: the value is the number, the name of a variable or family, or how far out the index of a ``bound`` is;
        #: the hint is how the index of a binder is called when shown, and no part of what the term is
        self.head, self.value, self.args, self.hint = head, value, args, hint
        #: free variables, families, and how many indices around it the term refers to
        self.variables: frozenset[str] = frozenset([value]) if head == "variable" else frozenset()
        self.families: frozenset[str] = frozenset([value]) if head == "member" else frozenset()
        self.loose: int = value + 1 if head == "bound" else 0
        self.size, self.depth = 1, 0
        for place, a in enumerate(args):
            self.variables = _united(self.variables, a.variables)
            self.families = _united(self.families, a.families)
            inside = head in BINDERS and place == 2
            self.loose = max(self.loose, a.loose - 1 if inside else a.loose)
            self.size += a.size
            self.depth = max(self.depth, a.depth + 1)
        self._hash: int = hash((head, str(value), tuple(a._hash for a in args)))

    def __hash__(self) -> int:
        return self._hash

    # Equal terms are one object, so the comparison of objects, which is the default, will do.

    def __reduce__(self) -> tuple[Callable[..., Term], tuple[Any, ...]]:
        if self.head == "number":
            return number, (int(self.value.p), int(self.value.q))
        return _make, (self.head, self.value, self.args, self.hint)

    def __add__(self, other: Term) -> Term:
        return add(self, other)

    def __sub__(self, other: Term) -> Term:
        return _make("-", None, (self, other))

    def __mul__(self, other: Term) -> Term:
        return mul(self, other)

    def __truediv__(self, other: Term) -> Term:
        return _make("/", None, (self, other))

    def __pow__(self, other: Term) -> Term:
        return _make("^", None, (self, other))

    def __neg__(self) -> Term:
        return _make("neg", None, (self,))

    def __repr__(self) -> str:
        return f"Term({self})"

    def __str__(self) -> str:
        return to_text(self)

    @property
    def is_closed(self) -> bool:
        """Whether it is a constant: no variables, no families, no index of a sum around it."""
        return not (self.variables or self.families or self.loose)


def _make(head: str, value: Any, args: tuple[Term, ...] = (), hint: str = "") -> Term:
    Effort.steps += 1
    key = (head, (int(value.p), int(value.q)) if head == "number" else value, args)
    found = _known.get(key)
    if found is None:
        found = Term(head, value, args, hint)
        _known[key] = found
    return found


# --- making terms -----------------------------------------------------------------------------


def number(p: int | fmpq, q: int = 1) -> Term:
    """A rational number; made from exact integers only."""
    value = p / q if isinstance(p, fmpq) else fmpq(p, q)
    return _make("number", value)


def variable(name: str) -> Term:
    return _make("variable", name)


def bound(level: int) -> Term:
    """The index of a sum around this place: 0 for the innermost."""
    return _make("bound", level)


def constant(name: str) -> Term:
    if name not in CONSTANTS:
        raise ValueError(f"{name!r} is no constant")
    return _make(name, None)


def add(*terms: Term) -> Term:
    return terms[0] if len(terms) == 1 else _make("+", None, terms)


def mul(*factors: Term) -> Term:
    return factors[0] if len(factors) == 1 else _make("*", None, factors)


def apply(name: str, *args: Term) -> Term:
    """An operation or a function at its arguments."""
    wanted = OPERATIONS[name] if name in OPERATIONS else FUNCTIONS[name].arity
    least = 2 if name in OPERATIONS else 1
    if len(args) != wanted and not (wanted is None and len(args) >= least):
        raise ValueError(f"{name} does not take {len(args)} arguments")
    return _make(name, None, args)


def member(family: str, index: Term) -> Term:
    """The value of a family at one index."""
    return _make("member", family, (index,))


def binder(head: str, low: Term, high: Term, body: Term, hint: str = "i") -> Term:
    """A sum or product whose body already refers to its index as ``bound(0)``."""
    if head not in BINDERS:
        raise ValueError(f"{head!r} binds nothing")
    return _make(head, None, (low, high, body), hint)


def sum_over(index: str, low: Term, high: Term, body: Term) -> Term:
    """The sum of the body over the integers from low to high; 0 if there are none."""
    return binder("sum", low, high, close(body, index), index)


ZERO, ONE = number(0), number(1)


def falling(n: Term, m: Term) -> Term | None:
    """A binomial whose lower argument is a small number m >= 0, which is n(n-1)...(n-m+1)/m!."""
    if m.head != "number" or m.value.q != 1 or not 0 <= m.value <= 20:
        return None
    return mul(ONE, *((n - number(j)) / number(j + 1) for j in range(int(m.value.p))))


# --- binding and substitution -----------------------------------------------------------------


def rebuild(term: Term, args: tuple[Term, ...]) -> Term:
    """The same node with other arguments."""
    return term if args == term.args else _make(term.head, term.value, args, term.hint)


def transform(term: Term, leaf: Callable[[Term, int], Term | None], depth: int = 0) -> Term:
    """The term with every node for which ``leaf`` answers replaced; it is told how many binders are
    around the node."""
    done: dict[tuple[Term, int], Term] = {}

    def walk(t: Term, level: int) -> Term:
        key = (t, level)
        if key not in done:
            found = leaf(t, level)
            if found is None:
                inner, last = level + (t.head in BINDERS), len(t.args) - 1
                found = rebuild(t, tuple(
                    walk(a, inner if place == last else level) for place, a in enumerate(t.args)))
            done[key] = found
        return done[key]

    return walk(term, depth)


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with terms for variables. Nothing is captured: indices have no names."""
    if term.variables.isdisjoint(values):
        return term
    if any(v.loose for v in values.values()):
        raise ValueError("what is substituted refers to an index of a sum around it")

    def leaf(t: Term, _: int) -> Term | None:
        if t.variables.isdisjoint(values):
            return t
        return values[t.value] if t.head == "variable" else None

    return transform(term, leaf)


def substitute_family(term: Term, name: str, body: Term) -> Term:
    """The term with a formula for a family: ``body`` refers to the index as ``bound(0)``."""
    if name not in term.families:
        return term
    if body.loose > 1:
        raise ValueError("what is substituted refers to an index of a sum around it")

    def leaf(t: Term, level: int) -> Term | None:
        if name not in t.families:
            return t
        if t.head == "member" and t.value == name:
            return instantiate(body, transform(t.args[0], leaf, level))
        return None

    return transform(term, leaf)


def shifted(term: Term, by: int) -> Term:
    """The term as it reads under that many more binders."""
    if not by or not term.loose:
        return term

    def leaf(t: Term, level: int) -> Term | None:
        if t.loose <= level:
            return t
        return bound(t.value + by) if t.head == "bound" else None

    return transform(term, leaf)


def close(term: Term, name: str) -> Term:
    """The variable of that name becomes ``bound(0)``; indices further out move by one."""

    def leaf(t: Term, level: int) -> Term | None:
        if name not in t.variables:
            return t
        return bound(level) if t.head == "variable" else None

    return transform(shifted(term, 1), leaf)


def instantiate(body: Term, index: Term, outer: int = 0) -> Term:
    """The body of a binder with a term for ``bound(outer)``; indices further out move back by one."""

    def leaf(t: Term, level: int) -> Term | None:
        if t.loose <= level:
            return t
        if t.head != "bound":
            return None
        return shifted(index, level) if t.value == level else bound(t.value - 1)

    return transform(body, leaf, outer)


def subterms(term: Term) -> Iterator[Term]:
    """Every part, the term itself first; each once."""
    seen, stack = {term}, [term]
    while stack:
        t = stack.pop()
        yield t
        for a in t.args:
            if a not in seen:
                seen.add(a)
                stack.append(a)


def is_total(term: Term) -> bool:
    """Whether it is defined at every point, seen from its operations alone.

    >>> x = variable("x")
    >>> is_total(x * x - number(1)), is_total(x / x), is_total(x / number(2))
    (True, False, True)
    """
    for t in subterms(term):
        literal = t.args[1].value if len(t.args) == 2 and t.args[1].head == "number" else None
        if t.head in ("^", "binomial"):
            fine = literal is not None and literal.q == 1 and literal >= 0
        elif t.head == "/":
            fine = literal is not None and literal != 0
        else:
            fine = not t.args or t.head in TOTAL or (t.head in FUNCTIONS and FUNCTIONS[t.head].is_total)
        if not fine:
            return False
    return True


def replace_part(term: Term, part: Term, by: Term) -> Term:
    """The term with another in the place of a part that no index around it touches."""
    if part.loose or by.loose:
        raise ValueError("a part that refers to an index around it is not replaced")
    return transform(term, lambda t, _: by if t is part else None)


def fresh(stem: str, taken: frozenset[str] | set[str]) -> str:
    """A name that is not taken."""
    name, count = stem, 0
    while name in taken:
        count += 1
        name = f"{stem}_{count}"
    return name


# --- as text, for people: what is shown is what was proved ------------------------------------------

#: Ranks: 1 for sums, 2 for a leading minus, 3 for products, 4 for powers, 5 for what needs no parentheses.
_TIGHT = 5
#: What stands between the operands, the rank of the whole, and the ranks that the first and the others need.
_INFIX = {"+": (" + ", 1, 1, 2), "-": (" - ", 1, 1, 2), "*": ("*", 3, 3, 4), "/": ("/", 3, 3, 4), "^": ("^", 4, 5, 5)}
LARGEST_TEXT = 100_000


def to_text(term: Term, least: int = 0) -> str:
    """The text, in parentheses where its rank is less than that.

    Every operation of the term is shown; a subtraction or a division where one was written, and nowhere else. Of a
    term with more than ``LARGEST_TEXT`` nodes only their number is shown; no certificate states such a term.

    >>> x = variable("x")
    >>> print((x - (x - x)) / (x * x), -(x ** -x))
    (x - (x - x))/(x*x) -x^(-x)
    """
    text, rank = _shown(term)
    return f"({text})" if rank < least else text


def _shown(term: Term) -> tuple[str, int]:
    head, args = term.head, term.args
    if term.size > LARGEST_TEXT:
        return f"<{term.size} nodes>", _TIGHT
    if head == "number":
        p, q = int(term.value.p), int(term.value.q)
        text = str(p) if q == 1 else f"{p}/{q}"
        return text, _TIGHT if q == 1 and p >= 0 else 2 if p < 0 else 3
    if head == "variable":
        return term.value, _TIGHT
    if head == "bound":
        return f"#{term.value}", _TIGHT
    if head == "neg":
        return f"-{to_text(args[0], 3)}", 2
    if head in _INFIX:
        sign, rank, first, other = _INFIX[head]
        return sign.join([to_text(args[0], first), *(to_text(a, other) for a in args[1:])]), rank
    if head == "member":
        return f"{term.value}[{to_text(args[0])}]", _TIGHT
    if head in BINDERS:
        low, high, body = args
        # Not as it was called where the term was made: terms that are equal must read the same.
        name = fresh("i", term.variables | term.families)
        inside = to_text(instantiate(body, variable(name)))
        return f"{head}({inside}, {name} = {to_text(low)}..{to_text(high)})", _TIGHT
    if not args:
        return head, _TIGHT
    return f"{head}({', '.join(to_text(a) for a in args)})", _TIGHT
