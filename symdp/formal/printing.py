r"""Terms and relations of the kernel as Coq writes them.

>>> from symdp.kernel.terms import apply, number, variable
>>> x, k = variable("x"), variable("k")
>>> print(coq(apply("log", number(1) + x) / x ** number(2) - number(1, 2)))
ln (1 + x) / x ^ 2 - 1 / 2
>>> print(coq((number(1) - x) ** k))
power (1 - x) k
>>> conditions(apply("log", number(1) + x) / x)
['x <> 0', '0 < 1 + x']

An index is a real number that is whole, as every integer of an exported theorem is; a family is a function of it.

>>> from symdp.kernel.terms import member, sum_over
>>> total = sum_over("i", number(1), k, number(1) / member("a", variable("i")))
>>> print(coq(total))
sum_from 1 k (fun i => 1 / a i)
>>> conditions(total)
['(forall i : R, integer i -> 1 <= i -> i <= k -> a i <> 0)']
"""

import re
from collections.abc import Callable
from functools import reduce

from symdp.formal.refusals import NotExportable
from symdp.kernel.goals import Each, Formula, Relation
from symdp.kernel.terms import BINDERS, FUNCTIONS, Term, falling, fresh, instantiate, variable

#: Functions under their names in Coq.
NAMES = {"exp": "exp", "log": "ln", "sqrt": "sqrt", "tanh": "tanh", "sinh": "sinh", "cosh": "cosh", "erf": "erf",
         "erfc": "erfc", "Phi": "Phi", "abs": "Rabs", "sin": "sin", "cos": "cos", "loggamma": "Gamma.loggamma",
         "digamma": "Gamma.digamma", "floor": "floor"}
SIGNS = {"==": "="}
#: Words that no variable may have, since Coq or the exported files use them.
RESERVED = frozenset(
    "as at cofix do else end exists fix for forall fun if in let match mod nosimpl Prop return Set then Type using "
    "where with by R Z N O S I E C PI exp ln sqrt tanh sinh cosh erf erfc Phi power integer has_power Rabs Rmax Rmin "
    "sin cos tan atan bell pow up left right Lemmas sum_from product_from binomial within private_fold "
    "private_sequence private_laws has_binomial nil exists2 SProp IZR INR floor".split())
#: Sums and products under their names in Coq.
RANGES = {"sum": "sum_from", "product": "product_from"}
#: How strongly an expression holds together: numbers and names, applications, powers, signs, products, sums.
NAME, APPLIED, POWER, SIGN, PRODUCT, SUM = 0, 10, 29, 35, 40, 50
Written = tuple[str, int]
#: What stands in the place of a term, or None where it is written out.
Instead = Callable[[Term], str | None]


#: What a name may be. The steps of a certificate bring names of their own, which nobody else has looked at.
_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")


def plain_name(given: object) -> str:
    """A name as it is; NotExportable if it is something else, which Coq would read as sentences of its own."""
    if not isinstance(given, str) or not _NAME.fullmatch(given):
        raise NotExportable("name", f"{str(given)[:40]!r} is no name")
    return given


def name_of(variable: str) -> str:
    """The name of a variable; letters with a number are taken by hypotheses.

    >>> name_of("x"), name_of("exp"), name_of("h1")
    ('x', 'exp_', 'h1_')
    >>> name_of("i. Abort")
    Traceback (most recent call last):
    ...
    symdp.formal.refusals.NotExportable: name: 'i. Abort' is no name
    """
    variable = plain_name(variable)
    marked = variable in RESERVED or (variable[0] in "hqn" and variable[1:].isdigit())
    return f"{variable}_" if marked or variable.startswith("_") else variable


def within(written: Written, level: int) -> str:
    text, own = written
    return text if own <= level else f"({text})"


def coq(term: Term, instead: Instead = lambda _: None) -> str:
    """The term as a real number of Coq; NotExportable if there is no word for a part of it."""
    return _written(term, instead, {})[0]


def argument(term: Term, instead: Instead = lambda _: None) -> str:
    """The same as an argument of a function."""
    return within(_written(term, instead, {}), NAME)


def _written(term: Term, instead: Instead, done: dict[Term, Written]) -> Written:
    if term not in done:
        given = instead(term)
        done[term] = (given, SUM) if given is not None else _written_out(term, instead, done)
    return done[term]


def _written_out(term: Term, instead: Instead, done: dict[Term, Written]) -> Written:
    head, args = term.head, term.args

    def at(place: int, level: int) -> str:
        return within(_written(args[place], instead, done), level)

    if head == "number":
        return _rational(int(term.value.p), int(term.value.q))
    if head == "variable":
        return name_of(term.value), NAME
    if head == "pi":
        return "PI", NAME
    if head == "e":
        return "exp 1", APPLIED
    if head == "+":
        return " + ".join([at(0, SUM), *(at(i, PRODUCT) for i in range(1, len(args)))]), SUM
    if head == "-":
        return f"{at(0, SUM)} - {at(1, PRODUCT)}", SUM
    if head == "*":
        return " * ".join([at(0, PRODUCT), *(at(i, POWER) for i in range(1, len(args)))]), PRODUCT
    if head == "/":
        return f"{at(0, PRODUCT)} / {at(1, POWER)}", PRODUCT
    if head == "neg":
        return f"- {at(0, POWER)}", SIGN
    if head == "^":
        return _power(term, at)
    if head in NAMES:
        return f"{NAMES[head]} {at(0, NAME)}", APPLIED
    if head in ("min", "max"):
        first, *rest = [at(i, NAME) for i in range(len(args))]
        return reduce(lambda a, b: f"R{head} {a} {b}" if a is first else f"R{head} ({a}) {b}", rest, first), APPLIED
    if head in FUNCTIONS and head != "binomial" and (other := FUNCTIONS[head].by_others(*args)) is not None:
        return _written(other, instead, done)
    if head == "binomial" and (product := falling(*args)) is not None:
        return _written(product, instead, done)
    if head == "member":
        return f"{name_of(term.value)} {at(0, NAME)}", APPLIED
    if head == "binomial":
        return f"binomial {at(0, NAME)} {at(1, NAME)}", APPLIED
    if head in BINDERS:
        i, body = opened(term)
        return f"{RANGES[head]} {at(0, NAME)} {at(1, NAME)} (fun {name_of(i)} => {coq(body, instead)})", APPLIED
    raise NotExportable(head, "no word for it in the exported language")


