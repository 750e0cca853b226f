r"""What counts as mathematics in a text of somebody else's: an allow-list, so that nothing else reaches TeX.

Between two dollar signs a stranger may write anything, and TeX would run it: ``\input`` reads files, ``\openout``
writes them, ``\catcode`` changes what the rest of a document means. So a formula is read before it is set: letters,
signs, commands of mathematics with as many arguments as they take, scripts, pairs of delimiters, a few environments.
What is anything else is not a formula; whoever asks sets it as words.

>>> is_mathematics(r"\sqrt{2k\log(1/\tilde\delta)} \le \frac12")
True
>>> [is_mathematics(tex) for tex in (r"\input{/etc/passwd}", "^^5cinput x", "x}{y", r"\frac{1}", r"\text{$x$}")]
[False, False, False, False, False]
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

LONGEST, DEEPEST = 20_000, 40

#: Commands by the number of arguments that they take.
_PLAIN = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho
sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min
Pr sec sin sinh sup tan tanh
le leq leqslant ge geq geqslant lt gt ne neq ll gg approx sim simeq cong equiv asymp doteq propto prec preceq succ
succeq in notin ni subset subseteq supset supseteq mid nmid parallel perp models vdash dashv
to gets mapsto rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow longrightarrow longleftarrow
longmapsto Longrightarrow Longleftarrow Longleftrightarrow implies impliedby iff uparrow downarrow updownarrow
Uparrow Downarrow nearrow searrow hookrightarrow
pm mp times div cdot ast star circ bullet oplus ominus otimes odot wedge vee cap cup setminus land lor lnot neg
sum prod coprod int iint oint bigcap bigcup bigoplus bigotimes bigvee bigwedge
infty partial nabla forall exists nexists emptyset varnothing ell hbar imath jmath Re Im aleph prime surd top bot
angle triangle square blacksquare dagger ddagger checkmark degree
dots ldots cdots vdots ddots dotsb dotsc
lfloor rfloor lceil rceil langle rangle lvert rvert lVert rVert vert Vert lbrace rbrace lbrack rbrack backslash
big Big bigg Bigg bigl Bigl biggl Biggl bigr Bigr biggr Biggr bigm Bigm biggm Biggm
quad qquad displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits mathstrut not colon bmod
""".split()
_OF_ONE = """
hat widehat tilde widetilde bar overline underline vec dot ddot check breve acute grave mathring overbrace underbrace
overrightarrow overleftarrow mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathnormal boldsymbol
operatorname phantom hphantom vphantom sqrt pmod mathop mathbin mathrel mathopen mathclose mathord
""".split()
_OF_TWO = "frac dfrac tfrac cfrac binom dbinom tbinom overset underset stackrel".split()
_ARITY = {**dict.fromkeys(_PLAIN, 0), **dict.fromkeys(_OF_ONE, 1), **dict.fromkeys(_OF_TWO, 2)}
#: Commands whose argument is words.
_WORDS = frozenset("text textrm textit textbf textup textsf texttt mbox".split())
#: Commands of one sign: spaces, braces that are shown, a double bar, a line's end in an environment.
_SIGNS = frozenset(",;:!> {}|")
_ENVIRONMENTS = frozenset(
    "aligned gathered split cases matrix pmatrix bmatrix vmatrix Vmatrix Bmatrix smallmatrix".split())
_DELIMITERS = re.compile(r"\s*(?:[()\[\]|./<>]|\\[{}|]|\\[lr](?:floor|ceil|angle|vert|Vert|brace|brack)(?![A-Za-z])"
                         r"|\\(?:vert|Vert|backslash)(?![A-Za-z]))")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_SPACE = re.compile(r"\s*")


class _NotMathematics(Exception):
    pass


@lru_cache(maxsize=10_000)
def is_mathematics(tex: str) -> bool:
    """Whether a formula has nothing in it but mathematics, and ends where it seems to end."""
    if not tex.strip() or len(tex) > LONGEST or not all(map(_is_sign, tex)) or "^^" in tex:
        return False
    reading = _Reading(tex)
    try:
        reading.sequence(lambda: reading.at == len(tex))
    except _NotMathematics:
        return False
    return True


