r"""Words with formulas between dollar signs: in a sentence, in Markdown, in LaTeX, in a terminal.

>>> listed(["$k$", "$x$", "$y$"])
'$k$, $x$ and $y$'
>>> print(text_latex(r"50% of $e^\varepsilon$ & a_b, for ε ≤ 1"))
50\% of $e^\varepsilon$ \& a\_b, for $\varepsilon$ $\le$ 1
>>> print(text_latex(r"see $\input{x}$"))
see \$\textbackslash{}input\{x\}\$
>>> print(markdown("a*b*c for $a_1$ <= 1"))
a\*b\*c for $a_1$ \<= 1

What a claim says after the word *For* is where its variables live.

>>> from symdp.formulas.parsing import parse_conditions
>>> where = parse_conditions("0 < eps <= 0.9") + parse_conditions("k >= 1")
>>> print(quantifier(Domain.of(where, integers=["k"])))
$0<\varepsilon\le\frac{9}{10}$ and $k\in\mathbb{N},\ k\ge 1$
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Unpack

from sympy import Symbol, oo

from symdp.formulas.notation import GREEK, aliases, symbol_latex
from symdp.numbers.domain import Domain, Interval
from symdp.typeset.mathematics import is_mathematics
from symdp.typeset.typesetting import StyleOptions, latex

_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
            **{sign: f"\\{sign}" for sign in "&%$#_{}"},
            # behind a line's end or an item these would be an option of it
            "[": "{[}", "]": "{]}"}
_SIGNS = {"≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$", "≈": r"$\approx$", "∞": r"$\infty$",
          "→": r"$\to$", "∈": r"$\in$", "×": r"$\times$", "·": r"$\cdot$", "−": "$-$",
          "√": r"$\surd$", "±": r"$\pm$", "′": "$'$", "…": r"\dots{}", "\u00a0": "~",
          # in the default font encoding these three print as other signs
          "<": "$<$", ">": "$>$", "|": "$|$"}


def pieces(text: str) -> list[tuple[str, bool]]:
    r"""The words and the formulas of a text, and which of them are formulas.

    What stands between dollar signs and is no mathematics is words, dollar signs and all: this is the one door
    through which formulas in texts of others go to documents, pages and notebooks.

    >>> pieces("at $x$"), pieces("costs $5")
    ([('at ', False), ('x', True)], [('costs $5', False)])
    >>> pieces(r"by $\write18{rm}$")
    [('by $\\write18{rm}$', False)]
    """
    found = re.split(r"(?<!\\)\$", text)
    if len(found) % 2 == 0:  # a lone dollar sign is money, not math
        return [(text, False)]
    made: list[tuple[str, bool]] = []
    for i, piece in enumerate(found):
        math = i % 2 == 1 and is_mathematics(piece)
        shown = f"${piece}$" if i % 2 and not math else piece
        if made and not math and not made[-1][1]:
            made[-1] = (made[-1][0] + shown, False)
        elif shown or math:
            made.append((shown, math))
    return made


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence, the last one after an *and*.

    >>> listed(["a"]), listed(["a", "b"])
    ('a', 'a and b')
    """
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def sentence(text: str) -> str:
    """Begins with a capital, unless with a formula, and ends with a full stop.

    >>> sentence("it holds"), sentence("$x$ is real")
    ('It holds.', '$x$ is real.')
    """
    text = text.strip()
    if re.match(r"[a-z]+[ ,]", text):
        text = text[0].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?")) else ".")


def lettered(words: str) -> str:
    r"""The names of epsilon and delta as the letters that they are.

    >>> print(lettered("epsilon in total"))
    $\varepsilon$ in total
    """
    letters = {"epsilon": r"$\varepsilon$", "delta": r"$\delta$", "rho": r"$\rho$"}
    return re.sub(r"\b(epsilon|delta|rho)\b", lambda name: letters[name[0]], words)


# --- Markdown and LaTeX ---------------------------------------------------------------------------


def markdown(text: str) -> str:
    """Words whose signs Markdown leaves alone; formulas are kept."""
    return "".join(f"${piece}$" if math else re.sub(r"([\\`*_\[\]<>|$#])", r"\\\1", piece)
                   for piece, math in pieces(text))


