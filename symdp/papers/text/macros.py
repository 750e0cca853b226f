r"""Macros of a document, and formulas with each macro replaced by what it stands for, within bounds.

>>> from symdp.papers.text.source_text import Sources
>>> text = Sources().add("paper.tex", r"\newcommand{\half}[1][x]{\frac{#1}{2}} \half + \half[y]")
>>> macros, rest = definitions(text)
>>> macros.expand(rest).signs.strip()
'\\frac{x}{2} + \\frac{y}{2}'
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field

from symdp.papers.text.packages import COMMANDS, is_grouping, number_written
from symdp.papers.text.source_text import Text

#: Signs that a text may have after its macros are replaced, and how often they are.
LARGEST, MOST, DEEPEST = 400_000, 20_000, 60
_DEFINES = re.compile(
    r"\\(?P<kind>(?:re|provide)?newcommand|renewcommand|providecommand|DeclareRobustCommand|DeclareMathOperator"
    r"|DeclarePairedDelimiterX?|newtheorem|spnewtheorem|declaretheorem|g?def|let|newenvironment|renewenvironment)"
    r"(?![A-Za-z])(?P<star>\*?)"
)
_NAME = re.compile(r"\\(?:[A-Za-z@]+|.)", re.DOTALL)
#: They change how a formula looks; their argument says what it says.
_TRANSPARENT = {
    r"\ensuremath",
    r"\boxed",
    r"\mathstrut",
    r"\mathopen",
    r"\mathclose",
    r"\mathrel",
    r"\mathbin",
    r"\mathord",
    r"\mathinner",
    r"\smash",
    r"\lefteqn",
    r"\underline",
    r"\cancel",
}
#: They stand for nothing in a formula.
_NOTHING = {
    r"\xspace",
    r"\protect",
    r"\relax",
    r"\noindent",
    r"\mathstrut",
    r"\strut",
    r"\normalsize",
    r"\small",
    r"\footnotesize",
    r"\leavevmode",
    r"\unskip",
    r"\ignorespaces",
}


_BRACES = (r"\underbrace", r"\overbrace", r"\underbracket", r"\overbracket")
_AT_BRACE = {name: re.compile(r"\s*_\s*\{?" if "under" in name else r"\s*\^\s*\{?") for name in _BRACES}


_SUM_BEFORE = re.compile(r"(?:^|[+=<>(,{&]|\\[lg]eq?(?:slant)?|\\\\|\\q?quad|\\coloneqq)[\s&]*$")
_SUM_BEHIND = re.compile(
    r"[\s&]*(?:$|[-+=<>),.;}]|\\[lg]eq?(?:slant)?(?![A-Za-z])|\\\\|\\q?quad|\\(?:end|label|tag)\b)"
)


_BEGIN = re.compile(r"\\begin\s*\{document\}")


class EndlessMacro(ValueError):
    """A macro that stands for itself, or for too much; the message is one line."""


@dataclass(frozen=True)
class Macro:
    """``count`` arguments, the first of which may have a default; its body has #1, #2, ... in it."""

    body: str
    count: int = 0
    default: str | None = None


_PACKAGES = {name: Macro(body, count) for name, (count, body) in COMMANDS.items()}


@dataclass
class Macros:
    """The macros of a document, and its environments for theorems."""

    known: dict[str, Macro] = field(default_factory=dict)
    theorems: dict[str, str] = field(default_factory=dict)
    #: environments that begin with the word Proof
    proofs: set[str] = field(default_factory=set)
    #: macros that stand for another thing from some place of the text on, perhaps within braces
    changing: set[str] = field(default_factory=set)

    def expand(self, text: Text) -> Text:
        """The text without macros; EndlessMacro where they have no end."""
        return _Expansion(self.known, self.changing).whole(text)


