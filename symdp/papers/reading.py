r"""A document -> its relations in order, each with what is in force there; what needs no judge has its verdict here.

>>> from symdp.papers.source_text import Sources
>>> sources = Sources()
>>> text = sources.add("p.tex", r"Let $x > 0$ and set $c = 2x$. Then $$c \le 3x + 1/2\sigma^2.$$")
>>> [(e.verdict, e.tex) if isinstance(e, Finding) else e for e in read_document(sources, text)]
[('assumption', 'x > 0'), ('definition', 'c = 2x'), ('unread', 'c \\le 3x + 1/2\\sigma^2')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sympy import Expr, Integer, Symbol

from symdp.arguments.reading.latex_tokens import LatexError, Token
from symdp.formulas.notation import symbol
from symdp.formulas.parsing import ParseError, parse_conditions
from symdp.formulas.relation import MIRROR, Op, Relation
from symdp.formulas.vocabulary import is_variable
from symdp.papers.chains import Aside, Display, Unread, chains_of, is_simple
from symdp.papers.conditions import Condition, condition_of
from symdp.papers.context import Frame, Hypothesis, InForce, Meaning, in_force
from symdp.papers.elsewhere import (
    EXCLUDES,
    EXISTS,
    RESTRICTS,
    SHARES,
    Saying,
    Spot,
    is_restricted,
    letter_of,
    letters,
    said_of_all,
    unread_condition,
    with_sayings,
)
from symdp.papers.finding import Finding
from symdp.papers.macros import EndlessMacro
from symdp.papers.quantities import PaperReader, Quantities
from symdp.papers.roles import CLAIMS, DENIES, declared, goes_on, kind_said, role_of
from symdp.papers.rows import (
    COMPARED,
    DEFINES,
    RELATIONS,
    ROUGHLY,
    RowChain,
    Side,
    at_top,
    tokens_of,
)
from symdp.papers.source_text import Sources, Text
from symdp.papers.walking import (
    Directive,
    EnvironmentEnd,
    Item,
    Label,
    Math,
    Opened,
    Paragraph,
    Words,
    walk,
)
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.sources.derivations.expressions import relation_variables, variables_of
from symdp.sources.derivations.scope import related

#: Seconds in which one side must have become a formula; signs of a display.
READING, LARGEST = 5.0, 40_000
_ABBREVIATIONS = (
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\bEq\.)(?<!\bThm\.)(?<!\bresp\.)(?<!\bw\.r\.t\.)(?<!\bvs\.)"
)
_END = re.compile(rf"(?<=[.!?]){_ABBREVIATIONS}(?:\s+(?=[A-Z(\"`'0-9])|\s*$)|(?<=^[.!?])(?:\s+|$)")
_ORDERS = {"O", "o", r"\Theta", r"\Omega", r"\mathcal", r"\mathrm", r"\operatorname", r"\tilde", r"\widetilde"}
#: Signs of relations that are not judged, and yet say where a name lives.
_ROUGH = re.compile(r"\\(?:ll|gg|neq?|not|to|approx|sim|simeq|rightarrow|nmid|mid|equiv)(?![A-Za-z])")
#: A relation above a sign, or in the place of a number of a display.
_ABOVE = re.compile(
    r"\\(?:overset|stackrel|underset|tag\*?|underbrace)\s*\{[^{}]*(?:[<>=]|\\[lg]eq?(?![A-Za-z]))[^{}]*\}"
)
_PUT = re.compile(
    r"\b(?:put|set|let|write|putting|setting|letting|writing|substitute|choose|pick)\b[^.]*$", re.IGNORECASE
)
_OPPOSITE: dict[str, Op] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_ASSUMES = ("let", "suppose", "for", "if", "where", "since", "case", "noun", "require")


#: What is said with these holds from there to the end.
_EVERYWHERE = re.compile(
    r"\b(?:throughout|from here on|in what follows|always|from now on|in the sequel)\b", re.IGNORECASE
)
_EVERY_PROOF = re.compile(
    r"\b(?:every|all|each)(?: of)?(?: our| the)? (?:proofs?|lemmas?|theorems?|sections?|results?) assumes?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Work:
    """A chain for the judge: its sides (None where one is not read), its signs, and a finding for each of them."""

    findings: tuple[Finding, ...]
    sides: tuple[Expr | None, ...]
    needs: tuple[tuple[Expr, ...], ...]
    ops: tuple[Op | None, ...]
    contexts: tuple[InForce, ...]
    #: what is known of quantities with a name, and how they are typed
    facts: tuple[Relation, ...] = ()
    typed: tuple[tuple[str, str], ...] = ()
    #: the words before it say that it is claimed; the sentence may deny it; a step from a premise
    explicit: bool = False
    denied: bool = False
    premise: tuple[Relation, ...] = ()
    #: integrals and infinite sums whose values were computed, by code that is not the kernel's
    computed: tuple[str, ...] = ()


    @property
    def claimed(self) -> frozenset[Relation]:
        """What it claims itself, which is no reason for it."""
        return frozenset(
            Relation(left, op, right)
            for left, op, right in zip(self.sides, self.ops, self.sides[1:], strict=False)
            if op is not None and left is not None and right is not None
        )


Entry = Finding | Work


def read_document(sources: Sources, text: Text) -> list[Entry]:
    """Everything that a document claims, defines and assumes, in the order of its text."""
    reading = _PaperReading(sources, text)
    reading.prepare()
    reading.run()
    reading.count_on()
    return reading.entries


@dataclass
class _Part:
    """A formula in its sentence."""

    formula: Math
    before: str
    after: str
    display: Display | None
    role: str = "claim"
    broken: str = ""
    condition: Hypothesis | None = None
    #: of a definition: the name and what it stands for
    defined: tuple[Symbol, Meaning] | None = None
    text: Text | None = None


class _PaperReading:
    def __init__(self, sources: Sources, text: Text) -> None:
        self.sources = sources
        self.walk = walk(text)
        self.entries: list[Entry] = []
        self.book = Quantities()
        self.frames = [Frame("document", -1)]
        self.sentence: list[Words | Math] = []
        self.home = self.frames[0]
        #: whether the name before was said to be an integer: and so are others
        self.whole = False
        #: in a section of preliminaries, whose notation is that of the whole
        self.preliminary = False
        self.theorem: Frame | None = None
        self.labelled: dict[str, Frame] = {}
        self.seen: set[Symbol] = set()
        self.softly: list[Relation] = []
        self.since: list[Relation] = []
        #: what was quantified in the sentences of this paragraph
        self.paragraph: list[Hypothesis] = []
        self.paragraphs = 0
        #: everything that is said of names, and where the chains stand
        self.sayings: list[Saying] = []
        self.places: dict[int, Spot] = {}
        self.expanded: dict[int, Text | str] = {}
        self.orders: dict[int, str] = {}
        self.directives: dict[int, str] = {}
        for origin, why in sources.refused:
            place = sources.place(origin)
            self.entries.append(Finding(place.file, place.line, place.column, r"\input", "", "unread", message=why))

    # --- the whole document first: which names are numbers, which are functions

    def prepare(self) -> None:
        said = self.walk.words.lower()
        self.book.binary_logarithms = (
            re.search(
                r"log\w*\b[^.]{0,40}\b(?:base|to the base)\s*(?:two|2)\b|binary log|base-2 log",
                said,
            )
            is not None
        )
        deltas: dict[str, int] = {}
        alone = 0
        for item in self.walk.items:
            if isinstance(item, Directive):
                self.direct(item)
            if not isinstance(item, Math):
                continue
            try:
                text: Text | str = self.walk.macros.expand(item.body)
            except EndlessMacro as reason:
                text = str(reason)
            self.expanded[id(item)] = text
            if isinstance(text, str) or len(text) > LARGEST:
                continue
            for piece in re.split(r"\\\\|&", text.signs):
                with suppress(LatexError, RecursionError):
                    given = tokens_of(Text(piece, text.origins[: len(piece)]))
                    self.survey(given)
                    for i, t in enumerate(given):
                        if t.text == r"\Delta" and t.kind == "command":
                            after = given[i + 1] if i + 1 < len(given) else None
                            if after is not None and (after.kind == "letter"):
                                deltas[f"\\Delta {after.text}"] = deltas.get(f"\\Delta {after.text}", 0) + 1
                            else:
                                alone += 1
        if not alone:
            self.book.changes = {pair for pair in deltas if pair.split()[1] not in self.book.numbers}

    def survey(self, given: list[Token]) -> None:
        """Which names stand alone as numbers in a formula, and which are applied."""
        if not any(t.text in RELATIONS or t.text in ("+", "-", "/", r"\frac", r"\in") for t in given):
            return
        reader = PaperReader.of("", Quantities(), [*given, Token("end", "", 0)])
        hidden = 0
        for place, token in enumerate(given):
            if place < hidden:
                continue
            if token.text in (r"\Pr", r"\mathbb", r"\mathbf", r"\mathcal", r"\mathrm", r"\operatorname", r"\mathsf"):
                after = place + 1
                while (
                    after < len(given)
                    and given[after].text not in ("[", "(", r"\left")
                    and given[after].text in ("{", "}", "_")
                ) or (after < len(given) and given[after].kind == "letter" and after < place + 8):
                    after += 1
                hidden = after
                with suppress(LatexError):
                    if after < len(given):
                        hidden = max(after, reader.brackets(after))
                continue
            name = token.text.lstrip("\\")
            if token.kind != "letter" and not (token.kind == "command" and reader.is_name(token)):
                continue
            after = reader.behind_scripts(place + 1)
            applied = after < len(given) and given[after].text == "("
            if not applied:
                applied = after + 1 < len(given) and given[after].text == r"\left" and given[after + 1].text == "("
            scripted = reader.written(place, after)
            if not applied:
                if after == place + 1 or given[place + 1].text != "'":
                    self.book.numbers.add(name)
                self.book.numbers.add(scripted)
                continue
            opening = after + (given[after].text == r"\left")
            inside = given[opening + 1 : opening + 3]
            if len(inside) == 2 and inside[0].kind in ("letter", "command") and inside[1].text in (")", r"\right"):
                self.book.applied.add(scripted)

    def direct(self, directive: Directive) -> None:
        line = self.sources.place(directive.origin).line
        self.directives[line] = directive.text

    # --- from beginning to end

    def run(self) -> None:
        for place, item in enumerate(self.walk.items):
            self.take(item, self.walk.items[place + 1] if place + 1 < len(self.walk.items) else None)
        self.flush()

    def take(self, item: Item, after: Item | None) -> None:
        if isinstance(item, Words):
            pieces = [p for p in _END.split(item.text) if p is not None]
            for number, piece in enumerate(pieces):
                if piece.strip():
                    self.sentence.append(replace(item, text=piece))
                if number < len(pieces) - 1:
                    self.flush()
        elif isinstance(item, Math):
            self.sentence.append(item)
            ends = item.body.signs.rstrip().rstrip("$").rstrip()
            ends = re.sub(
                r"(?:\\end\{\w+\*?\}|\\(?:label|tag)\{[^{}]*\}|\\(?:nonumber|notag|qedhere)|\s)+$", "", ends
            )
            lower = isinstance(after, Words) and after.text[:1].islower()
            if not item.inline and ends.endswith(".") and not lower:
                self.flush()
        elif isinstance(item, Directive):
            self.assume(item)
        elif isinstance(item, Label):
            self.frames[-1].labels.append(item.name)
            self.labelled[item.name] = self.frames[-1]
        elif isinstance(item, Opened):
            self.flush()
            if item.kind != "other":
                self.paragraph, self.since = [], []
            self.open(item)
        elif isinstance(item, EnvironmentEnd):
            self.flush()
            if item.kind != "other":
                self.paragraph, self.since = [], []
            self.close(item)
        elif isinstance(item, Paragraph):
            self.flush()
            self.paragraph = []
            self.paragraphs += 1

    def open(self, item: Opened) -> None:
        if item.kind == "section":
            while len(self.frames) > 1 and (self.frames[-1].level >= item.level):
                self.frames.pop()
            self.frames.append(Frame("section", item.level))
            self.preliminary = (
                re.search(r"prelim|notation|set-?up|setting|background|convention", item.title, re.IGNORECASE)
                is not None
            )
            self.theorem = None if item.level <= 4 else self.theorem
            self.entitled(item)
        elif item.kind == "theorem":
            supposes = re.match(r"assum|hypoth|condition|setting|ass?$", item.name, re.IGNORECASE) is not None
            lasting = supposes or re.match(r"def|notation", item.name, re.IGNORECASE) is not None
            self.frames.append(Frame("theorem", lasting=lasting, supposes=supposes))
            self.theorem = self.frames[-1]
            self.entitled(item)
        elif item.kind == "proof":
            frame = Frame("proof")
            of = next((self.labelled[r] for r in item.refs if r in self.labelled), self.theorem)
            if of is not None:
                kinds = {"for": "suppose", "noun": "suppose", "if": "suppose", "case": "suppose"}
                frame.hypotheses += [replace(h, kind=kinds.get(h.kind, h.kind)) for h in of.hypotheses]
                frame.meanings.update(of.meanings)
                frame.of = of.number
            self.frames.append(frame)
        elif item.kind == "other":
            self.frames.append(Frame("other"))

    def close(self, item: EnvironmentEnd) -> None:
        for place in range(len(self.frames) - 1, 0, -1):
            if self.frames[place].kind == item.kind:
                kept = self.frames[place]
                del self.frames[place:]
                if item.kind == "other":  # lists and centred text end nothing
                    self.frames[-1].hypotheses += kept.hypotheses
                    self.frames[-1].meanings.update(kept.meanings)
                elif kept.lasting:
                    self.frames[-1].meanings.update(kept.meanings)
                    self.sayings += [Saying(h, self.place()) for h in kept.hypotheses]
                return
            if self.frames[place].kind == "section":
                return

    def assume(self, item: Directive) -> None:
        word, _, rest = item.text.partition(" ")
        place = self.sources.place(item.origin)
        if word not in ("ignore", "expect"):
            self.flush()
        if word == "integer":
            names = [symbol(n) for n in re.split(r"[\s,]+", rest) if is_variable(n)]
            condition = Condition(integers=frozenset(names), names=frozenset(names))
        elif word == "real":
            condition = Condition(names=frozenset(symbol(n) for n in re.split(r"[\s,]+", rest) if is_variable(n)))
        elif word == "assume":
            try:
                condition = condition_of(rest, self.book) if "\\" in rest else _plain(rest)
            except (LatexError, ParseError) as reason:
                self.entries.append(
                    Finding(
                        place.file,
                        place.line,
                        place.column,
                        item.text,
                        "",
                        "unread",
                        message=f"the comment is not read: {reason}",
                    )
                )
                return
        else:
            if word not in ("ignore", "expect"):
                self.entries.append(
                    Finding(
                        place.file,
                        place.line,
                        place.column,
                        item.text,
                        "",
                        "unread",
                        message=f"{word!r} is not understood; known are assume, integer, real, ignore, expect",
                    )
                )
            return
        self.frames[-1].hypotheses.append(Hypothesis(condition, rest, place.line, "suppose"))
        if word == "assume":
            self.entries.append(
                Finding(
                    place.file, place.line, place.column, rest, "; ".join(map(str, condition.relations)), "assumption"
                )
            )

    # --- what is said elsewhere, or in words

    def place(self) -> Spot:
        return Spot.among(self.frames, self.paragraphs)

    def note(self, hypothesis: Hypothesis) -> None:
        self.sayings.append(Saying(hypothesis, self.place()))

    def in_words(self, tex: str, words: str, origin: int, kind: str = "words") -> None:
        """Something is said of the names of a formula that is not read."""
        line = self.sources.place(origin).line
        self.note(Hypothesis(Condition(), " ".join(words.split())[-80:], line, kind, letters(tex)))

    def entitled(self, item: Opened) -> None:
        """A title that says of which values it speaks."""
        for typed in re.findall(r"\$([^$]*)\$", item.title):
            if re.search(r"[<>=]|\\[a-z]", typed) or RESTRICTS.search(item.title):
                self.in_words(typed, item.title, item.origin)

    def spoken(self, parts: Sequence[_Part]) -> None:
        """Restrictions in the words beside names."""
        together = ""
        for part in parts:
            if part.text is None or not part.formula.inline:
                together = ""
                continue
            typed = part.text.signs
            together = f"{together} {typed}" if together and role_of(part.before) is None else typed
            subject = part.role != "claim" or self.is_simple(part) or self.is_bare(part)
            before = " ".join(part.before.split()[-3:])
            after = " ".join(re.split(r"[,;:.]", part.after)[0].split()[:7])
            if subject and (SHARES.search(before) or SHARES.search(after)):
                self.share(part)
            told = subject and is_restricted(before, after)
            if told or (part.role == "claim" and _ROUGH.search(typed) and len(typed) < 40):
                passing = re.search(r"\b(?:for|if|when|whenever|once|every|all|any|each|as)\b", before, re.IGNORECASE)
                kind = "if" if passing and not re.search(r"\bthat\b", before) else "words"
                self.in_words(together, f"{before} {typed} {after}", part.formula.body.at(0), kind)

    def share(self, part: _Part) -> None:
        """A fraction of something lies between 0 and 1."""
        typed, line = _shown(part.formula.body), self.sources.place(part.formula.body.at(0)).line
        with suppress(LatexError, IndexError, RecursionError):
            names = condition_of(typed, self.book).names if self.says(part) else {
                reader.whole(reader.name) for reader in (PaperReader.of(t, self.book) for t in typed.split(","))
            }
            bounds = tuple(r for n in names for r in (Relation(n, ">=", Integer(0)), Relation(n, "<=", Integer(1))))
            self.note(Hypothesis(Condition(perhaps=bounds), typed, line, "words"))

    def is_bare(self, part: _Part) -> bool:
        """Names alone, perhaps several."""
        if part.text is None or self.says(part):
            return False
        try:
            for piece in part.text.signs.strip(" ()").split(","):
                reader = PaperReader.of(piece, self.book)
                reader.whole(reader.name)
        except (LatexError, IndexError, RecursionError):
            return False
        return True

    def unread_words(self, parts: Sequence[_Part], whole: str) -> list[Hypothesis]:
        """Conditions of a sentence that are said without a formula, of whatever stands in it."""
        said = unread_condition(whole)
        for part in parts:
            typed = part.text.signs.strip() if part.text is not None and part.formula.inline else ""
            if re.fullmatch(r"[\[(][^()\[\]]*,[^()\[\]]*[\])]", typed) or (_ROUGH.search(typed) and len(typed) < 40):
                said = said or typed  # on [0, 1], as n goes to infinity
        found = []
        for part in parts:
            if part.text is None:
                continue
            inside = " ".join(re.findall(r"\\(?:text\w*|mbox|hbox)\s*\{([^{}]*)\}", part.text.signs))
            above = _ABOVE.search(part.text.signs)
            beside = inside if RESTRICTS.search(inside) or unread_condition(inside) else ""
            words = said or (above.group() if above else "") or beside
            if words:
                line = self.sources.place(part.formula.body.at(0)).line
                found.append(Hypothesis(Condition(), words[:80], line, "words", letters(part.text.signs)))
        return found

    def count_on(self) -> None:
        """Each chain with what is said of its names in places whose scope is uncertain."""
        told = (said_of_all(item.text) for item in self.walk.items if isinstance(item, Words))
        of_all = next(filter(None, told), "")
        for number, entry in enumerate(self.entries):
            if not isinstance(entry, Work):
                continue
            at = self.places[number]
            contexts = []
            for context in entry.contexts:
                names = frozenset().union(*(variables_of(e) for e in entry.sides if e is not None))
                for name in names & context.meanings.keys():
                    names |= variables_of(context.meanings[name].value)
                names = names.union(*(relation_variables(r) for r in related(context.relations, names)))
                context = with_sayings(context, names, at, self.sayings, entry.claimed)
                if of_all:
                    unread = Hypothesis(Condition(), of_all, 1, "words", frozenset(map(letter_of, names)))
                    context = replace(context, vague=(*context.vague, unread))
                contexts.append(context)
            self.entries[number] = replace(entry, contexts=tuple(contexts))

    # --- sentences

    def flush(self) -> None:
        parts, self.sentence = self.sentence, []
        if any(isinstance(p, Math) for p in parts):
            self.say(parts)

    def say(self, items: Sequence[Words | Math]) -> None:
        parts = list(self.parts(items))
        whole = " ".join(p.text if isinstance(p, Words) else "#" for p in items)
        local: list[Hypothesis] = []
        spoken_of: list[Hypothesis] = []
        own: dict[Symbol, Meaning] = {}
        everywhere = (_EVERYWHERE.search(whole) or _EVERY_PROOF.search(whole)) and not re.search(
            r"this (?:section|proof|subsection|appendix|paragraph)|the (?:proof|section)", whole, re.IGNORECASE
        )
        home = self.frames[0] if everywhere or self.preliminary else self.frames[-1]
        if self.frames[-1].kind in ("theorem", "proof") and not everywhere:
            home = self.frames[-1]
        self.home = home
        self.spoken(parts)
        for part in parts:
            self.names(part)
            if part.role == "claim" or part.display is None or part.broken:
                continue
            if part.role == "define":
                self.define(part)
                if part.defined is not None:
                    name, meaning = part.defined
                    own[name] = meaning
                    home.meanings[name] = meaning
                else:
                    self.substitute(part, local)
                continue
            self.hypothesis(part)
            if part.condition is None:
                continue
            if EXISTS.search(whole) or re.search(r"\\\||\\l?Vert", part.condition.text):
                self.in_words(part.condition.text, part.condition.text, part.formula.body.at(0))
            if EXCLUDES.search(whole) and part.role in ("case", "if", "noun", "for"):
                self.exclude(part, part.condition)
                if part.role != "if":
                    continue
            self.note(part.condition)
            if part.role in ("let", "suppose", "where", "case", "noun") or self.frames[-1].kind == "theorem":
                if part.role == "case":
                    home.hypotheses = [h for h in home.hypotheses if h.kind != "case"]
                home.hypotheses.append(part.condition)
            if part.role == "since":
                self.since += part.condition.condition.relations
            if part.role in ("for", "if"):
                spoken_of.append(part.condition)
            local.append(part.condition)
        if re.match(
            r"\s*(?:otherwise|conversely|in general|for general|on the other hand|without)", whole, re.IGNORECASE
        ):
            self.paragraph = []
        context = in_force(self.frames, local, own)
        known = frozenset().union(*(h.condition.names for h in context.hypotheses if h.condition.relations))
        known |= context.meanings.keys()
        # what the paragraph has quantified before, where nothing else is said of its names
        before = [h for h in self.paragraph if not h.condition.names & known]
        local = [*before, *local, *self.unread_words(parts, whole)]
        self.paragraph += spoken_of
        denied = DENIES.search(whole) is not None
        said = ""
        behind = [p.condition for p in parts if p.condition is not None]
        for part in parts:
            said += " " + part.before
            # an equation behind a claim says when it is sharp, or where it is used
            mine = [h for h in local if h not in behind or not any(r.op == "==" for r in h.condition.relations)]
            self.emit(part, mine, own, denied, said)
            said += " #"
            if part.condition is not None and part.condition in behind:
                behind.remove(part.condition)

    def parts(self, items: Sequence[Words | Math]) -> Iterator[_Part]:
        before, previous, so_are = "", "", False
        listed = ""
        for place, item in enumerate(items):
            if isinstance(item, Words):
                before += " " + item.text
                continue
            after = items[place + 1] if place + 1 < len(items) else None
            part = self.part(item, before.strip(), after.text if isinstance(after, Words) else "")
            related = self.says(part)
            role = role_of(before)
            if listed in ("let", "suppose", "where", "noun") and item.inline and goes_on(before):
                role = None if self.is_simple(part) else role
            if role is None:
                role = listed or "claim"
                if (
                    listed in ("let", "suppose", "require")
                    and related
                    and not item.inline
                    and not re.search(r"\b(?:and|or)\b", before)
                ):
                    role = "claim"
                if listed in ("for", "if", "where", "since", "noun", "case", "define") and related:
                    joined = re.search(r"\b(?:and|or)\b", before) is not None
                    simple = item.inline and self.is_simple(part)
                    if (not item.inline and not joined) or (item.inline and not simple and not joined):
                        role = "claim"
                    elif listed == "define" and not self.is_equation(part):
                        role = "where"
            if re.search(r"\bcase\b[^.,]*$", before, re.IGNORECASE) and role in ("if", "plain"):
                role = "case"
            if role == "plain":
                # a parameter q in (0,1): the noun before a simple bound makes it a condition
                role = (
                    "noun" if item.inline and self.is_simple(part) and not previous.startswith("claim") else "claim"
                )
            if not item.inline and role in ("where", "since", "for", "noun", "if"):
                # a display is what is claimed, unless the word right before it says otherwise
                immediate = re.search(
                    r"\b(?:if|when|whenever|where|such that|satisfying|provided(?: that)?)\s*$", before, re.IGNORECASE
                )
                role = (
                    ("define" if self.is_equation(part) else role)
                    if immediate or (role == "where" and self.is_equation(part) and re.search(r"\bwith\s*$", before))
                    else "claim"
                )
            if role in ("let", "require") and self.is_equation(part):
                role = "define" if role == "let" else "claim"
            if role in ("where", "noun") and self.is_equation(part) and not self.is_simple(part):
                role = "define" if role == "where" else "claim"
            if role == "define" and not self.is_equation(part):
                role = "let"
            if role == "since" and not (item.inline and (self.is_simple(part) or self.is_short(part))):
                role = "claim" if not item.inline else "since"
            if role == "claim" and item.inline and self.is_simple(part) and (
                self.frames[-1].supposes
                or declared(part.before, part.after) is not None or so_are or _EVERYWHERE.search(before)
            ):
                role = "suppose"  # n >= 2 is an integer: what it says of n besides is said of n, too
            so_are = re.search(r"\bso (?:is|are)\s*$", before) is not None or (so_are and role_of(before) is None)
            part.role = role
            if related or role != "claim":
                listed = role
            previous, before = role, ""
            yield part

    def part(self, item: Math, before: str, after: str) -> _Part:
        text = self.expanded.get(id(item))
        if text is None:
            try:
                text = self.walk.macros.expand(item.body)
            except EndlessMacro as reason:
                text = str(reason)
        if isinstance(text, str) or len(text) > LARGEST:
            why = text if isinstance(text, str) else f"a formula of more than {LARGEST} signs"
            return _Part(item, before, after, None, broken=why)
        try:
            return _Part(item, before, after, chains_of(item.environment, text), text=text)
        except RecursionError:
            return _Part(item, before, after, None, broken="nested too deeply")

    def is_simple(self, part: _Part) -> bool:
        """x > 0, 0 < p < 1, x in a set."""
        d = part.display
        if d is None or part.text is None or len(d.chains) + len(d.asides) > 3 or d.unread:
            return False
        with suppress(LatexError):
            given = [t for t in tokens_of(part.text) if t.kind != "gap"]
            return is_simple(given) or (
                len(d.chains) > 1
                and all(
                    is_simple([t for s in c.sides for t in [*s.found, Token("sign", "=", 0)]][:-1]) for c in d.chains
                )
            )
        return False

    def says(self, part: _Part) -> bool:
        """Whether a formula has a relation in it, or puts something into a set."""
        d = part.display
        return d is not None and bool(
            d.asides
            or d.unread
            or any(c.links or any(t.text == r"\in" for s in c.sides for t in s.found) for c in d.chains)
        )

    def is_short(self, part: _Part) -> bool:
        return part.text is not None and len(part.text.signs) < 60

    def is_equation(self, part: _Part) -> bool:
        """name = ..., perhaps a chain of it."""
        d = part.display
        if d is None or len(d.chains) != 1 or not d.chains[0].links:
            return False
        sign = d.chains[0].links[0].sign
        return (COMPARED.get(sign) == "==" or sign in DEFINES) and 0 < len(d.chains[0].sides[0].found) <= 14

    # --- names and what they are

    def names(self, part: _Part) -> None:
        """$n$ between words that say what n is."""
        if part.text is None or part.formula.environment != "$":
            return
        try:
            given = [t for t in tokens_of(part.text) if t.text not in (",",) and t.kind != "gap"]
        except LatexError:
            return
        if not given or any(t.text in RELATIONS or t.text in (r"\in", r"\to", ":") for t in given):
            if given and len(given) > 2 and any(t.text == ":" for t in given[:2]) and given[0].kind == "letter":
                self.book.kinds[given[0].text] = "a function"
            self.integrality(part)
            return
        if len(part.text.signs) > 40:
            return
        said = declared(part.before, part.after)
        kind = kind_said(part.before, part.after)
        found: list[Symbol] = []
        try:
            for piece in part.text.signs.split(","):
                reader = PaperReader.of(piece, self.book)
                found.append(reader.whole(reader.name))
        except (LatexError, IndexError):
            return
        if kind is not None and said is None:
            for name in found:
                if str(name) not in {str(n) for h in self.frames[-1].hypotheses for n in h.condition.names}:
                    self.book.kinds[str(name)] = kind
        elif said is not None:
            whole, sign = said
            low = {
                ">": (">=", 1) if whole else (">", 0),
                ">=": (">=", 0),
                "<": ("<", 0),
                "p": (">=", 0),
                "n": (">=", 0),
            }.get(sign)
            relations = [] if low is None else [Relation(n, low[0], Integer(low[1])) for n in found]  # type: ignore[arg-type]
            perhaps = [Relation(n, ">=", Integer(1)) for n in found] if sign == "n" else []
            if sign == "p":
                relations += [Relation(n, "<=", Integer(1)) for n in found]
            condition = Condition(
                tuple(relations), frozenset(found) if whole else frozenset(), frozenset(found), tuple(perhaps)
            )
            line = self.sources.place(part.formula.body.at(0)).line
            words = f"{part.before} {part.formula.body.signs.strip()} {part.after}".strip()
            kept = Hypothesis(condition, " ".join(words.split())[-80:], line, "let")
            if sign != "!":
                self.home.hypotheses.append(kept)
                self.note(kept)
            else:
                self.in_words(part.text.signs, words, part.formula.body.at(0))
            for name in found:
                self.book.kinds.pop(str(name), None)

    def integrality(self, part: _Part) -> None:
        """$n \\ge 2$ is an integer."""
        said = declared(part.before, part.after)
        if re.search(r"\bso (?:is|are)\s*$", part.before) and self.whole:
            said = (True, "")
        self.whole = said is not None and said[0]
        if said is None or not said[0] or part.text is None:
            return
        with suppress(LatexError, RecursionError):
            condition = condition_of(part.text.signs, self.book)
            line = self.sources.place(part.formula.body.at(0)).line
            words = f"{part.formula.body.signs.strip()} {part.after[:30]}" if part.after else part.before
            said_so = Hypothesis(
                Condition((), condition.names, condition.names), " ".join(words.split()), line, "suppose"
            )
            self.home.hypotheses.append(said_so)
            self.note(said_so)

    # --- conditions and definitions

    def hypothesis(self, part: _Part) -> None:
        """The condition that a formula states; one that is not understood is remembered by its letters."""
        if part.display is None or part.text is None or not self.says(part):
            return
        typed = _shown(part.formula.body)
        line = self.sources.place(part.formula.body.stripped().at(0)).line
        try:
            with hard_deadline(READING):
                given = tokens_of(part.text)
                condition = Condition()
                if part.formula.inline and not any(t.kind == "words" for t in given):
                    condition = condition_of(part.text.signs, self.book, given)
                else:
                    if part.display.unread:
                        raise LatexError(part.text.signs, 0, part.display.unread[0].reason)
                    for chain in part.display.chains:
                        condition += self.condition_of_chain(chain)
                    for aside in part.display.asides:
                        condition += condition_of(aside.text.signs, self.book, aside.found)
        except (LatexError, RecursionError, TimeIsUp) as reason:
            letters = frozenset(re.findall(r"\\[a-zA-Z]+|[A-Za-z]", part.text.signs))
            why = str(reason.args[2]) if isinstance(reason, LatexError) else "it is nested too deeply"
            part.condition = Hypothesis(Condition(), typed, line, part.role, letters)
            part.broken = why
            return
        for name, kind in condition.kinds:
            if name not in {str(s) for h in self.frames[-1].hypotheses for s in h.condition.names}:
                self.book.kinds[name] = kind
        for relation in condition.relations:
            for name in relation.symbols:
                self.book.kinds.pop(str(name), None)
        part.condition = Hypothesis(condition, typed, line, part.role)

    def condition_of_chain(self, chain: RowChain) -> Condition:
        found: list[Token] = []
        text = chain.sides[0].text
        sides = [self.side(s) for s in chain.sides]
        del found, text
        relations = []
        for i, link in enumerate(chain.links):
            op = COMPARED.get(link.sign)
            if op is None or op == ":=":
                raise LatexError(chain.sides[0].text.signs, 0, f"{link.sign} is not read in a condition")
            relations.append(Relation(sides[i][0], op, sides[i + 1][0]))  # type: ignore[arg-type]
        return Condition(tuple(relations), names=frozenset().union(*(r.symbols for r in relations)))

    def define(self, part: _Part) -> None:
        """c = ..., and f(x) = ..., from here on."""
        if part.display is None or not part.display.chains:
            return
        self.defines(part.display.chains[0], part)

    def exclude(self, part: _Part, hypothesis: Hypothesis) -> None:
        """The case x > 1 is trivial: from there on the author may mean x <= 1."""
        relations = hypothesis.condition.relations
        if len(relations) != 1 or relations[0].op not in _OPPOSITE:
            self.in_words(hypothesis.text, hypothesis.text, part.formula.body.at(0))
            return
        (r,) = relations
        left_over = Condition(perhaps=(Relation(r.left, _OPPOSITE[r.op], r.right),))
        self.note(replace(hypothesis, condition=left_over, kind="words"))

    def substitute(self, part: _Part, local: list[Hypothesis]) -> None:
        """b/a = e^{2u}: it holds because it is put so, of names that are free."""
        if part.display is None or len(part.display.chains) != 1:
            return
        typed, line = _shown(part.formula.body), self.sources.place(part.formula.body.stripped().at(0)).line
        try:
            condition = Condition(perhaps=self.condition_of_chain(part.display.chains[0]).relations)
            found = Hypothesis(condition, typed, line, "define")
        except (LatexError, RecursionError):
            found = Hypothesis(Condition(), typed, line, "define", letters(typed))
        self.note(found)
        local.append(found)

    def defines(self, chain: RowChain, part: _Part) -> bool:
        side = chain.sides[0]
        line = self.sources.place(part.formula.body.stripped().at(0)).line
        try:
            value, _ = self.side(chain.sides[1])
        except LatexError:
            return False
        function = self.function_of(side)
        if function is not None:
            name, variables = function
            if not variables_of(value) & set(variables) and value.free_symbols & set(variables):
                return False
            self.book.functions[name] = (variables, value)
        try:
            left, _ = self.side(side)
        except LatexError:
            return False
        if function is not None and left == value:
            return True
        if not isinstance(left, Symbol) or left in variables_of(value):
            return False
        part.defined = (left, Meaning(value, _shown(part.formula.body)[:80], line))
        return True

    def function_of(self, side: Side) -> tuple[str, tuple[Symbol, ...]] | None:
        """f(x) or f(x, y) with names as arguments."""
        found = [t for t in side.found if t.text not in (r"\left", r"\right")]
        reader = PaperReader.of(side.text.signs, Quantities(), [*found, Token("end", "", 0)])
        if len(found) < 4 or found[-1].text != ")" or not (found[0].kind == "letter" or reader.is_name(found[0])):
            return None
        after = reader.behind_scripts(1)
        if found[after].text != "(":
            return None
        inside = found[after + 1 : -1]
        if len(inside) != 1 or (inside[0].kind != "letter" and not reader.is_name(inside[0])):
            return None
        name = reader.written(0, after)
        if found[0].text in self.book.numbers and after == 1:
            return None
        return name, (symbol(inside[0].text.lstrip("\\")),)

    def side(self, side: Side) -> tuple[Expr, tuple[Expr, ...]]:
        """A side of a chain as an expression; LatexError where it is not read."""
        if side.doubt:
            raise LatexError(side.text.signs, side.found[0].at if side.found else 0, side.doubt)
        if not side.found:
            raise LatexError(side.text.signs, 0, "a side of the relation is missing")
        found = [t for t in side.found if t.kind != "gap"]
        while found and found[-1].text in (",", ".", ";"):
            found.pop()
        found = _without_empty_sizes(found)
        if not found:
            raise LatexError(side.text.signs, 0, "a side of the relation is missing")
        reader = PaperReader.of(side.text.signs, self.book, found)
        try:
            with hard_deadline(READING):
                expr: Expr = reader.whole(reader.expression)
                return expr, reader.lost(expr)
        except TimeIsUp:
            raise LatexError(side.text.signs, side.found[0].at, f"not read within {READING:g} s") from None
        except IndexError:
            raise LatexError(side.text.signs, side.found[0].at, "the formula ends too early") from None

    # --- what becomes of a formula

    def emit(self, part: _Part, local: list[Hypothesis], own: dict[Symbol, Meaning], denied: bool, said: str) -> None:
        body = part.formula.body.stripped()
        if part.display is None:
            if re.search(r"[<>=]|\\[lg]eq?(?![A-Za-z])", body.signs):
                self.add(self.finding(body.at(0), body.at(len(body)), _shown(body), "unread", part.broken))
            return
        d = part.display
        if part.role != "claim" and part.role != "define":
            self.emit_assumed(part, d)
            return
        asides: list[tuple[Aside, Hypothesis | None]] = []
        for aside in d.asides:
            asides.append((aside, self.aside(aside)))
        for spoken in d.spoken:
            for condition in self.between(spoken.body):
                local = [*local, condition]
        ordered: list[tuple[int, int, object]] = [(c.row, 0, c) for c in d.chains]
        ordered += [(u.row, 1, u) for u in d.unread] + [(a.row, 2, (a, h)) for a, h in asides]
        last: Relation | None = None
        for _, _, thing in sorted(ordered, key=lambda entry: entry[:2]):
            if isinstance(thing, Unread):
                for _number in range(thing.count):
                    self.add(
                        self.finding(
                            thing.begin, thing.end, thing.tex, "unread", self.located(thing.reason, thing.at)
                        )
                    )
            elif isinstance(thing, RowChain):
                last = self.emit_chain(part, thing, local, own, denied, said, asides, last) or last
            else:
                aside, condition = thing  # type: ignore[misc]
                for _ in range(
                    0 if condition is None else max(1, sum(t.text in RELATIONS for _, t in at_top(aside.found)))
                ):
                    self.add(
                        self.finding(
                            aside.begin,
                            aside.begin + 1,
                            condition.text,
                            "unread" if condition.vague else "assumption",
                            "the condition is not read" if condition.vague else "",
                        )
                    )

    def emit_assumed(self, part: _Part, d: Display) -> None:
        """One finding for each relation of a condition."""
        body = part.formula.body.stripped()
        if part.condition is None:
            return
        signs = sum(len(c.links) for c in d.chains) + sum(u.count for u in d.unread)
        signs += sum(any(t.text == r"\in" for s in c.sides for t in s.found) for c in d.chains if not c.links)
        signs += sum(max(1, sum(t.text in RELATIONS for _, t in at_top(a.found))) for a in d.asides)
        reading = ", ".join(map(str, part.condition.condition.relations))
        for _ in range(max(1, signs)):
            self.add(
                self.finding(
                    body.at(0),
                    body.at(len(body)),
                    _shown(body),
                    "unread" if part.broken else "assumption",
                    f"the condition is not read: {part.broken}" if part.broken else "",
                    reading,
                )
            )

    def aside(self, aside: Aside) -> Hypothesis | None:
        source = aside.text[aside.found[0].at : aside.found[-1].at + len(aside.found[-1].text)]
        line = self.sources.place(source.at(0)).line
        typed = _shown(source)
        try:
            return Hypothesis(
                condition_of(aside.text.signs, self.book, aside.found),
                typed,
                line,
                "if" if aside.kind == "condition" else "since",
            )
        except (LatexError, RecursionError):
            if aside.kind == "reason":
                return None
            letters = frozenset(re.findall(r"\\[a-zA-Z]+|[A-Za-z]", source.signs))
            return Hypothesis(Condition(), typed, line, "if", letters)

    def between(self, body: Text) -> Iterator[Hypothesis]:
        r"""Conditions in \intertext."""
        items = [i for i in walk(body).items if isinstance(i, Words | Math)]
        for item in items:
            if isinstance(item, Math):
                self.expanded.pop(id(item), None)
        for part in self.parts(items):
            if part.role != "claim":
                self.hypothesis(part)
                if part.condition is not None:
                    yield part.condition

    def emit_chain(
        self,
        part: _Part,
        chain: RowChain,
        local: list[Hypothesis],
        own: dict[Symbol, Meaning],
        denied: bool,
        said: str,
        asides: Sequence[tuple[Aside, Hypothesis | None]],
        last: Relation | None,
    ) -> Relation | None:
        if not chain.links:
            return None
        sides: list[Expr | None] = []
        needs: list[tuple[Expr, ...]] = []
        reasons: list[str] = []
        self.prepare_values(in_force(self.frames, local, own))
        self.book.computed.clear()
        first_time = self.begins_definition(part, chain)
        for side in chain.sides:
            try:
                expr, lost = self.side(side)
                sides.append(expr)
                needs.append(lost)
                reasons.append("")
            except (LatexError, RecursionError) as reason:
                at = int(reason.args[1]) if isinstance(reason, LatexError) else 0
                why = str(reason.args[2]) if isinstance(reason, LatexError) else "nested too deeply"
                sides.append(None)
                needs.append(())
                reasons.append(self.located(why, side.text.at(at)))
        findings: list[Finding] = []
        ops: list[Op | None] = []
        contexts: list[InForce] = []
        frames = self.frames
        for i, link in enumerate(chain.links):
            tex = self.typed(chain, i)
            begin = link.begin
            op = COMPARED.get(link.sign)
            verdict, message, reading = "undecided", "", ""
            if self.is_order(chain.sides[i]) or self.is_order(chain.sides[i + 1]) or link.sign in ROUGHLY:
                verdict, message, op = (
                    "asymptotic",
                    "an order of magnitude, not a relation that holds at each point",
                    None,
                )
            elif (i == 0 and first_time) or link.sign in DEFINES or op == ":=":
                verdict, op = "definition", None
            elif op is None:
                verdict, message = "unread", f"{link.sign} is not judged; only = and inequalities are"
            elif sides[i] is None or sides[i + 1] is None:
                verdict, message, op = "unread", reasons[i] or reasons[i + 1], None
            if sides[i] is not None and sides[i + 1] is not None and verdict in ("undecided", "definition"):
                reading = str(Relation(sides[i], op if op and op != ":=" else "==", sides[i + 1]))  # type: ignore[arg-type]
            findings.append(self.finding(begin, max(link.end, begin + 1), tex, verdict, message, reading))
            ops.append(op if findings[-1].verdict == "undecided" else None)  # type: ignore[arg-type]
            row = self.row_of(chain, i, begin)
            mine = [h for a, h in asides if h is not None and a.row == row]
            others = [r for a, h in asides if h is not None and a.row != row for r in h.condition.relations]
            contexts.append(in_force(frames, [*local, *mine], own, [*others, *self.since]))
        for expr in sides:
            if expr is not None:
                self.seen |= variables_of(expr)
        if first_time and part.defined is not None:
            name, meaning = part.defined
            own[name] = meaning
            self.frames[-1].meanings[name] = meaning
        used = {str(v) for e in sides if e is not None for v in variables_of(e)}
        facts = tuple(r for name in sorted(used) for r in self.book.facts.get(name, ()))
        typed = tuple((name, self.book.tex[name]) for name in sorted(used) if name in self.book.tex)
        explicit = CLAIMS.search(said) is not None or bool(chain.words)
        premise = (last,) if chain.implied and last is not None else ()
        if any(op is not None for op in ops):
            self.places[len(self.entries)] = self.place()
            self.bounds_claimed(sides, ops, contexts, findings[0])
            self.entries.append(
                Work(
                    tuple(findings),
                    tuple(sides),
                    tuple(needs),
                    tuple(ops),
                    tuple(contexts),
                    facts,
                    typed,
                    explicit,
                    denied,
                    premise,
                    tuple(sorted(self.book.computed)),
                )
            )
        else:
            self.entries += findings
        good = [
            Relation(sides[i], op, sides[i + 1])
            for i, op in enumerate(ops)
            if op is not None
        ]
        return good[-1] if len(good) == len(ops) == 1 else None

    def bounds_claimed(
        self, sides: list[Expr | None], ops: list[Op | None], contexts: list[InForce], finding: Finding
    ) -> None:
        """x <= 1 of a free name: an author who writes it may count on it elsewhere."""
        for i, op in enumerate(ops):
            left, right = sides[i], sides[i + 1]
            if op is None or left is None or right is None:
                continue
            named = {side for side in (left, right) if isinstance(side, Symbol)}
            plain = all(isinstance(side, Symbol) or side.is_number for side in (left, right))
            if plain and named - contexts[i].meanings.keys():
                condition = Condition(perhaps=(Relation(left, op, right),))
                self.note(Hypothesis(condition, finding.tex, finding.line, "claim"))

    def prepare_values(self, context: InForce) -> None:
        """The signs that integrals and infinite sums may need."""
        positive, below = set(), set()
        for r in context.relations:
            for one, op, other in ((r.left, r.op, r.right), (r.right, MIRROR[r.op], r.left)):
                if isinstance(one, Symbol) and other.is_Rational:
                    if (op == ">" and other >= 0) or (op == ">=" and other > 0):
                        positive.add(one)
                    if (op == "<" and other <= 1) or (op == "<=" and other < 1):
                        below.add(one)
        self.book.positive, self.book.unit = positive, positive & below

    def row_of(self, chain: RowChain, i: int, begin: int) -> int:
        """The row of a link: rows are counted from that of the chain, where they begin elsewhere."""
        begins = list(dict.fromkeys([chain.begin, *(link.begin for link in chain.links)]))
        return chain.row + begins.index(begin)

    def begins_definition(self, part: _Part, chain: RowChain) -> bool:
        """Whether a chain begins with a name that nobody has used before, or gives a free name its value."""
        link = chain.links[0]
        explicit = part.role == "define" or link.sign in DEFINES
        if COMPARED.get(link.sign) != "==" and not explicit:
            return False
        if part.role == "define" and part.display is not None and part.display.chains[0] is not chain:
            return False
        fresh = len(self.book.names)
        function = self.function_of(chain.sides[0])
        try:
            left, _ = self.side(chain.sides[0])
        except LatexError:
            return explicit
        new_quantity = len(self.book.names) > fresh
        if explicit and link.sign not in DEFINES and not isinstance(left, Symbol) and function is None:
            # put b/a = e^{2u}: a substitution holds because it is put so
            return _PUT.search(part.before) is not None and bool(variables_of(left))
        if explicit:
            if part.defined is None:
                self.defines(chain, part)
            return True
        if not isinstance(left, Symbol):
            return False
        if function is not None and function[0] not in self.book.functions and new_quantity:
            return self.defines(chain, part)
        if str(left) in self.book.tex:
            return False
        context = in_force(self.frames, [], {})
        if left in context.meanings:
            return False
        if left in self.seen and left not in context.declared:
            return False
        with suppress(LatexError):
            value, _ = self.side(chain.sides[1])
            if left in variables_of(value):
                return False
            return self.defines(chain, part)
        return False

    def is_order(self, side: Side) -> bool:
        found = side.found
        for place, token in enumerate(found[:-1]):
            if token.kind == "words":
                continue
            after = place + 1
            opened = [t.text for t in found[after : after + 2]]
            applied = opened[:1] == ["("] or opened == [r"\left", "("]
            if token.text in ("O", "o", r"\Theta", r"\Omega") and token.text not in self.book.numbers and applied:
                return True
            if token.text in (r"\mathcal", r"\tilde", r"\widetilde", r"\mathrm") and found[after].text in ("{", "O"):
                inner = [t.text for t in found[after : after + 3]]
                if (
                    inner in (["{", "O", "}"], ["{", "o", "}"])
                    or inner[0] == "O"
                    or inner[1:2] in ([r"\Theta"], [r"\Omega"])
                ):
                    return True
        return False

    # --- findings

    def finding(self, begin: int, end: int, tex: str, verdict: str, message: str = "", reading: str = "") -> Finding:
        place, stop = self.sources.place(begin), self.sources.place(max(end, begin))
        if stop.file != place.file:
            stop = place
        directive = self.directives.get(place.line) or self.directives.get(place.line - 1, "")
        if directive.startswith("ignore"):
            verdict, message = "unread", "left out, as a comment asks"
        return Finding(
            place.file,
            place.line,
            place.column,
            tex,
            reading,
            verdict,
            stop.line,
            stop.column,
            message=" ".join(message.split()),
            expected=directive.startswith("expect refuted"),
        )

    def add(self, finding: Finding) -> None:
        self.entries.append(finding)

    def located(self, reason: str, origin: int) -> str:
        place = self.sources.place(origin)
        return f"{reason} (line {place.line}, column {place.column})"

    def typed(self, chain: RowChain, i: int) -> str:
        """The relation as it was typed, its left side first."""
        return f"{self.source_of(chain.sides[i])} {chain.links[i].sign} {self.source_of(chain.sides[i + 1])}".strip()

    def source_of(self, side: Side) -> str:
        if not side.found:
            return ""
        first, last = side.found[0], side.found[-1]
        start = side.text.at(first.at)
        behind = last.at + (len(last.text) if last.kind != "words" else len(last.text) + len(last.words) + 2)
        stop = side.text.at(behind - 1) + 1
        typed = self.sources.typed(start, stop)
        if typed.endswith("\\"):  # the last sign came from a macro
            typed = self.sources.macro_at(start, stop)
        shown = typed if typed and stop > start else side.text.signs[first.at : behind]
        clean = re.sub(r"(?<!\\)%[^\n]*|\\(?:label|tag)\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])", "", shown)
        return re.sub(r"[\s,.;]+$", "", " ".join(clean.replace("&", " ").replace(r"\\", " ").split()))


def _without_empty_sizes(found: list[Token]) -> list[Token]:
    r"""\left. and \right. belong to brackets that go on in another row."""
    kept: list[Token] = []
    for token in found:
        if token.text == "." and kept and kept[-1].text in (r"\left", r"\right"):
            kept.pop()
            continue
        kept.append(token)
    lefts = sum(t.text == r"\left" for t in kept)
    if lefts != sum(t.text == r"\right" for t in kept):
        kept = [t for t in kept if t.text not in (r"\left", r"\right")]
    return kept


def _shown(body: Text) -> str:
    clean = re.sub(r"\\(?:label|tag)\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])", "", body.signs)
    return re.sub(r"[\s,.;]+$", "", " ".join(clean.split()))


def _plain(text: str) -> Condition:
    relations = tuple(parse_conditions(text))
    return Condition(relations, names=frozenset().union(*(r.symbols for r in relations)))


