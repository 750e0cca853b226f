"""What a reader has to believe to believe a verdict, in plain words.

>>> from symdp.search.reasons import Trust
>>> print(believed(Status.REFUTED, Trust(), by_coq=False))
Nothing to believe: put the point in and compute both sides. The kernel did, with exact bounds on every rounding.
>>> print(believed(Status.PROVED, Trust(), by_coq=True))
Nothing but the kernel, a small program that checked every step of the proof; and Coq, which shares no code with it, \
accepted the same theorem.
"""

from __future__ import annotations

from symdp.search.reasons import Trust
from symdp.search.status import Status

_KERNEL = "the kernel, a small program that checked every step of the proof"
_WORDS = {
    Status.REFUTED: "Nothing to believe: put the point in and compute both sides. The kernel did, with exact bounds "
                    "on every rounding.",
    Status.CITED: "Taken from its source with a reference; nothing was checked here.",
    Status.UNDECIDED: "Neither proved nor refuted: the search ended before an answer.",
    Status.NOT_RECHECKED: "A certificate lies there, but was not replayed in the time.",
    Status.SUPPORTED: "Numbers agree with it, which is no proof.",
    Status.DRAWN: "The picture was drawn anew from the formulas; a picture is compared by eye.",
    Status.DERIVED: "Computed anew from the formulas of its source.",
}


def believed(status: Status, trust: Trust, *, by_coq: bool) -> str:
    """One or two sentences; what is on trust is listed by the page below them."""
    if status is Status.PROVED:
        coq = "; and Coq, which shares no code with it, accepted the same theorem" if by_coq else ""
        more = ", and what is listed below" if trust.lines else ""
        return f"Nothing but {_KERNEL}{coq}." if not more else f"{_KERNEL[0].upper()}{_KERNEL[1:]}{coq}{more}."
    if status is Status.ARGUED:
        return "Not a proof: a part of the argument is in words, or was computed by code that the kernel does not " \
               "check. What has to be believed is listed below."
    return _WORDS.get(status, "")
