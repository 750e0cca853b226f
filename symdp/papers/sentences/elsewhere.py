r"""What a document says of a name in another place, or in words that are not read: nothing is refuted against it.

A bound whose scope is uncertain (in another section, in a note, behind the relation, in a sentence that claims it)
may be what the author has in mind; a sentence that restricts a name in words is a hypothesis that is not read.

>>> [bool(RESTRICTS.search(words)) for words in ("for all sufficiently large", "be a positive integer", "is odd")]
[True, False, True]
>>> unread_condition("If the person herself is counted then #")
''
>>> unread_condition("In the low-noise regime we have #"), unread_condition("If # then we have #")
('In the low-noise regime', '')
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sympy import Symbol

from symdp.formulas.relation import Relation
from symdp.numbers.domain import DomainError, bounds_one_variable
from symdp.papers.formulas.conditions import Condition
from symdp.papers.sentences.context import Frame, Hypothesis, InForce, is_parameter
from symdp.sources.derivations.expressions import relation_variables

#: Words that restrict the name beside them, in a way that is not read.
RESTRICTS = re.compile(
    r"\b(?:small(?:er)?|large(?:r)?|big(?:ger)?|tiny|enough|sufficiently|at (?:most|least)"
    r"|(?:less|greater|more|fewer) than|(?:not|never|cannot) (?:exceed|be|vanish|zero)|exceed(?:s|ing)?|below|above"
    r"|beyond|between(?=\s*$|\s+(?:zero|one|minus|them|0|1))|even|odd"
    r"|prime|coprime|divisible|divides|multiple|powers? of|normali[sz]\w*|rescal\w*"
    r"|bounded|ordered|increasing(?:ly)?|decreasing(?:ly)?|sorted|distinct|equal|coincide|sum to|sums to|adds? up"
    r"|close to|near|threshold|limit|eventually|starting|nonzero|non-zero|vanish(?:es|ing)?|unit|half"
    r"|optim\w+|minimi[sz]\w+|maximi[sz]\w+|root|solution|solves|chosen|choice|one|zero|unity|distribution"
    r"|simplex)\b",
    re.IGNORECASE,
)
#: Words that put the name beside them between 0 and 1.
SHARES = re.compile(
    r"\b(?:fractions?|proportions?|shares?|percentages?|probabilit(?:y|ies)|weights?)\b", re.IGNORECASE
)
_IS_SHARE = re.compile(
    r"[\s,]*(?:is|are|be|being|denotes?|represents?|stands? for)\s+(?:(?:the|an?|its|their|our|some)\s+)?"
    r"(?:(?!with|in|of|at|by)[a-z-]+\s+){0,2}?" + SHARES.pattern,
    re.IGNORECASE,
)
#: How words behind a name begin, where they say something of it.
_PREDICATE = re.compile(
    r"(?:is|are|be|being|stays?|remains?|never|always|lies?|has|have|satisf\w+|does|do|cannot|can|must|may|should"
    r"|will"
    r"|small|large|sufficiently|even|odd|below|above|between|at (?:most|least)|less|greater|adds?|sums?|not|chosen"
    r"|forms?|constitute|near|close|differ|coincide|vanish\w*|exceeds?|divides?|that|which|both|all|tends?"
    r"|bounded|starting)\b",
    re.IGNORECASE,
)
#: What a condition without a formula may speak of, that matters to formulas.
_MATTERS = re.compile(
    r"\b(?:regime|limit|symmetry|generality|wlog|w\.l\.o\.g|conditions?|assumptions?|hypothes[ie]s|theorem|lemma"
    r"|ref|case"
    r"|range|noise|positive|negative|valid|applies|true|parameters?|rates?|values?|variables?|numbers?)\b",
    re.IGNORECASE,
)
#: Those that do so before it.
_QUALIFIES = re.compile(
    r"\b(?:small|large|big|tiny|sufficiently|even|odd|prime|unit|normali[sz]ed|bounded(?!\s+by\s*$)|distinct"
    r"|ordered|nonzero|non-zero"
    r"|optimal|vanishing|where all|large enough|small enough)\b",
    re.IGNORECASE,
)
#: What a name is said to be, where that is more than a number: the sides of a triangle, the number of heads.
_IS_SOMETHING = re.compile(
    r"^[\s,]*(?:be|is|are|being|denotes?|stands? for)\s+(?:the|an?|its|their|two|three)\s+(?!(?:\w+\s+){0,2}"
    r"(?:integers?|reals?|numbers?|constants?|parameters?|scalars?)\b(?! of\b))(?!(?:\w+\s+){0,2}"
    r"(?:fraction|proportion|share|percentage|probability|order|level|size|length|dimension|variance|deviation|scale"
    r"|sensitivity|budget|loss|noise|radius|time|horizon|regime|case|range|setting|parameter)\b)[a-z-]+",
    re.IGNORECASE,
)
#: $C > 0$ is the clipping threshold: what a single name with a bound stands for.
_DESCRIBES = re.compile(
    r"^[\s,]*(?:be|is|being|denotes?|stands? for)\s+(?:the|our)\s+[a-z-]+", re.IGNORECASE
)
_OPENS = re.compile(
    r"\b(?:if|when|whenever|provided|as long as|assuming|unless|under|suppose|in the case|in the [\w-]+"
    r" (?:regime|limit|range|case)|in this regime|by symmetry|without loss of generality|wlog"
    r"|w\.l\.o\.g\.?)\b[^,;:]*",
    re.IGNORECASE,
)
#: Words anywhere in a sentence that limit what it claims: to some values, to one branch, to what is left over.
_LIMITS = re.compile(
    r"\b(?:eventually|asymptotically|unit (?:interval|ball|cube)|clipped|truncated|normali[sz]\w*|branch|sufficiently"
    r"|large enough|small enough|otherwise|there (?:is|are|exists?)(?! no\b)|for some|can (?:choose|find|pick)"
    r"|can be (?:chosen|made)|suitabl[ey]|appropriate(?:ly)?|some (?:constant|number)|starting (?:at|from|with)"
    r"|base case|onwards?|(?:on|over|in|within) (?:the same|this|that|the (?:above|former|latter|given)) "
    r"(?:interval|domain|set|region|half-line))\b",
    re.IGNORECASE,
)
#: A sentence that claims something for some value only.
EXISTS = re.compile(
    r"\b(?:there (?:is|are|exists?)(?! no\b)|for some|can (?:choose|find|pick)|can be chosen|some constant)\b",
    re.IGNORECASE,
)
#: A sentence that puts its conditions aside.
EXCLUDES = re.compile(
    r"\b(?:trivial(?:ly)?|nothing (?:to|is)|excludes?|excluded|excluding|(?:are|is) done|rule out|ruled out|discard"
    r"|(?:is|are) (?:clear|easy|immediate|obvious))\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"\b(?:all|every|each|any)\b(?:\s+[\w-]+){0,3}?\s+(?:variables?|quantit(?:y|ies)|numbers?|constants?"
    r"|parameters?|values?"
    r"|reals|scalars?|letters?|rates?)\b[^.,;#]{0,30}?\b(?:is|are|be|lies?|taken|assumed)\b([^.]{0,60})",
    re.IGNORECASE,
)
#: Words that point back at the condition before them.
SAME = re.compile(
    r"^(?:in|on|over|within) (?:the same|this|that) (?:range|regime|case|interval|domain|set|region)\W*$"
    r"|^under (?:the same|this|these|that) "
    r"(?:conditions?|assumptions?|hypothes[ie]s)\W*$",
    re.IGNORECASE,
)
_KNOWN = re.compile(r"^(?:if so|if and only if|if any|in the case)$", re.IGNORECASE)


#: What is the one thing of many says something of those: it is no mere description.
_SUPERLATIVE = re.compile(
    r"\b(?:roots?|solution|maxim\w+|minim\w+|optim\w+|zero|limit|smallest|largest|least|greatest|first|last"
    r"|unique|sum"
    r"|product|average|mean|only|length|sides?|degree|same|difference|inverse|half|double|square)\b",
    re.IGNORECASE,
)


def is_share(before: str, after: str) -> bool:
    """Whether the words around a name say that it is a share of something, or a probability.

    >>> is_share("a fraction", ""), is_share("", "is the share of them"), is_share("", "is wrong with probability")
    (True, True, False)
    """
    return SHARES.search(before) is not None or _IS_SHARE.match(after) is not None


def is_restricted(before: str, after: str, *, bounded: bool = False) -> bool:
    """Whether the words around a name say where it lives; of a name that is ``bounded``, more than its bound.

    >>> is_restricted("where", "is the tolerance", bounded=True), is_restricted("where", "is the tolerance")
    (False, True)
    >>> is_restricted("where", "is the root of it", bounded=True)
    True

    >>> is_restricted("Here", "is at most"), is_restricted("for large", ""), is_restricted("let", "be the side of it")
    (True, True, True)
    >>> is_restricted("Padding", "to a power of two costs little"), is_restricted("Let", "be a real number")
    (False, False)
    >>> is_restricted("what one uses for large", "")  # which praises it, and limits nothing
    False
    >>> is_restricted("for bounded", ""), is_restricted("that are bounded by", "")  # L <= U, which says it itself
    (True, False)
    """
    if re.search(
        r"\b(?:uses?|used|useful|interesting|relevant|matters|sharp|tight|exact|accurate|attained|optimal) "
        r"(?:only |exactly |asymptotically )?(?:for|when|if|as)\b",
        before,
        re.IGNORECASE,
    ):
        return False
    if after.strip().lower() == "be":  # what it is stands in the next formula
        return True
    described = _DESCRIBES.match(after) if bounded else None
    if described and not _SUPERLATIVE.search(after) and not RESTRICTS.search(after.replace("threshold", "")):
        return _QUALIFIES.search(before) is not None
    said = _PREDICATE.match(after.strip()) is not None and RESTRICTS.search(after) is not None
    return said or _QUALIFIES.search(before) is not None or _IS_SOMETHING.match(after) is not None


def said_of_all(words: str) -> str:
    """What a document says of all of its numbers at once, without naming them.

    >>> said_of_all("All variables are positive. Let us begin.")
    'All variables are positive'
    >>> said_of_all("All numbers are in the table.")
    ''
    """
    for found in _OF_ALL.finditer(words):
        signs = re.search(r"positive|negative|integer|finite|interval", found[1], re.IGNORECASE)
        if signs or RESTRICTS.search(found[1]):
            return found.group().strip()
    return ""


def unread_condition(sentence: str) -> str:
    """The first clause that states a condition without a formula; formulas are written #."""
    for found in _OPENS.finditer(sentence):
        clause = found.group().strip()
        words = re.split(r"\b(?:then|we|it|this|one|there)\b", clause)[0].strip()
        if "#" in words or _KNOWN.match(words) or (len(words.split()) == 1 and "#" in clause):
            continue
        if RESTRICTS.search(words) or _MATTERS.search(words):
            return words
    limited = _LIMITS.search(sentence)
    return limited.group() if limited else ""


