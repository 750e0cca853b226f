r"""Terms and formulas as text, for people. **Trusted**: what is shown is what was proved.

The text shows every operation of the term; parentheses follow the usual ranks. A subtraction or a
division is shown where one was written, and nowhere else.

>>> from symdp.kernel.terms import variable
>>> x = variable("x")
>>> print((x - (x - x)) / (x * x), -(x ** -x))
(x - (x - x))/(x*x) -x^(-x)

Of a term with more than ``LARGEST`` nodes only their number is shown; no certificate states such a term.
"""

from symdp.kernel.terms import BINDERS, Term, fresh, instantiate, variable

#: Ranks: 1 for sums, 2 for a leading minus, 3 for products, 4 for powers, 5 for what needs no parentheses.
_TIGHT = 5
#: What stands between the operands, the rank of the whole, and the ranks that the first and the others need.
_INFIX = {"+": (" + ", 1, 1, 2), "-": (" - ", 1, 1, 2), "*": ("*", 3, 3, 4), "/": ("/", 3, 3, 4), "^": ("^", 4, 5, 5)}
LARGEST = 100_000


def to_text(term: Term, least: int = 0) -> str:
    """The text, in parentheses where its rank is less than that."""
    text, rank = _shown(term)
    return f"({text})" if rank < least else text


def _shown(term: Term) -> tuple[str, int]:
    head, args = term.head, term.args
    if term.size > LARGEST:
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