class _Expansion:
    def __init__(self, known: dict[str, Macro], changing: set[str] | None = None) -> None:
        self.known, self.changing, self.done, self.size = known, changing or set(), 0, 0

    def without_brace(self, text: Text, name: str, at: int, end: int) -> tuple[Text, int] | None:
        r"""\underbrace{x + y}_{=: z}: what stands over the brace; what is written at it is about the formula."""
        begin = _skip_space(text.signs, end)
        if name not in _BRACES or text.signs[begin : begin + 1] != "{":
            return None
        close = closing(text.signs, begin)
        found = _AT_BRACE[name].match(text.signs, close + 1)
        last = close + 1
        if found is not None:
            last = closing(text.signs, found.end() - 1) + 1 if found.group().endswith("{") else found.end() + 1
            if re.search(r"[<>]|\\[lg]eq?(?![A-Za-z])|(?<!:)=(?!:)", text.signs[found.end() : last]):
                return None  # it claims something, which would be lost
        alone = _SUM_BEFORE.search(text.signs[:at]) and _SUM_BEHIND.match(text.signs, last)
        # a sum beside a factor keeps its braces, which are refused, since they do not show
        return text[begin + 1 : close] if alone else text[begin : close + 1], last

    def of_packages(self, name: str, signs: str, at: int) -> Macro | None:
        """What a command of a package stands for, that the paper does not define itself."""
        if name == r"\num" and (number := number_written(signs, at)) is not None:
            return Macro(number[0])
        return _PACKAGES.get(name)

    def whole(self, text: Text, depth: int = 0) -> Text:
        parts: list[Text] = []
        last, at, signs = 0, 0, text.signs
        while True:
            at = signs.find("\\", at)
            if at < 0:
                break
            found = _NAME.match(signs, at)
            if found is None:
                break
            name = found.group()
            if name in self.changing:
                raise EndlessMacro(f"{name} is defined in two ways in this text; give one of them another name")
            braced = self.without_brace(text, name, at, found.end()) if name not in self.known else None
            if braced is not None:
                parts += [text[last:at], self.whole(braced[0], depth + 1)]
                at = last = braced[1]
                continue
            macro = self.known.get(name) or self.of_packages(name, signs, found.end())
            if macro is None and name not in _TRANSPARENT and name not in _NOTHING and not (
                name == r"\qty" and is_grouping(signs, found.end(), closing(signs, found.end()))
            ):
                at = found.end()
                continue
            parts.append(text[last:at])
            if macro is None:
                at = last = found.end()
                continue
            self.done += 1
            if self.done > MOST or depth > DEEPEST:
                raise EndlessMacro(f"{name} stands for itself, or for too much")
            arguments, last = _arguments(text, found.end(), macro)
            if name == r"\num" and name not in self.known:
                last = closing(signs, found.end()) + 1
            put_in = self.whole(_filled(macro.body, arguments, text.at(at)), depth + 1)
            script = _SCRIPT.search(signs[:at])
            if script is not None and not _is_one_thing(put_in.signs):
                raise EndlessMacro(
                    f"of {name} behind {script[1]} only the first sign is raised or lowered; "
                    f"write {script[1]}{{{name}}}"
                )
            if (
                last < len(signs)
                and put_in.signs[-1:].isalpha()
                and signs[last].isalpha()
                and re.search(r"\\[A-Za-z]+$", put_in.signs)
            ):
                put_in = Text.joined(
                    [put_in, Text(" ", array("L", [text.at(at)]))]
                )  # \varepsilon{}x, not \varepsilonx
            parts.append(put_in)
            self.size += len(put_in)
            if self.size > LARGEST:
                raise EndlessMacro(f"with what {name} stands for, the text grows too large")
            at = last
        return text if not parts else Text.joined([*parts, text[last:]])


_SCRIPT = re.compile(r"(?<!\\)([_^])\s*$")


def _is_one_thing(signs: str) -> bool:
    r"""Whether a script without braces takes all of it: a sign, a group, a command with its groups.

    >>> [_is_one_thing(s) for s in ("x", r"\alpha", "{1/2}", r"\mathbb{R}", "1/2", "12", "-x")]
    [True, True, True, True, False, False, False]
    """
    rest = signs.strip()
    command = re.match(r"\\(?:[A-Za-z]+\*?|.)\s*", rest)
    if command is None and not rest.startswith("{"):
        return len(rest) <= 1
    rest = rest[command.end() :] if command else rest
    while rest.startswith(("{", "[")):
        rest = rest[closing(rest, 0, rest[0], "}" if rest[0] == "{" else "]") + 1 :].lstrip()
    return not rest