def is_bound(r: Relation) -> bool:
    """Whether a relation bounds one name by a number."""
    try:
        return bounds_one_variable(r) is not None
    except DomainError:
        return False


def letter_of(v: Symbol) -> str:
    """How a name begins in a formula."""
    first = str(v).partition("_")[0]
    return {"eps": "varepsilon", "lam": "lambda"}.get(first, first)


def letters(tex: str) -> frozenset[str]:
    """The names in a formula, as they are typed."""
    found = re.findall(r"\\[a-zA-Z]+|[A-Za-z]", tex)
    return frozenset(r"\varepsilon" if name == r"\epsilon" else name for name in found)


@dataclass(frozen=True)
class Spot:
    """Where something is said: the section, the theorem or proof, and the paragraph around it."""

    section: int
    theorem: int | None
    paragraph: int
    #: the theorem that a proof belongs to
    of: int | None = None
    #: in a section of preliminaries, whose notation is that of the whole
    general: bool = False

    def is_around(self, other: Spot) -> bool:
        """Whether it is in the same section as another one, or before all of them, and in no theorem but its own."""
        near = self.general or self.section in (0, other.section)
        return near and self.theorem in (None, other.theorem, other.of)

    @classmethod
    def among(cls, frames: Iterable[Frame], paragraph: int) -> Spot:
        section, inner = 0, None
        for frame in frames:
            if frame.kind == "section" and frame.level <= 2:
                section = frame.number
            if frame.kind in ("theorem", "proof"):
                inner = frame
        if inner is None:
            return cls(section, None, paragraph)
        return cls(section, inner.number, paragraph, inner.of)


