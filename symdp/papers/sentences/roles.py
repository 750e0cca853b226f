r"""What a formula does in its sentence: it assumes, defines, or claims.

The word nearest before a formula decides; formulas in a list do what the first of them does.

>>> [role_of(w) for w in ("Let", "for every", "Then we have", "where", "Since", "Hence")]
['let', 'for', 'claim', 'where', 'since', 'claim']
>>> role_of("and") is None, role_of("If the timer doubles, and")
(True, 'if')
"""

from __future__ import annotations

import re

_WORDS = {
    "let": "let fix consider take say",
    "suppose": "suppose assume assumes assuming supposing throughout hypothesis assumption",
    "define": "set define denote put setting defining choose choosing letting taking pick picking abbreviate writing "
    "redefine redefining reset resetting "
    "denotes plugging substituting defined call",
    "for": "for every any each all forall",
    "if": "if when whenever provided once case regime range case: at",
    "where": "where with given satisfying satisfies satisfy under subject parameter parameters",
    "since": "since because as using by from recall",
    "require": "require requires required need needs suffices suffice want must ensure ensures condition constraint "
    "goal iff requirement desired requiring unless until",
    "claim": "then have has hence thus therefore so get gets obtain obtains gives give yields yield implies imply "
    "implying conclude concludes follows follow shows show claim prove proves see note observe means consequently "
    "equivalently namely equals find compute computes know holds is are becomes reduces bounded that's i.e ie "
    "yielding giving namely proved inequality identity bound estimate equality prove rearranging clearly "
    "obviously indeed moreover furthermore finally",
}
_ROLE = {word: role for role, words in _WORDS.items() for word in words.split()}
#: A sentence with one of these may deny what it writes.
DENIES = re.compile(
    r"\b(?:(?:does|do|did|need|would|will) not (?:hold|imply|follow|have)"
    r"|not (?:true|hold|the case|imply|necessarily)|cannot|fails?|is false|are false|false that|we do not"
    r"|incorrect|incorrectly|wrong|wrongly"
    r"|counterexample|contradiction|contradicts?|conjectured?|naively|might (?:think|hope|expect)|tempting"
    r"|no longer|unlike|violates?|absurd|nonsense|contrary to|if not|impossible|never|nowhere|neither|nor|nothing"
    r"|rul(?:e|es|ed|ing) out"
    r"|(?:for|at|in|on|by) no)\b|\?\W*$",  # and one that asks
    re.IGNORECASE,
)
#: It is enough to have $x \\le y$: what one wants may be shown next, or be a condition.
WANTED = re.compile(
    r"\b(?:suffices?|enough|sufficient|necessary)\b(?: for us)?[\s,]+(?:to (?:have|ensure|require|guarantee)|that|if)"
    r"(?: that)?\s*$",
    re.IGNORECASE,
)
#: What stands right behind it is excepted.
_EXCEPT = (
    r"\b(?:unless|except(?:ing)?|apart from|aside from|other than|excluding|with the exception of)"
    r"(?:\s+(?:for|when|if|where|at|in the case|the case|of course|that|perhaps|possibly)){0,3}\s*"
)
UNLESS = re.compile(rf"{_EXCEPT}$", re.IGNORECASE)
#: The same in a sentence whose formulas are written as #.
EXCEPTED = re.compile(rf"{_EXCEPT}#", re.IGNORECASE)
#: Case 1: $x \\ge 1$.
_NAMED_CASE = re.compile(r"^\W*(?:sub)?case\s+(?:\d+|[ivx]+|[a-z])\s*:\s*$", re.IGNORECASE)
#: Taking logarithms, $x \\le 1$: something is done to a formula, which gives another one.
_DONE_FIRST = re.compile(
    r"\b(?:taking|letting|setting|choosing|plugging|substituting|picking|writing|putting|defining)\s+"
    r"(?!(?:an?|any|some|the (?:value|parameter|constant|number|step|learning))\b)(?:[a-z-]+\s+){0,5}[a-z-]+\s*,\s*$"
)
_LIST = re.compile(r"[\s,;]*(?:and|or|as well as|together with|both)?[\s,]*", re.IGNORECASE)
#: Words that say plainly that what follows is claimed.
CLAIMS = re.compile(
    r"\b(?:then|have|has|hence|thus|therefore|so|get|obtain|gives?|yields?|implies|imply|conclude|follows?"
    r"|shows?|prove|consequently|implying|rearranging)\b[^.]*$",
    re.IGNORECASE,
)