def _filled(body: str, arguments: list[Text], call: int) -> Text:
    parts, last = [], 0

    def own(piece: str) -> Text:
        return Text(piece, array("L", [call] * len(piece)))

    for hole in re.finditer(r"#([1-9])", body):
        parts.append(own(body[last : hole.start()]))
        number = int(hole[1]) - 1
        if number < len(arguments):
            if arguments[number].signs[:1].isalpha() and re.search(r"\\[A-Za-z]+$", body[last : hole.start()]):
                parts.append(own(" "))  # \lVert#1 of x is \lVert x, not \lVertx
            parts.append(arguments[number])
        last = hole.end()
    return Text.joined([*parts, own(body[last:])])


def _arguments(text: Text, at: int, macro: Macro) -> tuple[list[Text], int]:
    found: list[Text] = []
    signs = text.signs
    if signs[at : at + 1] == "*" and macro.body.startswith(r"\left"):  # \abs*{x}, of a paired delimiter
        at += 1
    if macro.count and macro.default is not None:
        after = _skip_space(signs, at)
        if signs[after : after + 1] == "[":
            end = closing(signs, after, "[", "]")
            found.append(text[after + 1 : end])
            at = end + 1
        else:
            found.append(Text(macro.default, array("L", [text.at(at)] * len(macro.default))))
    while len(found) < macro.count:
        after = _skip_space(signs, at)
        if after >= len(signs):
            break
        if signs[after] == "{":
            end = closing(signs, after)
            found.append(text[after + 1 : end])
            at = end + 1
        else:
            name = _NAME.match(signs, after) if signs[after] == "\\" else None
            at = name.end() if name else after + 1
            found.append(text[after:at])
    return found, at


def _skip_space(signs: str, at: int) -> int:
    while at < len(signs) and signs[at] in " \t\r\n":
        at += 1
    return at


def closing(signs: str, at: int, opening: str = "{", close: str = "}") -> int:
    """The place of the brace that closes the one there; the end of the text if nothing does."""
    depth, braces = 0, 0
    while at < len(signs):
        sign = signs[at]
        if sign == "\\":
            at += 2
            continue
        if opening != "{" and sign in "{}":
            braces += 1 if sign == "{" else -1
        elif sign == opening and braces == 0:
            depth += 1
        elif sign == close and braces == 0:
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return len(signs)


def definitions(text: Text) -> tuple[Macros, Text]:
    """The macros that a document defines, and its text without their definitions."""
    macros = Macros()
    at = 0
    while True:
        found = _DEFINES.search(text.signs, at)
        if found is None:
            return macros, text
        before = dict(macros.known)
        end = _define(macros, text.signs, found)
        if _BEGIN.search(text.signs, 0, found.start()) or not _BEGIN.search(text.signs):
            macros.changing |= {n for n, m in before.items() if macros.known[n].body != m.body}
        if end is None:
            at = found.end()
            continue
        text = text.blanked(found.start(), end)
        at = end