#: Kinds of conditions that reach no further than their paragraph.
PARAGRAPH = ("for", "if", "case")


@dataclass(frozen=True)
class Saying:
    """A condition, as it was read or not, and where it stands."""

    hypothesis: Hypothesis
    place: Spot

    @property
    def everywhere(self) -> bool:
        return self.place.theorem is None and self.hypothesis.kind not in PARAGRAPH

    def may_reach(self, other: Spot) -> bool:
        """Whether an author may count on it there."""
        if self.hypothesis.kind in PARAGRAPH:
            return self.place.paragraph == other.paragraph
        if self.everywhere:
            return True
        if other.theorem is None:
            return self.place.section == other.section
        return self.place.theorem in (other.theorem, other.of)


def once(sayings: Iterable[Saying]) -> list[Saying]:
    """What is said again for the whole document, or again in one spot, counts once: a long text repeats itself."""
    found: dict[object, Saying] = {}
    for saying in sayings:
        h = saying.hypothesis
        found.setdefault((h.condition, h.kind, h.vague, None if saying.everywhere else saying.place), saying)
    return list(found.values())


_LASTING = ("let", "suppose", "where", "noun")


class Parameters:
    """What sections say of parameters: of each, what the last section says that speaks of it."""

    def __init__(self) -> None:
        self._said: dict[Symbol, tuple[int, dict[Condition, Hypothesis]]] = {}

    def take(self, saying: Saying, *, everywhere: bool) -> None:
        h, section = saying.hypothesis, saying.place.section
        if h.vague or saying.place.theorem is not None or h.kind not in _LASTING:
            return
        if h.kind == "suppose" and not everywhere and h.condition.relations:
            return  # it ends with its section
        if any(r.op == "==" for r in h.condition.relations):
            return
        for name in h.condition.spoken_of:
            if is_parameter(name):
                if name not in self._said or self._said[name][0] != section:
                    self._said[name] = (section, {})
                self._said[name][1].setdefault(h.condition, h)

    def forget(self, letter: str) -> None:
        """The names that begin so are any number again."""
        for name in [name for name in self._said if letter_of(name) == letter]:
            del self._said[name]

    def forget_condition(self, condition: Condition) -> None:
        """What was supposed for a while is not carried on."""
        for _, said in self._said.values():
            said.pop(condition, None)

    def carried_on(self, context: InForce) -> list[Hypothesis]:
        """Their bounds, where nothing else is said of them; a reason (since x < 1) says nothing else."""
        declared = context.domains
        told = (h for name, (_, said) in self._said.items() if name not in declared for h in said.values())
        return [h for h in dict.fromkeys(told) if not h.condition.names & declared]


