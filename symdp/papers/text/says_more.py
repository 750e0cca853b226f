r"""Words by which a sentence says something else than: if this holds, then that holds.

*A only if B* is the converse of what stands there, *A iff B* is two implications, *A unless B* speaks of where B does
not hold, and of *A or B* neither has to hold. Whoever reads the condition and the relation alone reads another claim.

>>> says_more("Then # iff #."), says_more("Then # unless #."), says_more("Either # or #.")
('iff', 'unless', 'or')
>>> says_more("Then # if #, with equality iff #."), says_more("Unless stated otherwise, #.")
('', '')
"""

from __future__ import annotations

import re

#: The word by which neither of two formulas has to hold.
OR = "or"
_MORE = re.compile(
    r"\biff\b|\bonly,? (?:if|when|for|where|under)\b|\b(?:exactly|precisely) (?:if|when|for|where|then)\b"
    r"|\bjust in case\b|\bnecessary (?:and sufficient|condition|that|for)\b"
    r"|\bunless\b(?! (?:otherwise|stated|said|noted|specified|mentioned|explicitly|we say))"
    r"|\bexcept(?:ing)?\b|\bapart from\b|\bbut not\b|\bother than\b|\bsave for\b|\bwith the exception\b"
    r"|\b(?:for|at|in|on) (?:no|hardly any|scarcely any|not (?:all|every)|almost no|(?:very )?few)\b(?= [^.#]{0,20}#)"
    r"|#\s*,?\s*\bor\b(?=\s+(?:else\s+|that\s+|we have\s+)?#)",
    re.IGNORECASE,
)
#: What stands behind it says when an inequality is sharp, and nothing of the inequality.
_SHARP = re.compile(r"\b(?:equality|sharp|tight|attained)\b[^#.;]*$", re.IGNORECASE)


_SUPPOSES = r"(?:let|suppose|assume|assuming|fix|take|consider|define|set|put|write|denote)"
#: Something is supposed or defined under a condition, or it is said that it is not supposed.
_NOT_SUPPOSED = re.compile(
    rf"^\W*{_SUPPOSES}\b[^#]*#\s*,?\s*(?:if|whenever|when|unless|except|only|in case)\b"
    rf"|^\W*{_SUPPOSES}\b.*#.*\b(?:otherwise|elsewhere)\b"
    r"|\b(?:not|never|nowhere|no longer|without(?! (?:any )?(?:loss|restrict))|instead of|rather than"
    r"|dropp?(?:ing|ed)?|remov(?:e|es|ed|ing)"
    r"|had we|were we to|if we|cannot|wrong|tempting|would|nobody|no one|who)\b[^#]{0,30}"
    r"\b(?:assum\w+|suppos\w+|requir\w+|impos\w+)\b[^#]*#"
    rf"|\b{_SUPPOSES}\b[^#]*#\s*(?:(?:is|are|be|being) (?:false|wrong|violated|never|not (?:true|satisfied))|fails?"
    r"|were|was|would|(?:does|do|did) not (?:hold|apply))\b"
    r"|^\W*were #|\b(?:(?:at most|at least|exactly|only) )?one of\b[^#]*#|\bneither\b[^#]*#|\beither\b[^#]*#"
    r"|#\s*,?\s*or\b(?!,?\s*(?:equivalently|what is the same|in other words|more))"
    # somebody else supposes it
    r"|\b(?:(?:he|she|they|(?:the|their|these|other|previous|earlier|some|most) (?:authors?|works?|papers?)"
    r"|(?-i:[A-Z])[a-z]+(?: et al\.?| and (?-i:[A-Z])[a-z]+))(?: \W{0,2}(?:\d{1,4}|#)\W{0,2})?"
    r" (?:also |further |have |had )?(?:assume|suppose|require)[sd]?"
    r"|(?-i:(?!We|It|I|As|Since|Having|Here)[A-Z])[a-z]+(?: \W{0,2}(?:\d{1,4}|#)\W{0,2})?"
    r" (?:assume|suppose|require)[sd])\b[^#]*#"
    r"|#\s*,?\s*for (?:some|certain|at least one|infinitely many|many|most|a few|several)\b"
    r"|\b(?:it|this|that) (?:might|could|would) (?:well |also )?be\b[^#]{0,30}#|\bif only #"
    r"|\b(?:usually|typically|often|mostly|commonly|think of|typical)\b[^#]{0,30}#"
    r"|\b(?:later|(?:in|of) (?:the )?(?:next |following |last |previous )?(?:section|chapter|appendix"
    r"|part)s? ?(?:\d|#|ref)?\S*"
    r"|previously|earlier|formerly|so far|until now|hitherto|elsewhere)\b,?[^#]{0,30}\b(?:assum|suppos"
    r"|requir)\w*[^#]*#"
    r"|\b(?:papers?|works?|articles?|books?|literature|thesis|report|version|analysis)\s+(?:also |only |had |has "
    r"|have )?"
    r"(?:assum|suppos|requir)(?:e|es|ed)\b[^#]*#"
    r"|\bmay (?:well )?be(?: that| the case that)?\s*#"
    r"|#\s*,?\s*(?:with (?:high |low )?probability|eventually|almost never|sometimes|occasionally|typically"
    r"|usually)\b",
    re.IGNORECASE,
)