def _define(macros: Macros, signs: str, found: re.Match[str]) -> int | None:
    """Take up one definition; where it ends, or None if it is none."""
    kind, at = found["kind"], found.end()
    if kind in ("newtheorem", "spnewtheorem", "declaretheorem"):
        return _theorem(macros, signs, at, kind)
    if kind in ("newenvironment", "renewenvironment"):
        end, bodies = at, []
        for _ in range(3):
            end = _skip_space(signs, end)
            while signs[end : end + 1] == "[":
                end = _skip_space(signs, closing(signs, end, "[", "]") + 1)
            if signs[end : end + 1] != "{":
                return None
            begin, end = end, closing(signs, end) + 1
            bodies.append(signs[begin + 1 : end - 1])
        if re.search(r"\bproof\b", bodies[1], re.IGNORECASE):
            macros.proofs.add(bodies[0].strip())
        return end
    at = _skip_space(signs, at)
    braced = signs[at : at + 1] == "{"
    name = _NAME.match(signs, _skip_space(signs, at + 1) if braced else at)
    if name is None:
        return None
    at = _skip_space(signs, closing(signs, at) + 1 if braced else name.end())
    if kind == "let":
        at = _skip_space(signs, at + 1) if signs[at : at + 1] == "=" else at
        other = _NAME.match(signs, at)
        if other is not None and other.group() != name.group():
            macros.known[name.group()] = macros.known.get(other.group(), Macro(other.group()))
        return other.end() if other else None
    if kind in ("def", "gdef"):
        parameters = re.compile(r"((?:#[1-9])*)\s*(?=\{)").match(signs, at)
        if parameters is None:
            return None
        end = closing(signs, parameters.end())
        macros.known[name.group()] = Macro(signs[parameters.end() + 1 : end], parameters[1].count("#"))
        return end + 1
    count, default = 0, None
    if signs[at : at + 1] == "[":
        end = closing(signs, at, "[", "]")
        count = int(signs[at + 1 : end]) if signs[at + 1 : end].strip() in tuple("123456789") else 0
        at = _skip_space(signs, end + 1)
        if signs[at : at + 1] == "[":
            end = closing(signs, at, "[", "]")
            default = signs[at + 1 : end]
            at = _skip_space(signs, end + 1)
    bodies = []
    for _ in range({"DeclarePairedDelimiter": 2, "DeclarePairedDelimiterX": 3}.get(kind, 1)):
        at = _skip_space(signs, at)
        if signs[at : at + 1] == "{":
            end = closing(signs, at)
            bodies.append(signs[at + 1 : end])
            at = end + 1
        elif (one := _NAME.match(signs, at)) is not None:
            bodies.append(one.group())
            at = one.end()
        else:
            return None
    if kind.startswith("DeclarePaired"):
        inside = bodies[2] if len(bodies) > 2 else "#2"
        if len(bodies) > 2:
            inside = re.sub(r"#([1-8])", lambda m: f"#{int(m[1]) + 1}", inside).replace(r"\delimsize", "")
        macros.known[name.group()] = Macro(rf"\left{bodies[0]} {inside} \right{bodies[1]}", 1 + (count or 1), "")
    elif kind == "DeclareMathOperator":
        word = re.sub(
            r"\\[,;:! ]|[\s{}]|\\(?:rm|mathrm|mathsf|mathbf|mathbb|mathcal|mathop|text|bf|sf)(?![A-Za-z])",
            "",
            bodies[0],
        )
        macros.known[name.group()] = Macro(rf"\operatorname{{{word}}}")
    elif not (kind == "providecommand" and name.group() in macros.known):
        macros.known[name.group()] = Macro(bodies[0], count, default)
    return at


def _theorem(macros: Macros, signs: str, at: int, kind: str) -> int | None:
    at = _skip_space(signs, at)
    if kind == "declaretheorem" and signs[at : at + 1] == "[":
        at = _skip_space(signs, closing(signs, at, "[", "]") + 1)
    if signs[at : at + 1] != "{":
        return None
    end = closing(signs, at)
    name, title = signs[at + 1 : end].strip(), ""
    at = end + 1
    while (after := _skip_space(signs, at)) < len(signs) and signs[after] in "[{":
        pair = ("[", "]") if signs[after] == "[" else ("{", "}")
        if "\n\n" in signs[at:after]:
            break
        end = closing(signs, after, *pair)
        if pair[0] == "{":
            title = title or signs[after + 1 : end].strip()
        at = end + 1
        if pair[0] == "{" and kind == "newtheorem":
            after = _skip_space(signs, at)
            if signs[after : after + 1] == "[" and "\n" not in signs[at:after]:
                at = closing(signs, after, "[", "]") + 1
            break
    macros.theorems[name] = title or name
    return at
