r"""A paper while it is read: what is in force at the present place, and what has been found so far."""

from __future__ import annotations

import re
from dataclasses import replace

from sympy import Symbol

from symdp.formulas.relation import Relation
from symdp.papers.finding import Finding
from symdp.papers.formulas.conditions import Condition
from symdp.papers.formulas.members import Span
from symdp.papers.formulas.quantities import Quantities
from symdp.papers.formulas.sides import source_of
from symdp.papers.sentences.context import Frame, Hypothesis
from symdp.papers.sentences.elsewhere import (
    RESTRICTS,
    Parameters,
    Saying,
    Spot,
    letters,
)
from symdp.papers.text.rows import (
    RowChain,
)
from symdp.papers.text.source_text import Sources, Text
from symdp.papers.text.walking import (
    EnvironmentEnd,
    Math,
    Opened,
    Prose,
    walk,
)
from symdp.papers.work import Entry

#: Kinds of conditions that a theorem puts on its names.
_OF_THEOREM = ("let", "suppose", "where", "for", "noun")


def is_remark(name: str) -> bool:
    """Whether an environment goes on with the theorem before it: a remark, a note, a corollary."""
    return re.match(r"rem|bem|note|cor|kor|obs|comment", name, re.IGNORECASE) is not None


class OpenPaper:
    def __init__(self, sources: Sources, text: Text) -> None:
        self.sources = sources
        self.walk = walk(text)
        self.entries: list[Entry] = []
        self.book = Quantities()
        self.frames = [Frame("document", -1)]
        self.sentence: list[Prose | Math] = []
        self.home = self.frames[0]
        #: whether the name before was said to be an integer: and so are others
        self.whole = False
        #: in a section of preliminaries, whose notation is that of the whole
        self.preliminary = False
        #: whether the sentence says that what it supposes holds throughout
        self.everywhere = False
        self.theorem: Frame | None = None
        self.labelled: dict[str, Frame] = {}
        self.seen: set[Symbol] = set()
        #: the indices that the sentence speaks of for all of their values
        self.every: dict[Symbol, Span | None] = {}
        self.was_beside: tuple[int, list[Hypothesis]] = (-1, [])
        self.since: list[Relation] = []
        #: where the sentence before was: at x = 1
        self.was_at: list[Hypothesis] = []
        #: values in passing (at $p = 1/2$), which later sentences of the paragraph may still speak of
        self.passing: list[Relation] = []
        #: a word by which the sentence says something else than an implication
        self.beyond = ""
        #: whether what the sentence supposes or defines holds from there on
        self.supposed = True
        #: what was quantified in the sentences of this paragraph
        self.paragraph: list[Hypothesis] = []
        self.of_one_sentence: set[Hypothesis] = set()
        self.paragraphs = 0
        #: the last paragraph with a condition in words that was not read
        self.unread_in = -1
        #: whether the condition before stood behind *unless*: so does what its list goes on with
        self.excepting = False
        #: in which paragraphs something was supposed, and what of it is meant for all that follows
        self.supposed_in: dict[Hypothesis, int] = {}
        self.lasting: set[Hypothesis] = set()
        #: functions that the sentence defines, and their variables
        self.begun_functions: list[tuple[str, Symbol]] = []
        #: the condition of the sentence before, if it had one and no more
        self.last_case: Hypothesis | None = None
        #: what was supposed for an example, in this paragraph
        self.examples: list[Hypothesis] = []
        #: what was found, and what was supposed, before the present item of a list
        self.item_began: tuple[int, frozenset[Hypothesis]] = (0, frozenset())
        #: whether something was supposed in words that is to be refuted: suppose not
        self.against = False
        #: what the theorem before says of its names, which a remark behind it may still speak of
        self.told: tuple[Hypothesis, ...] = ()
        #: everything that is said of names, and where the chains stand
        self.sayings: list[Saying] = []
        self.parameters = Parameters()
        self.places: dict[int, Spot] = {}
        self.expanded: dict[int, Text | str] = {}
        self.directives: dict[int, str] = {}
        for origin, why in sources.refused:
            place = sources.place(origin)
            self.entries.append(Finding(place.file, place.line, place.column, r"\input", "", "unread", message=why))

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
            self.told = ()
            self.entitled(item)
        elif item.kind == "theorem":
            supposes = re.match(r"assum|hypoth|condition|setting|ass?$", item.name, re.IGNORECASE) is not None
            lasting = supposes or re.match(r"def|notation", item.name, re.IGNORECASE) is not None
            self.frames.append(Frame("theorem", lasting=lasting, supposes=supposes))
            if not is_remark(item.name):
                self.told = ()
            elif self.theorem is not None:
                self.frames[-1].told = self.told
            self.theorem = self.frames[-1]
            self.entitled(item)
        elif item.kind == "proof":
            frame = Frame("proof")
            of = next((self.labelled[r] for r in item.refs if r in self.labelled), self.theorem)
            if of is not None:
                kinds = {"for": "suppose", "noun": "suppose", "if": "suppose", "case": "suppose"}
                frame.hypotheses += [replace(h, kind=kinds.get(h.kind, h.kind)) for h in of.hypotheses]
                frame.given = tuple(frame.hypotheses)
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
                if item.kind == "theorem" and not kept.told:
                    self.told = tuple(h for h in kept.hypotheses if h.kind in _OF_THEOREM and not h.vague)
                if item.kind == "other":  # lists and centred text end nothing
                    self.frames[-1].hypotheses += kept.hypotheses
                    self.frames[-1].meanings.update(kept.meanings)
                elif kept.lasting:
                    self.frames[-1].meanings.update(kept.meanings)
                    self.sayings += [Saying(h, self.place()) for h in kept.hypotheses]
                    if kept.supposes:  # a numbered assumption stands from there on
                        self.frames[0].hypotheses += [replace(h, kind="suppose") for h in kept.hypotheses]
                return
            if self.frames[place].kind == "section":
                return

    def place(self) -> Spot:
        return Spot.among(self.frames, self.paragraphs)

    def note(self, hypothesis: Hypothesis) -> None:
        self.sayings.append(Saying(hypothesis, replace(self.place(), general=self.preliminary)))
        everywhere = self.preliminary or self.everywhere or all(f.kind != "section" for f in self.frames)
        self.parameters.take(self.sayings[-1], everywhere=everywhere)

    def in_words(self, tex: str, words: str, origin: int, kind: str = "words") -> None:
        """Something is said of the names of a formula that is not read."""
        line = self.sources.place(origin).line
        self.note(Hypothesis(Condition(), " ".join(words.split())[-80:], line, kind, letters(tex)))

    def entitled(self, item: Opened) -> None:
        """A title that says of which values it speaks."""
        for typed in re.findall(r"\$([^$]*)\$", item.title):
            if re.search(r"[<>=]|\\[a-z]", typed) or RESTRICTS.search(item.title):
                self.in_words(typed, item.title, item.origin)

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
        left, right = (source_of(self.sources, side) for side in chain.sides[i : i + 2])
        return f"{left} {chain.links[i].sign} {right}".strip()