def text_latex(text: str, math: Callable[[str], str] = lambda tex: tex) -> str:
    r"""Plain words as LaTeX: special signs escaped, mathematics between dollar signs kept.

    >>> print(text_latex("costs $5"))
    costs \$5
    """
    return "".join(f"${math(_known_signs(piece))}$" if is_math else words_latex(piece)
                   for piece, is_math in pieces(text))


def words_latex(text: str) -> str:
    r"""Words as LaTeX, every sign of them; a blank line would end what they stand in.

    >>> print(words_latex("a_b\n\n\x1b[1m $x$"))
    a\_b
    \texttt{U+001B}{[}1m \$x\$
    """
    return "".join(map(_sign_latex, re.sub(r"\s*\n\s*", "\n", text)))


def label_latex(text: str) -> str:
    r"""A name for ``\label``, ``\ref`` and ``\cite``, in which nothing is a command.

    >>> print(label_latex("kov/thm-3.4.log-branch"), label_latex(r"x}\input{y"))
    kov/thm-3.4.log-branch x-input-y
    """
    return re.sub(r"[^A-Za-z0-9:./+_-]+", "-", text)


def _known_signs(tex: str) -> str:
    r"""A formula in which signs that pdflatex does not know are its commands.

    >>> print(_known_signs("ε≤1"))
    {\varepsilon}{\le}1
    """
    return tex if tex.isascii() else "".join(
        sign if sign.isascii() else f"{{{_sign_latex(sign).strip('$')}}}" for sign in tex)


def _sign_latex(sign: str) -> str:
    if sign in _SPECIAL or sign in _SIGNS:
        return _SPECIAL.get(sign) or _SIGNS[sign]
    if sign in aliases:
        return f"${symbol_latex(aliases[sign])}$"
    # pdflatex stops at letters beyond Latin; a visible code is better than no document.
    latin = unicodedata.name(sign, "").startswith("LATIN")
    return sign if " " <= sign < "\x7f" or latin or sign in "\n\t–—‘’“”" else f"\\texttt{{U+{ord(sign):04X}}}"


def formula_lines(text: str, room: int) -> list[str]:
    r"""A text as lines inside a formula, where TeX itself would not break it.

    >>> print(*formula_lines("it fails at $x = 1$ and elsewhere", room=20), sep="\n")
    \text{it fails at }x = 1
    \text{and elsewhere}
    """
    lines: list[str] = [""]
    for word in re.findall(r"(?:\$[^$]*\$|[^\s$])+|\$", text):
        if lines[-1] and len(plain(f"{lines[-1]} {word}")) > room:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return ["".join(piece if math else rf"\text{{{words_latex(piece)}}}"
                    for piece, math in pieces(line)) for line in lines]


# --- terminals ------------------------------------------------------------------------------------

_LETTERS = {name: sign for sign, name in aliases.items() if name in GREEK and not sign.isascii()}
_PLAIN = {
    "dots": "…", "ldots": "…", "cdots": "…",
          **_LETTERS, "varepsilon": "ε", "epsilon": "ε", "lambda": "λ", "le": " ≤ ", "ge": " ≥ ",
          "ne": " ≠ ", "approx": " ≈ ", "to": " → ", "in": " ∈ ", "infty": "∞", "times": "×",
          "cdot": "·", "sqrt": "√", "pm": "±", "left": "", "right": "", "big": "", "bigl": "", "bigr": "",
          "quad": " ", "qquad": " ", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "ell": "ℓ",
          "subseteq": " ⊆ ", "subset": " ⊂ ", "cup": " ∪ ", "cap": " ∩ ", "setminus": " ∖ ", "mapsto": " ↦ ",
          "mid": " | ", "sim": " ~ ", "equiv": " ≡ ", "leq": " ≤ ", "geq": " ≥ ", "neq": " ≠ ", "sum": "∑",
          "prod": "∏", "int": "∫", "partial": "∂", "circ": "∘", "Rightarrow": " ⇒ ", "forall": "∀", "exists": "∃"}
#: Commands that only change how their argument looks.
_LOOKS = r"\\(?:mathrm|mathcal|mathbb|mathbf|mathsf|mathit|text|textit|textbf|operatorname|boldsymbol)\s*"


_FUNCTIONS = {"tanh", "cosh", "sinh", "exp", "log", "ln", "sin", "cos"}


