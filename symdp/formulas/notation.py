r"""The symbols that the literature shares, declared once, and the functions SymPy lacks.

Every symbol is plain: it carries no assumption. Where a variable lives is the business of a
:class:`~symdp.numbers.domain.Domain`; SymPy would otherwise rewrite $\sqrt{k\varepsilon^2}$ behind our
back, and two symbols with one name and different assumptions would be different symbols.

>>> from symdp.formulas.notation import eps, k, slack, symbol
>>> symbol("eps") is eps
True
>>> symbol("ε") is eps
True
>>> latex_names["slack"]
'\\tilde{\\delta}'

Numbers are exact: a float, which is rounded already, is refused (:func:`exact`).
"""

from __future__ import annotations

import re

import sympy
from sympy import Expr, Function, Symbol, erfc, exp, pi, sqrt
from sympy.core import assumptions

# SymPy shuffles the order in which it asks what is known of an expression. A fixed one takes less time, and a search
# that counts its work does the same each time.
assumptions.shuffle = list.sort

GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma tau upsilon phi chi psi omega"
).split()

#: What a person may type for a symbol -> its one name here. Unicode letters included.
aliases: dict[str, str] = {
    "epsilon": "eps",
    "varepsilon": "eps",
    "lambda": "lam",
    "ε": "eps",
    "ϵ": "eps",
    "λ": "lam",
}
for _code, _name in zip("αβγδζηθικμνξοπρστυφχψω",
                        (g for g in GREEK if g not in ("epsilon", "lambda")), strict=True):
    aliases[_code] = _name

#: The LaTeX of symbols whose name is not already what should be printed.
latex_names: dict[str, str] = {
    "eps": r"\varepsilon",
    "lam": r"\lambda",
    "slack": r"\tilde{\delta}",
    "eps_total": r"\tilde{\varepsilon}",
    "delta_total": r"\tilde{\delta}_{\mathrm{total}}",
}


#: SymPy's own cache forgets, and would then make an equal symbol that is another object.
_symbols: dict[str, Symbol] = {}


def symbol(name: str) -> Symbol:
    """The symbol of that name, aliases resolved; always the same object."""
    name = aliases.get(name, name)
    return _symbols.setdefault(name, Symbol(name))


eps, delta, k = symbol("eps"), symbol("delta"), symbol("k")
lam, p, t, x, y = symbol("lam"), symbol("p"), symbol("t"), symbol("x"), symbol("y")
#: The extra delta an analyst gives away for a smaller epsilon, printed as delta with a tilde.
slack = symbol("slack")
#: The epsilon and the delta of the whole composition.
eps_total, delta_total = symbol("eps_total"), symbol("delta_total")


class Phi(Function):  # type: ignore[misc]
    r"""The distribution function of the standard normal law.

    >>> from symdp.formulas.notation import Phi, x
    >>> Phi(x).rewrite(sympy.erfc)
    1 - erfc(sqrt(2)*x/2)/2
    >>> Phi(0)
    1/2
    """

    nargs = 1

    @classmethod
    def eval(cls, argument: Expr) -> Expr | None:
        return sympy.Rational(1, 2) if argument.is_zero else None

    def fdiff(self, argindex: int = 1) -> Expr:
        return exp(-(self.args[0] ** 2) / 2) / sqrt(2 * pi)

    def _eval_evalf(self, prec: int) -> Expr:
        return self.rewrite(erfc)._eval_evalf(prec)

    def _eval_rewrite_as_erfc(self, argument: Expr, **_: object) -> Expr:
        return erfc(-argument / sqrt(2)) / 2


# --- names in LaTeX -------------------------------------------------------------------------------

_CAPITALS = re.findall(r"\w+", "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega")
_ACCENTS = {"tilde": r"\tilde{%s}", "hat": r"\hat{%s}", "bar": r"\bar{%s}", "prime": "%s'",
            "star": "%s^{*}"}


def symbol_latex(name: str) -> str:
    r"""The house's LaTeX for a symbol's name: Greek letters, accents, subscripts.

    >>> [symbol_latex(n) for n in ("eps_0", "x1", "delta_tilde_i", "slope")]
    ['\\varepsilon_{0}', 'x_{1}', '\\tilde{\\delta}_{i}', '\\mathit{slope}']
    """
    if name in latex_names or name.startswith("\\"):
        return latex_names.get(name, name)
    # Only the digits after a letter are a subscript by themselves: x1, not x_12 twice.
    first, *others = [part for part in re.sub(r"([^\W\d_])(\d+)$", r"\1_\2", name).split("_")
                      if part] or [name]
    tex = _letter(first, r"\mathit{%s}")
    for accent in (part for part in others if part in _ACCENTS):
        tex = _ACCENTS[accent] % tex
    below = ",".join(_letter(part, r"\mathrm{%s}") for part in others if part not in _ACCENTS)
    return f"{tex}_{{{below}}}" if below else tex


def _letter(word: str, roman: str) -> str:
    """One letter or number; a longer word is set by the template, lest it look like a product."""
    bare = word.rstrip("'")
    known = aliases.get(bare, bare)
    if known in latex_names:
        tex = latex_names[known]
    elif known in ("l", "ell"):  # a slanted l is too near to 1
        tex = r"\ell"
    elif known in GREEK or known in _CAPITALS:
        tex = "o" if known == "omicron" else f"\\{known}"
    elif len(bare) == 1 or bare.isdigit():
        tex = escaped(bare)
    else:
        tex = roman % escaped(bare)
    return tex + word[len(bare):]


def escaped(text: str) -> str:
    """A word without the signs that mean something to TeX."""
    return re.sub(r"([#$%&_{}])", r"\\\1", re.sub(r"[\\^~]", "", text))


def exact(value: object) -> Expr:
    """A SymPy expression from exact input; a float is refused, with the cure.

    >>> exact(3)
    3
    >>> exact(0.1)
    Traceback (most recent call last):
    ...
    TypeError: 0.1 is a float; write Rational('0.1')
    """
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float; write Rational('{value!r}')")
    if isinstance(value, str):
        raise TypeError(f"{value!r} is text; read it with symdp.formulas.parsing.parse_expression")
    expr = sympy.sympify(value, strict=True)
    if not isinstance(expr, Expr):
        raise TypeError(f"{value!r} is not an expression")
    for number in sorted(expr.atoms(sympy.Float)):
        raise TypeError(f"{number} is a float; write Rational('{number}')")
    return expr
