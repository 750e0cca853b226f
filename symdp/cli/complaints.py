"""Which errors are the user's to mend, and the line that says so."""

from __future__ import annotations

from symdp.audit.shipped import Damaged
from symdp.formal.compiling import NoCoq
from symdp.formulas.parsing import ParseError
from symdp.kernel.certificate import BadCertificate
from symdp.numbers.decimals import NotReached
from symdp.numbers.domain import DomainError
from symdp.numbers.quantity import BadQuantity
from symdp.outgoing import NotOurs
from symdp.papers.lint import NoPaper
from symdp.report.figures.slices import NoFigure
from symdp.report.paper.documents import NoPress
from symdp.search.prove import NotDefined
from symdp.search.sharpening import NoThreshold
from symdp.sources.derivations.expressions import DerivationError
from symdp.sources.problems import ProblemFileError
from symdp.sources.registry import UnknownId
from symdp.workers.cluster import NoCluster

COMPLAINTS = (
    UnknownId, ProblemFileError, ParseError, DomainError, NotDefined, NoThreshold,
    BadCertificate, DerivationError, BadQuantity, NotReached, NoFigure, NoCluster, NoCoq, NoPaper, NoPress, NotOurs,
    Damaged,
)


def complaint(reason: Exception) -> str | None:
    """The line for an error that is the user's to mend; None for a bug of ours.

    >>> complaint(UnknownId("there is no kov/1")), complaint(KeyError("x"))
    ('there is no kov/1', None)
    """
    if isinstance(reason, COMPLAINTS):
        return str(reason)
    if isinstance(reason, RecursionError):
        return "what was given is nested too deeply"
    if isinstance(reason, MemoryError):
        return "the memory was not enough"
    if isinstance(reason, OverflowError):
        return f"a number is too large: {reason}"
    if isinstance(reason, OSError):
        return f"{reason.filename}: {reason.strerror}" if reason.filename else str(reason)
    return None
