r"""Words with formulas between dollar signs: in a sentence, in Markdown, in LaTeX, in a terminal.

>>> listed(["$k$", "$x$", "$y$"])
'$k$, $x$ and $y$'
>>> print(text_latex(r"50% of $e^\varepsilon$ & a_b, for ε ≤ 1"))
50\% of $e^\varepsilon$ \& a\_b, for $\varepsilon$ $\le$ 1
>>> print(markdown("a*b*c for $a_1$ <= 1"))
a\*b\*c for $a_1$ \<= 1
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from symdp.formulas.notation import GREEK, aliases, symbol_latex

_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
            **{sign: f"\\{sign}" for sign in "&%$#_{}"}}
_SIGNS = {"≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$", "≈": r"$\approx$", "∞": r"$\infty$",
          "→": r"$\to$", "∈": r"$\in$", "×": r"$\times$", "·": r"$\cdot$", "−": "$-$",
          "√": r"$\surd$", "±": r"$\pm$", "′": "$'$", "…": r"\dots{}", "\u00a0": "~",
          # in the default font encoding these three print as other signs
          "<": "$<$", ">": "$>$", "|": "$|$"}


def pieces(text: str) -> list[tuple[str, bool]]:
    """The words and the formulas of a text, and which of them are formulas.

    >>> pieces("at $x$"), pieces("costs $5")
    ([('at ', False), ('x', True)], [('costs $5', False)])
    """
    found = re.split(r"(?<!\\)\$", text)
    if len(found) % 2 == 0:  # a lone dollar sign is money, not math
        return [(text, False)]
    return [(piece, i % 2 == 1) for i, piece in enumerate(found) if piece or i % 2]


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
    r"""Plain words as LaTeX: special signs escaped, what stands between dollar signs kept as math.

    >>> print(text_latex("costs $5"))
    costs \$5
    """
    return "".join(f"${math(piece)}$" if is_math else "".join(map(_sign_latex, piece))
                   for piece, is_math in pieces(text))


def _sign_latex(sign: str) -> str:
    if sign in _SPECIAL or sign in _SIGNS:
        return _SPECIAL.get(sign) or _SIGNS[sign]
    if sign in aliases:
        return f"${symbol_latex(aliases[sign])}$"
    # pdflatex stops at letters beyond Latin; a visible code is better than no document.
    known = ord(sign) < 128 or unicodedata.name(sign, "").startswith("LATIN") or sign in "–—‘’“”"
    return sign if known else f"\\texttt{{U+{ord(sign):04X}}}"


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
    return ["".join(piece if math else rf"\text{{{text_latex(piece)}}}"
                    for piece, math in pieces(line)) for line in lines]


# --- terminals ------------------------------------------------------------------------------------

_LETTERS = {name: sign for sign, name in aliases.items() if name in GREEK and not sign.isascii()}
_PLAIN = {
    "dots": "…", "ldots": "…", "cdots": "…",
          **_LETTERS, "varepsilon": "ε", "epsilon": "ε", "lambda": "λ", "le": " ≤ ", "ge": " ≥ ",
          "ne": " ≠ ", "approx": " ≈ ", "to": " → ", "in": " ∈ ", "infty": "∞", "times": "×",
          "cdot": "·", "sqrt": "√", "pm": "±", "left": "", "right": "", "mathrm": "", "text": ""}


_FUNCTIONS = {"tanh", "cosh", "sinh", "exp", "log", "ln", "sin", "cos"}


def plain(text: str) -> str:
    r"""The text for a terminal: letters instead of the names of letters, and no dollar signs.

    >>> print(plain(r"$e^{\varepsilon}-1\le\lambda x$, so $\tanh(\varepsilon/2)<\sqrt{2k}$"))
    e^ε-1 ≤ λx, so tanh(ε/2)<√(2k)
    >>> print(plain(r"$\log x\le x$"))
    log x ≤ x
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
    tex = tex.replace(r"\|", "‖").replace(r"\{", "{").replace(r"\}", "}")
    tex = re.sub(r"\\([A-Za-z]+)(\s*)|\\[,;:! ]", _plain_command, tex)
    tex = re.sub(r"\{(.?)\}", r"\1", tex)  # one sign needs no brackets
    return re.sub(r"  +", " ", tex.replace("{", "(").replace("}", ")")).strip()