def opened(term: Term) -> tuple[str, Term]:
    """A name for the index of a sum or product, and its body with that name.

    It is no name of the ends either: what is said of every index stands behind a quantifier, with the ends inside.
    """
    body = term.args[2]
    i = fresh("i", frozenset().union(*(a.variables | a.families for a in term.args)))
    return i, instantiate(body, variable(i))


def _rational(p: int, q: int) -> Written:
    if q != 1:
        return f"{within((str(p), SIGN if p < 0 else NAME), NAME)} / {q}", PRODUCT
    return str(p), SIGN if p < 0 else NAME


def whole_exponent(term: Term) -> int | None:
    """The exponent of a power, where it is written as an integer."""
    exponent = term.args[1]
    return int(exponent.value.p) if exponent.head == "number" and exponent.value.q == 1 else None


def half_exponent(term: Term) -> int | None:
    """Twice the exponent of a power, where that is written as half of an integer: it is a power of a root."""
    exponent = term.args[1]
    small = exponent.head == "number" and exponent.value.q == 2 and abs(exponent.value) <= 1000
    return int(exponent.value.p) if small else None


def _power(term: Term, at: Callable[[int, int], str]) -> Written:
    n = whole_exponent(term)
    if n is not None:
        if abs(n) > 2000:
            raise NotExportable("^", f"the exponent {n} is too large to be counted")
        text = f"{at(0, APPLIED)} ^ {abs(n)}"
        return (text, POWER) if n >= 0 else (f"/ {text}", SIGN)
    if term.args[0].head == "e":
        return f"exp {at(1, NAME)}", APPLIED
    halves = half_exponent(term)
    if halves is not None:
        root = f"sqrt {at(0, NAME)}"
        if halves == 1:
            return root, APPLIED
        return (f"{root} ^ {halves}", POWER) if halves > 0 else (f"/ {root} ^ {-halves}", SIGN)
    return f"power {at(0, NAME)} {at(1, NAME)}", APPLIED


def relation(r: Relation, instead: Instead = lambda _: None) -> str:
    return f"{coq(r.left, instead)} {SIGNS.get(r.op, r.op)} {coq(r.right, instead)}"


def every_index(i: str, low: Term | None, high: Term | None, text: str) -> str:
    """What holds for every whole number of a range."""
    name = name_of(i)
    above = "" if low is None else f"{coq(low)} <= {name} -> "
    below = "" if high is None else f"{name} <= {coq(high)} -> "
    return f"(forall {name} : R, integer {name} -> {above}{below}{text})"


def formula(f: Formula) -> str:
    """A relation, or one for every whole number of a range, as it is written."""
    if isinstance(f, Relation):
        return relation(f)
    if isinstance(f, Each):
        i = fresh(f.hint, f.variables | f.families)
        return every_index(i, f.low, f.high, formula(f.at(variable(i))))
    raise NotExportable(type(f).__name__.lower(), "no word for it in the exported language")


# --- definedness --------------------------------------------------------------------------------


def condition(term: Term) -> str | None:
    """What must hold of the arguments for a term to be defined where they are; None if nothing."""
    head, args = term.head, term.args
    if head == "/":
        return None if args[1].head == "number" and args[1].value != 0 else f"{coq(args[1])} <> 0"
    if head in ("loggamma", "digamma"):  # defined in the library for positive numbers alone
        return f"0 < {coq(args[0])}"
    if head == "log":
        return None if args[0].head == "number" and args[0].value > 0 else f"0 < {coq(args[0])}"
    if head == "sqrt":
        return None if args[0].head == "number" and args[0].value >= 0 else f"0 <= {coq(args[0])}"
    if head == "^":
        n = whole_exponent(term)
        if n is not None:
            return None if n >= 0 else f"{coq(args[0])} <> 0"
        if args[0].head == "e" or (args[0].head == "number" and args[0].value > 0):
            return None
        return f"has_power {argument(args[0])} {argument(args[1])}"
    if head == "binomial" and falling(*args) is None:
        return f"has_binomial {argument(args[1])}"
    return None


def conditions(*terms: Term) -> list[str]:
    """Everything that must hold for terms to be defined, as they are written, the outermost first."""
    found: dict[str, None] = {}

    def walk(t: Term) -> None:
        written = t
        if t.head in FUNCTIONS and t.head not in NAMES and t.head not in ("min", "max", "binomial"):
            other = FUNCTIONS[t.head].by_others(*t.args)
            if other is None:
                raise NotExportable(t.head, "no word for it in the exported language")
            written = other
        if (needed := condition(written)) is not None:
            found.setdefault(needed)
        if written.head in BINDERS:
            i, body = opened(written)
            for c in conditions(body):
                found.setdefault(every_index(i, written.args[0], written.args[1], c))
        for a in written.args[:2] if written.head in BINDERS else written.args:
            walk(a)

    for t in terms:
        walk(t)
    return list(found)