def plain(text: str) -> str:
    r"""The text for a terminal: letters instead of the names of letters, and no dollar signs.

    >>> print(plain(r"$e^{\varepsilon}-1\le\lambda x$, so $\tanh(\varepsilon/2)<\sqrt{2k}$"))
    e^ε-1 ≤ λx, so tanh(ε/2)<√(2k)
    >>> print(plain(r"$\log x\le x$"))
    log x ≤ x
    >>> print(plain(r"$\mathcal{R}\subseteq\mathbb{R}^2$, $\lfloor k/2\rfloor$, $P_{\mathrm{MD}}$, $\frac{a}{b+1}$"))
    R ⊆ R^2, ⌊k/2⌋, P_(MD), a/(b+1)
    """
    return "".join(_plain_math(piece) if math else piece for piece, math in pieces(text))


def _plain_command(match: re.Match[str]) -> str:
    name, space = match[1], match[2]
    if not name:
        return ""
    # the name of a function stays apart from the letter behind it
    return f"{name} " if space and name in _FUNCTIONS else _PLAIN.get(name, name)


def _plain_math(tex: str) -> str:
    tex = re.sub(r"\\tilde\s*(?:\{([^{}]*)\}|(\\?\w+))", "\\1\\2\u0303", tex)
    tex = re.sub(_LOOKS + r"(?:\{([^{}]*)\}|(\w))", "\0\\1\\2", tex)  # so that no command before it grows longer
    tex = re.sub(r"\\[td]?frac\s*(\d)\s*(\d)", r"\1/\2", tex)
    tex = re.sub(r"\\[td]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"{\1}/{\2}", tex)
    tex = re.sub(r"\\[td]?binom\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"C(\1,\2)", tex)
    tex = tex.replace(r"\|", "‖").replace(r"\{", "{").replace(r"\}", "}")
    tex = re.sub(r"\\([A-Za-z]+)(\s*)|\\[,;:! ]", _plain_command, tex)
    tex = re.sub(r"\{(.?)\}", r"\1", tex.replace("\0", ""))  # one sign needs no brackets
    return re.sub(r"  +", " ", tex.replace("{", "(").replace("}", ")")).strip()


def quantifier(
    domain: Domain, order: Iterable[Symbol] = (), **options: Unpack[StyleOptions]
) -> str:
    """The domain in a sentence: separate formulas, between which a line may end."""
    return listed([f"${part}$" for part in domain_latex(domain, order, **options)])


def domain_latex(
    domain: Domain, order: Iterable[Symbol] = (), **options: Unpack[StyleOptions]
) -> list[str]:
    r"""A domain as formulas, one for each variable and each condition, without dollar signs.

    >>> from symdp.formulas.parsing import parse_conditions
    >>> print(*domain_latex(Domain.of(parse_conditions("x > y"))))
    x\in\mathbb{R} y\in\mathbb{R} x > y
    """
    first = [v for v in order if v in domain.intervals]
    variables = [*first, *(v for v in domain.variables if v not in first)]
    parts = [_where(v, domain.intervals[v], v in domain.integers, options) for v in variables]
    return [*parts, *(latex(c, **options) for c in domain.conditions)]


def _where(v: Symbol, i: Interval, integer: bool, options: StyleOptions) -> str:
    name = latex(v, **options)
    if i.lower == i.upper:
        return f"{name}={latex(i.lower, **options)}"
    bounds = _bounds(name, i, options)
    if not integer:
        return bounds or f"{name}\\in\\mathbb{{R}}"
    natural = i.lower != -oo and i.lower >= 0
    return ",\\ ".join(filter(None, [f"{name}\\in\\mathbb{{{'N' if natural else 'Z'}}}", bounds]))


def _bounds(name: str, i: Interval, options: StyleOptions) -> str:
    lower, upper = (latex(end, **options) for end in (i.lower, i.upper))
    below = "<" if i.upper_open else r"\le"
    if i.lower == -oo:
        return "" if i.upper == oo else _joined(name, below, upper)
    if i.upper == oo:
        return _joined(name, ">" if i.lower_open else r"\ge", lower)
    return _joined(_joined(lower, "<" if i.lower_open else r"\le", name), below, upper)


def _joined(left: str, sign: str, right: str) -> str:
    # A command needs no space before another command, but one before a letter or digit.
    return f"{left}{sign}{right if right.startswith(chr(92)) or sign in '<>' else ' ' + right}"
