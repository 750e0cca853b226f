"""Certificates of order relations, replayed without the search.

Paths and constants are read from the certificate and checked anew; an expansion of the ratio is
computed anew from the claim, which needs no search.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Rational

from symdp.expansions.bounding import bounded, ratio_settles
from symdp.expansions.factorwise import factorwise
from symdp.expansions.paths import depart
from symdp.expansions.question import Question
from symdp.expansions.setting import NoExpansion
from symdp.expansions.termwise import termwise
from symdp.notation import symbol
from symdp.parsing import ParseError, parse_expression
from symdp.proving.certificate import FORMAT, BadCertificate, decode, steps_from
from symdp.proving.evidence import Evidence
from symdp.proving.kernel import Rejected
from symdp.regime import Regime
from symdp.statement import Asymptotic, Claim


def recheck_order(document: Mapping[str, Any], claim: Claim) -> Evidence:
    """What a certificate of an order relation stands for, made anew; BadCertificate otherwise."""
    if not isinstance(claim, Asymptotic) or not isinstance(claim.regime, Regime):
        raise BadCertificate(f"{claim.id} is no order relation in a regime")
    question = Question.of(claim.left, claim.order, claim.right, claim.regime, claim.domain)
    return replay(document, question)


def replay(document: Mapping[str, Any], question: Question) -> Evidence:
    """The same for a question."""
    if document.get("format") != FORMAT or document.get("kind") != "order":
        raise BadCertificate(f"this is no certificate of an order relation in format {FORMAT}")
    if document.get("claim") != str(question):
        raise BadCertificate(f"out of date: the claim now says {question}")
    try:
        if "path" in document:
            return depart(question, {symbol(v): parse_expression(e)
                                     for v, e in document["path"].items()})
        if "ratio" in document:
            return ratio_settles(question)
        steps = [steps_from(rows) for rows in document["parts"]]
        closeness = Rational(str(document["closeness"]))
        if "pairs" in document:
            pairs = [tuple((int(i), int(j), Rational(str(c))) for i, j, c in plan)
                     for plan in document["pairs"]]
            return factorwise(question, closeness, pairs, steps)
        if "plans" in document:
            plans = [tuple((int(j), Rational(str(c))) for j, c in plan) for plan in document["plans"]]
            return termwise(question, closeness, plans, steps)
        constants = [Rational(str(c)) for c in document["constants"]]
        return bounded(question, constants, closeness, decode(document["factor"]), steps)
    except (Rejected, NoExpansion, ArithmeticError) as reason:
        raise BadCertificate(str(reason)) from reason
    except (ParseError, KeyError, AttributeError, TypeError, ValueError) as reason:
        raise BadCertificate(f"malformed: {reason}") from reason
