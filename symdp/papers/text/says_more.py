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
    r"|\b(?:not|never|nowhere|neither|no longer|without|instead of|rather than|dropp?(?:ing|ed)?|remov(?:e|es|ed|ing)"
    r"|had we|were we to|if we)\b[^#]{0,30}\b(?:assum\w+|suppos\w+|requir\w+|impos\w+)\b[^#]*#",
    re.IGNORECASE,
)


def is_supposed(sentence: str) -> bool:
    """Whether what a sentence supposes or defines holds from there on.

    >>> is_supposed("Let # and #."), is_supposed("Let # if #."), is_supposed("We do not assume that #.")
    (True, False, False)
    >>> is_supposed("Set # for #, and # otherwise.")
    False
    """
    return _NOT_SUPPOSED.search(sentence) is None


def says_more(sentence: str) -> str:
    """The word for it, if there is one; formulas of the sentence are written as #."""
    for found in _MORE.finditer(sentence):
        if not _SHARP.search(sentence[: found.start()]):
            return " ".join(found.group().replace("#", " ").replace(",", " ").split())
    return ""