def _is_sign(sign: str) -> bool:
    """Printable, and neither a comment nor a parameter nor another dollar sign."""
    if sign in "$%#\t\r\f\v":
        return False
    return sign in "\n " or unicodedata.category(sign)[0] in "LMNPS"


class _Reading:
    """A place in a formula, which moves on as its parts are read."""

    def __init__(self, tex: str) -> None:
        self.tex, self.at, self.depth = tex, 0, 0

    def ahead(self, text: str) -> bool:
        return self.tex.startswith(text, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.tex, self.at)
        if found:
            self.at = found.end()
        return found

    def sequence(self, ended: Callable[[], bool], *, rows: bool = False) -> None:
        """Parts up to an end; a script stands behind what it belongs to, and only once."""
        scripts: set[str] = set()
        self.depth += 1
        if self.depth > DEEPEST:
            raise _NotMathematics
        while not ended():
            if self.at >= len(self.tex):
                raise _NotMathematics
            sign = self.tex[self.at]
            if sign.isspace():
                self.take(_SPACE)
            elif sign in "^_":
                if sign in scripts:
                    raise _NotMathematics
                scripts.add(sign)
                self.at += 1
                self.argument()
            elif sign == "'":
                if "^" in scripts:
                    raise _NotMathematics
                self.at += 1
            elif rows and (sign == "&" or self.ahead("\\\\")):
                self.at += 1 if sign == "&" else 2
                scripts = set()
            else:
                self.part()
                scripts = set()
        self.depth -= 1

    def argument(self) -> None:
        """What a command or a script takes: a group, or one part."""
        self.take(_SPACE)
        if self.at >= len(self.tex) or self.tex[self.at] in "^_'":
            raise _NotMathematics
        self.part()

    def part(self) -> None:
        """A group, a command with its arguments, or a sign."""
        sign = self.tex[self.at]
        if sign == "{":
            self.group()
        elif sign == "\\":
            self.command()
        elif sign in "}&~":
            raise _NotMathematics
        else:
            self.at += 1

    def group(self) -> None:
        self.at += 1
        self.sequence(lambda: self.ahead("}"))
        self.at += 1

    def command(self) -> None:
        found = self.take(_COMMAND)
        if found is None:
            if self.tex[self.at + 1:self.at + 2] not in _SIGNS or self.at + 1 >= len(self.tex):
                raise _NotMathematics
            self.at += 2
            return
        name = found.group(1)
        if name == "left":
            self.pair()
        elif name == "begin":
            self.environment()
        elif name in _WORDS:
            self.words()
        elif name in _ARITY and (name == "operatorname" or not found.group().endswith("*")):
            self.option(name)
            for _ in range(_ARITY[name]):
                self.argument()
        else:
            raise _NotMathematics

    def option(self, name: str) -> None:
        """The degree of a root."""
        if name == "sqrt":
            self.take(_SPACE)
            if self.ahead("["):
                self.at += 1
                self.sequence(lambda: self.ahead("]"))
                self.at += 1

    def pair(self) -> None:
        right = re.compile(r"\\right(?![A-Za-z])")
        if not self.take(_DELIMITERS):
            raise _NotMathematics
        self.sequence(lambda: right.match(self.tex, self.at) is not None)
        self.take(right)
        if not self.take(_DELIMITERS):
            raise _NotMathematics

    def environment(self) -> None:
        found = self.take(re.compile(r"\{(\w+)\}(\[[tbc]\])?"))
        if found is None or found.group(1) not in _ENVIRONMENTS:
            raise _NotMathematics
        end = f"\\end{{{found.group(1)}}}"
        self.sequence(lambda: self.ahead(end), rows=True)
        self.at += len(end)

    def words(self) -> None:
        """Words inside a formula: letters and signs that mean nothing to TeX, and spaces."""
        if not self.take(re.compile(r"\s*\{(?:[^\\{}$%#&~^_]|\\[ ,_&])*\}")):
            raise _NotMathematics