#: A name is any number again, or what was supposed of it is no longer.
_FREES = re.compile(
    r"\b(?:let|now|next|from (?:now|here) on|henceforth)\b[^#]*#\s*(?:be|is|denotes?|stands? for)\s+"
    r"(?:now\s+|again\s+)?(?:an?\s+)?(?:arbitrary|any)\b"
    r"|\b(?:an?|another|any|some) (?:[a-z]+ )?(?:different|other|new|fresh)(?: [a-z]+)? #"
    r"|\banother(?: [a-z]+)? #"
    r"|\b(?:drop|remov|lift|relax|forget|discard)(?:e|s|es|ed|ped|ping|ing)?\b[^#]{0,20}"
    r"\b(?:conditions?|assumptions?|restrictions?|constraints?|hypothes[ie]s)\b[^#]*#",
    re.IGNORECASE,
)


def frees(sentence: str) -> bool:
    """Whether a sentence takes back what was supposed of the names that it writes.

    >>> frees("Now let # be arbitrary."), frees("We drop the condition on #."), frees("Let # be positive.")
    (True, True, False)
    """
    return _FREES.search(sentence) is not None


def is_supposed(sentence: str) -> bool:
    """Whether what a sentence supposes or defines holds from there on.

    >>> is_supposed("Let # and #."), is_supposed("Let # if #."), is_supposed("We do not assume that #.")
    (True, False, False)
    >>> is_supposed("Set # for #, and # otherwise."), is_supposed("Assume that # fails."), is_supposed("Let # or #.")
    (False, False, False)
    >>> is_supposed("Let # be Bernoulli, and #."), is_supposed("Assume that # is true.")
    (True, True)
    >>> is_supposed("Without loss of generality, assume that #.")
    True
    >>> is_supposed("Smith assumed that #."), is_supposed("The authors require #."), is_supposed("We assumed that #.")
    (False, False, True)
    """
    return _NOT_SUPPOSED.search(sentence) is None


_DENIES = re.compile(
    r"\b(?:false|untrue|wrong|incorrect|myth|misconception|fallacy|mistake|not true|not the case|not so|unknown"
    r"|unclear"
    r"|doubtful|questionable|disprov\w*|refut\w*|den(?:y|ies)|opposite|negation|converse|contrary|nowhere"
    r"|hardly(?: ever| any)?"
    r"|scarcely|rarely|seldom|never|nobody|no one|failed to|cannot (?:prove|show|conclude|have|be)"
    r"|do(?:es)? not (?:have|imply|follow|give|mean|prove|show|yield)|whether|counterexamples? to|conjectur\w*)\b"
    r"[^#,;:]{0,25}$",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\s*(?:is|are|was|were|seems?|remains?|turns out(?: to be)?)?\s*(?:also |simply |just |clearly |plainly "
    r"|in general "
    r"|actually |then )?(?:false|wrong|untrue|incorrect|not true|not valid|not the case|not satisfied|violated"
    r"|nowhere|fails?"
    r"|failed|does not (?:hold|follow)|do not hold|need not (?:hold|be)|cannot (?:hold|be)|can fail|may fail"
    r"|never|no longer"
    r"|impossible|absurd|an open|open(?= (?:question|problem))|unknown|doubtful)\b",
    re.IGNORECASE,
)


def denies(before: str, after: str) -> str:
    """The words right beside a formula that deny it, or leave it open.

    >>> denies("It is false that", ""), denies("The bound", "fails."), denies("Then", "")
    ('false that', 'fails', '')
    >>> denies("It is not hard to see that", ""), denies("", ", which is impossible")  # which is a consequence
    ('', '')
    """
    found = _DENIES.search(before) or _DENIED.match(after)
    return " ".join(found.group().split()) if found else ""


def says_more(sentence: str) -> str:
    """The word for it, if there is one; formulas of the sentence are written as #."""
    for found in _MORE.finditer(sentence):
        if not _SHARP.search(sentence[: found.start()]):
            return " ".join(found.group().replace("#", " ").replace(",", " ").split())
    return ""