def role_of(before: str) -> str | None:
    """The role that the last telling word gives; None where the words are those of a list, or tell nothing."""
    if _LIST.fullmatch(before):
        return None
    if UNLESS.search(before):
        return "if"
    text = before.lower().replace("such that", "with").replace("so that", "so").replace("as long as", "if")
    text = text.replace("given that", "if")
    text = re.sub(r"\bdenoted? by\b", "let", text)
    text = re.sub(r"\b(?:is|be|was) (?:[a-z]+ )?the case that\b", " claim ", text)
    text = re.sub(r"\b(suppose|assume)( that)? (?:each|every|all)\b", r"\1", text)
    text = re.sub(r"\b(if|when|suppose|assume|let) (?:moreover|furthermore|further|also|additionally)\b", r"\1", text)
    if re.search(r"\bso (?:is|are)\s*$", text):
        return None
    if _NAMED_CASE.search(text):
        return "case"
    if _DONE_FIRST.search(text):
        return "claim"
    text = re.sub(
        r"\bif and only if\b|\bas follows\b|\bas desired\b|\bset of\b|\ba set\b|\bthe set\b", " holds ", text
    )
    text = _without_phrases(text)
    found = list(re.finditer(r"[a-z'.]+", text))
    for match in reversed(found):
        role = _ROLE.get(match.group().strip(".'"))
        if role is None:
            continue
        behind = text[match.end() :]
        distance = len(re.findall(r"[a-z']+", behind))
        if role != "claim" and (distance > _REACH.get(role, 4) or ":" in behind):
            return "claim"
        joined = re.search(r",\s*and(?:\s+(?:also|if|that|moreover))?\s*$", behind) is not None  # if A, and B, then C
        if role not in ("claim", "let", "suppose", "define", "require") and "," in behind and not (
            role in ("if", "for") and joined
        ):
            return "claim"
        if role in ("let", "define") and "," in behind.rstrip(" ,"):
            return "claim"
        return role
    return "plain" if text.strip(" ,;:().") else None


_MORE = r"(?:moreover|furthermore|further|also|in addition|additionally|finally|that|let|suppose)"
_GOES_ON = re.compile(
    r"(?:\s*(?:is|are|be|being)\s+(?!then|so|bounded|at)(?:[a-z-]+\s+){0,4}?[a-z-]+)?"
    rf"(?:\s*(?:[,;]|\band\b|\bwhile\b|\bas well as\b|\bbut\b))+\s*(?:{_MORE}[\s,]*)?",
    re.IGNORECASE,
)


def goes_on(before: str) -> bool:
    """Whether the words behind a condition end what it says, and lead to another condition.

    >>> [goes_on(w) for w in ("is an integer and", "; moreover", ", and that", "be real numbers, and", "we have")]
    [True, True, True, True, False]
    >>> goes_on("so that"), goes_on("is an integer")
    (False, False)
    """
    return _GOES_ON.fullmatch(before) is not None


_DESCRIBED = re.compile(
    r"\s*(?:denotes?|is|are|be|being|for|stands? for)?\s*(?:the|an?|our|its)\s+(?:[\w'.-]+\s+){0,7}[\w'.-]+"
    r"(?:,\s*which is an? [a-z]+)?\s*[,;]\s*(?:and\s*)?",
    re.IGNORECASE,
)


def describes(before: str) -> bool:
    """Whether the words between two formulas say what the first one stands for, in a list of such.

    >>> [describes(w) for w in ("denotes the order of it,", "the number of steps, which is an integer, and", "then")]
    [True, True, False]
    >>> describes("is a bound, so"), describes("the claim follows from")
    (False, False)
    """
    return _DESCRIBED.fullmatch(before) is not None and CLAIMS.search(before) is None


#: How many words may stand between a telling word and its formula.
_REACH = {"let": 6, "suppose": 9, "define": 6, "for": 5, "if": 8, "where": 5, "since": 4, "require": 9}


def _without_phrases(text: str) -> str:
    """Phrases whose words would tell the wrong thing."""
    return re.sub(
        r"\bwith (?:probability|high probability|respect|equality)\b|\bat (?:most|least|once)\b"
        r"|\bin (?:this|that|the same|any|either|each|every|all|both) (?:range|regime|cases?)\b"
        r"|\bunder the same (?:condition|assumption)s?\b"
        r"|\bin particular\b|\bfor (?:example|instance|simplicity|convenience|contradiction)\b|\bin what follows\b"
        r"|\bas (?:claimed|required|needed|well|above|follows|desired)\b|\bgiven (?:by|in|a|an|the)\b"
        r"|\bby ref\b|\bfrom ref\b|\busing ref\b|\bby (?:lemma|theorem|proposition|corollary|definition)\b"
        r"|\b(?:what|which|that) (?:is (?:all|what) )?we (?:will |shall )?need(?:ed)? (?:below|later|here|next)\b"
        r"|\bbounded from\b|\bfrom (?:above|below)\b|\btaken? (?:over|from)\b|\bsum over all\b|\bfor short\b",
        " ",
        text,
    )