def _made_precise(vague: Hypothesis, context: InForce, later: Iterable[Saying]) -> bool:
    """For small z ... Suppose z <= 1: what is said behind it, and is in force, says how small."""
    if vague.kind != "if" or not vague.vague or not re.search(r"\b(?:small|large)\b", vague.text):
        return False
    typed = {x.lstrip("\\") for x in vague.vague}
    return any(
        typed & {letter_of(v) for v in r.symbols}
        for saying in later
        if saying.hypothesis.kind in ("suppose", "let") and saying.hypothesis in context.hypotheses
        for r in saying.hypothesis.condition.relations
        if is_bound(r)
    )


def _bound_anew(context: InForce, at: Spot, sayings: Iterable[Saying]) -> frozenset[Symbol]:
    """Letters that are bound wherever they are used, and that the paragraph of a relation binds itself, or the
    theorem that a remark goes on with."""
    here = [s.hypothesis for s in sayings if s.place.paragraph == at.paragraph]
    found = [h for h in context.hypotheses if h.kind in ("for", "let") and h in here]
    names = context.presumed.union(*(h.condition.spoken_of for h in found))
    return frozenset(v for v in names if not is_parameter(v))


def with_sayings(
    context: InForce,
    names: frozenset[Symbol],
    at: Spot,
    sayings: Iterable[Saying],
    claimed: frozenset[Relation] = frozenset(),
) -> InForce:
    """The context, with what else may be meant and what is not read."""
    known, integers = {*context.relations, *claimed}, context.integers
    anew = _bound_anew(context, at, sayings)
    perhaps: dict[Relation, None] = dict.fromkeys(context.perhaps)
    vague = dict.fromkeys(context.vague)
    sayings = list(sayings)
    for place, saying in enumerate(sayings):
        h = saying.hypothesis
        if not saying.may_reach(at) or _made_precise(h, context, sayings[place + 1 :]):
            continue
        whole = (h.condition.integers & names) - integers
        if h.vague:
            vague[h] = None
        elif whole:
            vague[replace(h, vague=frozenset(map(letter_of, whole)))] = None
        for r in (*h.condition.relations, *h.condition.perhaps):
            # an equation in passing says when a bound is sharp, or where it is used
            sharp = r.op == "==" and h.kind in PARAGRAPH
            binds = h.kind in ("let", "for") and not saying.place.is_around(at)
            if binds and relation_variables(r) & names <= anew:
                continue  # let x > 0 there is another x than for x in R here
            if r not in known and relation_variables(r) & names and not sharp:
                perhaps[r] = None
    return replace(context, perhaps=tuple(perhaps), vague=tuple(vague))