#: noun -> whether it is an integer, and what it says of the name besides
_NUMBERS = (
    r"(?:real numbers?|reals?|numbers?|integers?|natural numbers?|naturals?|constants?|scalars?|probabilit(?:y|ies)"
    r"|parameters?|rationals?)"
)
_SIGNS = (
    r"(?:strictly positive|positive|nonnegative|non-negative|nonzero|non-zero|negative|real|fixed|arbitrary|some|any"
    r"|small|large|given|even|odd|absolute|universal|two|three|four|privacy|finite|whole|suitable|sufficiently)"
)
_AFTER = re.compile(
    rf"^\s*,?\s*(?:be|is|are|being|denotes?|denote|,)?\s*(?:an?|the|any|some|both|all)?\s*"
    rf"((?:{_SIGNS}[\s,]+)*)({_NUMBERS}|positive|nonnegative|non-negative|real|integral)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"((?:{_SIGNS}[\s,]+)*)({_NUMBERS})\s*$", re.IGNORECASE)
_ADJECTIVE = re.compile(
    r"\b(?:all|every|any|each|for|some|fixed)\s+((?:strictly )?)(positive|non-?negative|negative|real)\s*$",
    re.IGNORECASE)
_KINDS = re.compile(
    r"\b(matrix|matrices|vectors?|sets?|subsets?|events?|graphs?|distributions?|mechanisms?|algorithms?"
    r"|datasets?|databases?|operators?|functions?|maps?|mappings?|quer(?:y|ies)|outputs?|random variables?"
    r"|measures?|groups?|spaces?|polic(?:y|ies))\b",
    re.IGNORECASE,
)

#: $x$ and $y$ be a positive and a negative number: which of them is which?
_BOTH_SIGNS = re.compile(
    r"[^.;:#]*\bpositive\b[^.;:#]*\b(?<!non-)(?<!possibly )negative\b"
    r"|[^.;:#]*(?<!non-)\bnegative\b[^.;:#]*\bpositive\b"
    r"|[^.;:#]*\brespectively\b", re.IGNORECASE
)
_COUNTS = re.compile(
    r"\b(?:number of (?:[a-z-]+\s+){1,3}?(?:is|be|are|by|let)?|sample size(?: is)?|count(?: is)?)\s*$", re.IGNORECASE
)
_OF = re.compile(
    r"\b(?:of|after|over|with|into|from|using|among|all|first|last|these|those|by|in|the|any|take|draw|run|have)\s*$",
    re.IGNORECASE,
)
THINGS = re.compile(r"\s*(?:[a-z-]+(?:ed|ent|ary|al|ing|ic|ive|ous|ble|ar|er)\s+)?([a-z]{3,}s)\b")
VERBS = frozenset(
    "gives yields implies holds has shows leads uses makes means ensures follows works does goes was this thus its "
    "plus minus times satisfies becomes equals exceeds lies tends always suffices is as us".split()
)


def is_count(before: str, after: str) -> bool:
    """Whether the words around a name or a bound say that it counts something.

    >>> is_count("Each of", "symbols is wrong"), is_count("sum of", "independent indicators"), is_count("", "gives")
    (True, True, False)
    >>> is_count("The number of iterations is", ""), is_count("of", "times the mean"), is_count("with", "small")
    (True, False, False)
    """
    if _COUNTS.search(before):
        return True
    things = THINGS.match(after)
    return _OF.search(before) is not None and things is not None and things[1] not in VERBS


def declared(before: str, after: str) -> tuple[bool, str] | None:
    """Whether the words around a name say that it is a number: (an integer, its sign); None if they do not.

    >>> declared("for every positive integer", ""), declared("Let", "be a nonnegative real number")
    ((True, '>'), (False, '>='))
    >>> declared("Let", "") is None
    True
    """
    if _BOTH_SIGNS.match(after):
        return None
    found = _BEFORE.search(before) or _AFTER.match(after) or _ADJECTIVE.search(before)
    if found is None:
        return (True, "") if is_count(before, after) else None
    signs, noun = found[1].lower(), found[2].lower()
    said = f"{signs} {noun}"
    sign = (
        ">" if re.search(r"(?<!non)(?<!non-)positive", said) else ">=" if "negative" in said and "non" in said else ""
    )
    if "negative" in said and "non" not in said:
        sign = "<"
    if noun.startswith("probabilit"):
        sign = "p"
    if noun.startswith("natural"):
        sign = sign or "n"
    if "nonzero" in said or "non-zero" in said:
        sign = "!"
    return "integer" in noun or noun.startswith("natural") or noun == "integral", sign


def kind_said(before: str, after: str) -> str | None:
    """What the words around a name say it is, where that is no number.

    >>> kind_said("Let", "be a symmetric matrix"), kind_said("a function", ""), kind_said("Let", "be given")
    ('a matrix', 'a function', None)
    """
    head = re.search(r"([A-Za-z]+)\s*$", before)
    found = _KINDS.fullmatch(head[1]) if head else None
    if found is None:
        match = re.match(
            r"\s*(?:be|is|denotes?|denote|are)\s+(?:an?|the|any|some|two)\s+((?:[\w-]+\s+){0,2}?)" + _KINDS.pattern,
            after,
            re.IGNORECASE,
        )
        found = re.match(_KINDS.pattern, match[2], re.IGNORECASE) if match else None
    if found is None:
        return None
    noun = found.group().lower()
    singular = {"matrices": "matrix", "queries": "query", "policies": "policy"}.get(noun, noun.rstrip("s"))
    if singular in ("random variable", "output"):
        return None
    return f"{'an' if singular[0] in 'aeiou' else 'a'} {singular}"
