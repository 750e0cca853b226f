r"""Proof trees of the kernel as scripts for Coq, rule by rule.

A goal of the kernel is a goal of Coq: its variables are real numbers, its hypotheses stand in the context under names
of their own, all in the form of ``<=``, ``<`` or ``=``. A rule writes what it claims as assertions, the scripts of
its premises as their proofs, and a lemma or tactic that concludes. What a rule sees by an enclosure is left to
tactics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import replace as replaced
from itertools import count

from symdp.formal.claims import spoken as written
from symdp.formal.printing import NAMES, argument, coq, name_of, plain_name, relation
from symdp.formal.refusals import NotExportable
from symdp.formal.scripts.atoms import facts_for
from symdp.formal.scripts.enclosures import seen
from symdp.formal.scripts.identities import equal
from symdp.formal.statements import the_relation
from symdp.kernel.algebra.identity import identical
from symdp.kernel.goals import INTEGER, Each, Formula, Goal, Relation
from symdp.kernel.proof import RULES, Rejected, Step, bits_of
from symdp.kernel.rules import every_rule  # noqa: F401 - rules register themselves
from symdp.kernel.rules.logic import NEGATION
from symdp.kernel.terms import ZERO, Term, add, mul, number, subterms
from symdp.kernel.values.conditions import same_gap, shown

Lines = list[str]
#: How long a script may become, in signs.
LONGEST = 2_000_000
ORDER = {("<=", "<="): "Rplus_le_le_0_compat", ("<", "<="): "Rplus_lt_le_0_compat",
         ("<=", "<"): "Rplus_le_lt_0_compat", ("<", "<"): "Rplus_lt_0_compat"}


def indented(lines: Iterable[str]) -> Lines:
    return [f"  {line}" for line in lines]


def block(lines: Lines) -> Lines:
    return [f"{{ {lines[0]}", *indented(lines[1:]), "}"] if lines else []


class Script:
    """Names for what is assumed, and the rules."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._length = 0
        #: whether a guarantee is to be shown, or only where its delta is less than 1; and whether it is still to be
        #: shown that it has a meaning
        self.promises, self.due = True, False
        #: how a fact is shown again where its variables take other values
        self.redo: dict[Formula, Callable[[dict[Formula, str]], Lines]] = {}

    def fresh(self) -> str:
        return f"h{1000 + next(self._numbers)}"

    # --- following a proof ----------------------------------------------------------------------

    def prove(self, goal: Goal, step: Step, known: Known) -> Lines:
        """A script for the claim of a goal, in its normal form, with these names for the hypotheses."""
        rule = WRITERS.get(step.rule)
        if rule is None:
            raise NotExportable(step.rule, "the rule is not exported yet")
        try:
            left = RULES[step.rule](goal, step.parameters)
        except (Rejected, ArithmeticError) as reason:
            # Coq is to judge, not the kernel: where the shape of the premises is known without it, go on.
            left = self._shape(goal, step, reason)
        lines = [*facts_for(goal, step), *rule(self, goal, step, left, known)]
        if not step.premises:  # what stands above a leaf is not much longer than the leaves
            self._length += sum(map(len, lines))
        if self._length > LONGEST:
            raise NotExportable(step.rule, "the script becomes too long")
        return lines

    def _shape(self, goal: Goal, step: Step, reason: Exception) -> list[Goal]:
        if not step.premises:
            return []
        raise NotExportable(step.rule, f"the kernel does not accept the step: {str(reason)[:120]}")

    def premise(self, claim: Goal, step: Step, known: Known) -> tuple[str, Lines]:
        """An assertion, with a script that shows it."""
        name = self.fresh()
        return name, [f"assert ({name} : {stated(claim.claim)}).", *block(self.prove(claim, step, known))]

    def again(self, goal: Goal, there: dict[Formula, str], proof: Callable[[Known], Lines]) -> Lines:
        """A proof made in another place, where every hypothesis of that place holds."""
        lines: Lines = []
        for h in goal.hypotheses:
            if h not in there:
                there[h] = self.fresh()
                lines.append(f"assert ({there[h]} : {stated(h)}) by settle.")
        return [*lines, *proof(there)]

    def from_gap(self, have: Relation, want: Relation, name: str, goal: Goal, positive: Iterable[Term] = ()) -> Lines:
        """The relation that is wanted from one that is there under a name, whose gap is the same."""
        if (have.left, have.right) == (want.left, want.right):
            return [f"first [exact {name} | symmetry; exact {name} | lra]."]
        lines = [f"assert ({(e := self.fresh())} : {coq(want.gap)} = {coq(have.gap)}).",
                 *block(list(equal(want.gap, have.gap, goal, positive)))]
        return [*lines, f"clear - {name} {e}. lra."]


#: Relations that imply one between the same sides.
STRONGER = {"<=": ("<=", "<", "=="), "<": ("<",), "==": ("==",)}
Known = Mapping[Formula, str]
Writer = Callable[[Script, Goal, Step, list[Goal], Known], Lines]
WRITERS: dict[str, Writer] = {}


def writes(rule: str) -> Callable[[Writer], Writer]:
    def register(writer: Writer) -> Writer:
        WRITERS[rule] = writer
        return writer

    return register


def stated(formula: Formula) -> str:
    """A formula as it stands in the context: relations in their normal form."""
    return written(normal(formula))


def normal(formula: Formula) -> Formula:
    if isinstance(formula, Each):
        return replaced(formula, body=normal(formula.body))  # type: ignore[arg-type]
    return formula.normal if isinstance(formula, Relation) else formula


def positives(step: Step) -> list[Term]:
    return [p for p in step.parameters.get("positive", ()) if isinstance(p, Term)]


# --- leaves -------------------------------------------------------------------------------------


@writes("enclosure")
def _enclosure(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    r = goal.relation
    gap = step.parameters.get("gap")
    if not isinstance(gap, Term) and r.op == "<=" and identical(r.left, r.right, positives(step), goal.whole):
        return ["apply Req_le.", *equal(r.left, r.right, goal, positives(step))]
    if r.op == "==":
        if identical(r.left, r.right, positives(step), goal.whole):
            return list(equal(r.left, r.right, goal, positives(step)))
        return ["first [lra | apply Rle_antisym; settle]."]
    bits = bits_of(step.parameters)
    if (proof := _from_hypothesis(script, goal, known)) is not None:
        return proof
    if not isinstance(gap, Term) or gap is r.gap:
        return [f"{seen(r, goal, bits)}."]
    if r.op == "<=" and (gap is ZERO or identical(gap, ZERO, positives(step), goal.whole)):
        return ["apply Req_le.", *equal(r.left, r.right, goal, positives(step))]
    there = Relation(ZERO, r.op, gap)
    if r.left is ZERO and r.right is gap:
        return [f"{seen(r, goal, bits)}."]
    name = script.fresh()
    try:
        proof = script.from_gap(there, r, name, goal, positives(step))
    except NotExportable:
        return [f"{seen(r, goal, bits)}."]
    return [f"assert ({name} : {relation(there)}).", *block([f"{seen(there, goal, bits)}."]), *proof]


@writes("paving")
def _paving(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    """The box is cut by Coq's own bisection, with enclosures by derivatives along one variable."""
    r = goal.relation
    gap = step.parameters.get("gap", r.gap)
    there, name = Relation(ZERO, r.op, gap), script.fresh()
    names = [name_of(n) for n in goal.variables if n in gap.variables]
    cuts, depth = ", ".join(f"i_bisect {n}" for n in names), 30
    ways = [f"interval with (i_prec 64, {cuts}, i_autodiff {n}, i_depth {depth})" for n in names]
    ways.append(f"interval with (i_prec 64, {cuts}, i_depth {depth})")
    tried = f"first [solve [settle] | powers; first [{' | '.join(ways)}]]."
    return [f"assert ({name} : {relation(there)}).", *block([tried]),
            *script.from_gap(there, r, name, goal, positives(step))]


@writes("assumption")
def _assumption(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    if goal.claim in known:
        return [f"first [exact {known[goal.claim]} | lra]."]
    wanted = goal.relation
    for h, name in known.items():
        if isinstance(h, Relation) and (h.normal.left, h.normal.right) == (wanted.left, wanted.right):
            return [f"first [exact {name} | lra]."]
    return _from_hypothesis(script, goal, known) or [f"{seen(wanted, goal)}."]


def _from_hypothesis(script: Script, goal: Goal, known: Known) -> Lines | None:
    """The claim from a hypothesis that says the same, up to algebra."""
    wanted = goal.relation
    for h, name in known.items():
        if isinstance(h, Relation) and h in goal.hypotheses and wanted.variables <= h.variables:
            for r in (h.normal, h.normal.mirrored) if h.op == "==" else (h.normal,):
                if r.op in STRONGER[wanted.op] and same_gap(r, wanted, goal):
                    try:
                        return script.from_gap(r, wanted, name, goal)
                    except NotExportable:
                        continue
    return _from_multiple(script, goal, known)


def _from_multiple(script: Script, goal: Goal, known: Known) -> Lines | None:
    """The claim from a hypothesis about functions that says the same of twice or of half the difference."""
    wanted = goal.relation
    for h, name in known.items():
        if not isinstance(h, Relation) or h not in goal.hypotheses or h.op == "==" or h.variables != wanted.variables:
            continue
        if h.normal.op not in STRONGER[wanted.op] or not any(t.head in NAMES for s in h.terms() for t in subterms(s)):
            continue
        for factor in (number(2), number(1, 2)):
            more = Relation(ZERO, h.normal.op, factor * h.normal.gap)
            if identical(more.right, wanted.gap, (), goal.whole):
                try:
                    lines = script.from_gap(more, wanted, again := script.fresh(), goal)
                except NotExportable:
                    continue
                return [f"assert ({again} : {relation(more)}) by (clear - {name}; lra).", *lines]
    return None


# --- logic --------------------------------------------------------------------------------------


@writes("cut")
def _cut(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    name, lines = script.premise(left[0], step.premises[0], known)
    script.redo[left[0].claim] = lambda there: script.again(left[0], there, lambda k: script.prove(
        left[0], step.premises[0], k))
    return [*lines, *script.prove(left[1], step.premises[1], {**known, left[0].claim: name})]


@writes("weaken")
def _weaken(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    lines: Lines = []
    kept: dict[Formula, str] = {}
    for h in left[0].hypotheses:
        if h in known:
            kept[h] = known[h]
            continue
        kept[h] = name = script.fresh()
        how = seen(h, goal) if isinstance(h, Relation) else "settle"
        lines.append(f"assert ({name} : {stated(h)}) by {how}.")
    gone = [n for h, n in known.items() if h not in kept]
    if gone:
        lines.append(f"clear {' '.join(gone)}.")
    return [*lines, *script.prove(left[0], step.premises[0], kept)]


@writes("cases")
def _cases(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    r: Relation = step.parameters["relation"]
    names = [script.fresh() for _ in left]
    n = r.normal
    a, b = argument(n.left), argument(n.right)
    if r.op == "==":
        how = f"destruct (Rtotal_order {a} {b}) as [{names[1]}|[{names[0]}|{names[2]}]]."
        order = [1, 0, 2]
    else:
        word = "Rle_lt_dec" if n.op == "<=" else "Rlt_le_dec"
        how, order = f"destruct ({word} {a} {b}) as [{names[0]}|{names[1]}].", [0, 1]
    branches = [r, *(Relation(r.left, op, r.right) for op in NEGATION[r.op])]
    lines = [how]
    for place in order:
        there = {**known, branches[place]: names[place]}
        lines += block(["relations.", *script.prove(left[place], step.premises[place], there)])
    return lines


@writes("contradiction")
def _contradiction(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    for h in goal.hypotheses:
        if isinstance(h, Relation) and h in known:
            rest = goal.under(tuple(k for k in goal.hypotheses if k is not h))
            for op in NEGATION[h.op]:
                against = Relation(h.left, op, h.right)
                if shown(against, rest):
                    name = script.fresh()
                    return ["exfalso.", f"assert ({name} : {stated(against)}).",
                            *block([f"clear {known[h]}.", f"{seen(against, rest)}."]), "lra."]
    return ["exfalso.", "first [lra | nra | (enough (1 <= 0) by lra; settle)]."]


@writes("transitivity")
def _transitivity(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    ops = the_relation(left[0].claim).op, the_relation(left[1].claim).op
    word = {("<=", "<="): "Rle_trans", ("<", "<="): "Rlt_le_trans", ("<=", "<"): "Rle_lt_trans",
            ("==", "=="): "eq_trans"}[ops]
    one, first = script.premise(left[0], step.premises[0], known)
    two, second = script.premise(left[1], step.premises[1], known)
    return [*first, *second, f"exact ({word} {'_ _ _ ' if word != 'eq_trans' else ''}{one} {two})."]


@writes("both")
def _both(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    one, first = script.premise(left[0], step.premises[0], known)
    two, second = script.premise(left[1], step.premises[1], known)
    return [*first, *second, f"exact (Rle_antisym _ _ {one} {two})."]


@writes("replace")
def _replace(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    one, first = script.premise(left[0], step.premises[0], known)
    two, second = script.premise(left[1], step.premises[1], known)
    return [*first, *second, f"first [rewrite {one}; exact {two} | rewrite <- {one} in {two}; exact {two} "
            f"| rewrite {one}; lra | rewrite {one} in *; lra "
            f"| rewrite {one}, ?power_exponent_1 by lra; first [exact {two} | lra]]."]


@writes("rewrite")
def _rewrite(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    name, lines = script.premise(left[0], step.premises[0], known)
    return [*lines, *script.from_gap(left[0].relation, goal.relation, name, goal, positives(step))]


@dataclass(frozen=True)
class Theorem:
    """What holds for all values of variables: under which name, and how it is told the values."""

    name: str
    variables: tuple[str, ...]
    #: those that must be integers
    whole: tuple[str, ...] = ()
    #: whether values are given in the order of the variables, or by their names
    by_place: bool = False

    def at(self, values: Mapping[str, Term], raw: str) -> Lines:
        if self.by_place:
            found = f"pose proof ({' '.join([self.name, *(argument(values[v]) for v in self.variables)])}) as {raw}."
        else:
            named = " ".join(f"({plain_name(v)} := {coq(values[v])})" for v in self.variables)
            found = f"pose proof {self.name} as {raw}." + (f" specialize {raw} with {named}." if named else "")
        return [found, *(f"specialize ({raw} ltac:(whole))." for _ in self.whole)]


def _applied(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known, theorem: Theorem) -> Lines:
    """A theorem at values: what it needs, what it gives, and the rest of the proof."""
    new = [h for h in left[-1].hypotheses if h not in goal.hypotheses]
    there: dict[Formula, str] = dict(known)
    lines, raw = _instance(script, step, left, known, theorem)
    for h in new:
        there[h] = script.fresh()
        lines.append(f"assert ({there[h]} : {stated(h)}) by (relations; first [exact {raw} | lra | settle]).")
        script.redo[h] = lambda at: script.again(goal, at, lambda k: _finished(
            *_instance(script, step, left, k, theorem)))
    if new:
        lines.append(f"clear {raw}.")
    return [*lines, *script.prove(left[-1], step.premises[-1], there)]


def _finished(lines: Lines, raw: str) -> Lines:
    return [*lines, f"relations; first [exact {raw} | lra | settle]."]


def _instance(script: Script, step: Step, left: list[Goal], known: Known, theorem: Theorem) -> tuple[Lines, str]:
    needed, at = left[:-1], step.parameters.get("at", {})
    lines: Lines = []
    names = []
    for g, below in zip(needed, step.premises[-len(left):-1], strict=True):
        name, more = script.premise(g, below, known)
        names.append(name)
        lines += more
    raw = script.fresh()
    lines += theorem.at(at, raw)
    for name in names:
        lines.append(f"first [specialize ({raw} {name}) | specialize ({raw} ltac:(relations; lra))].")
    return lines, raw


@writes("lemma")
def _lemma(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    name = str(step.parameters["name"])
    if name in POWERS:
        theorem = f"Certificates.{name.replace('-', '_')}"
        return _applied(script, goal, step, left, known, Theorem(theorem, tuple(step.parameters.get("at", {}))))
    if name not in LEMMAS and name not in OF_GAMMA:
        raise NotExportable("lemma", f"{name} has another form in the library")
    theorem = f"{'Gamma' if name in OF_GAMMA else 'Lemmas'}.{name.replace('-', '_')}"
    return _applied(script, goal, step, left, known, Theorem(theorem, tuple(step.parameters.get("at", {}))))


#: The kernel's lemmas whose theorem in the library has the same variables.
LEMMAS = frozenset(
    "exp-increasing by-log by-exp by-sqrt by-square exp-increasing-strictly by-log-strictly by-exp-strictly "
    "by-sqrt-strictly by-square-strictly exp-tangent exp-quadratic log-tangent log-chord log-root cosh-gauss "
    "log-concave exp-convex erfc-chernoff mills-upper mills-lower mills-birnbaum normal-chernoff "
    "normal-mills circle sine-of-sum cosine-of-sum half-step-lower half-step-upper step-lower step-upper".split())


#: Those about the logarithm of Gamma and its derivative.
OF_GAMMA = frozenset(
    "digamma-upper digamma-lower digamma-half digamma-twelfth loggamma-rise-lower loggamma-rise-upper "
    "duplication-lower duplication-upper stirling-falls stirling-grows stirling-near-lower "
    "stirling-near-upper".split())


#: Those about whole powers hold for real exponents.
POWERS = frozenset(["power-of-fraction", "power-of-large", "power-sign"])


@writes("aside")
def _aside(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    own = left[0]
    if own.families:
        raise NotExportable("aside", "a goal with families of its own")
    name, there = script.fresh(), {h: script.fresh() for h in own.hypotheses}
    variables = " ".join(name_of(v) for v in own.variables)
    whole = tuple(n for n, sort in own.sorts if sort == INTEGER)
    premises = "".join([*(f"integer {name_of(n)} -> " for n in whole), *(f"{stated(h)} -> " for h in own.hypotheses)])
    inner = script.prove(own, step.premises[0], there)
    every = f"forall {variables} : R, " if variables else ""
    introduced = " ".join([variables, *(script.fresh() for _ in whole), *there.values()])
    lines = [f"assert ({name} : {every}{premises}{stated(own.claim)}).",
             *block([f"clear. intros {introduced}.", *inner])]
    rest = Step(step.rule, step.parameters, step.premises[1:])
    return [*lines, *_applied(script, goal, rest, left[1:], known, Theorem(name, own.variables, whole, True))]


# --- analysis -----------------------------------------------------------------------------------


@writes("branches")
def _branches(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    node: Term = step.parameters["node"]
    names = [script.fresh(), script.fresh()]
    equation = script.fresh()
    if node.head == "abs":
        how = (f"destruct (abs_branches {argument(node.args[0])}) as "
               f"[[{names[0]} {equation}]|[{names[1]} {equation}]].")
        order = [0, 1]
    elif node.head in ("min", "max"):
        return _extreme(script, goal, step, left, known)
    else:
        raise NotExportable("branches", f"{node.head} is no absolute value, minimum or maximum")
    lines = [how]
    for name, place in zip(names, order, strict=True):
        new = [h for h in left[place].hypotheses if h not in goal.hypotheses]
        there = {**known, **dict.fromkeys(new, name)}
        lines += block([f"rewrite {equation}. clear {equation}.",
                        *script.prove(left[place], step.premises[place], there)])
    return lines


def _extreme(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    """One of several is the least or the greatest."""
    node: Term = step.parameters["node"]
    op, name, cases = "<=" if node.head == "min" else ">=", script.fresh(), []
    for a in node.args:
        found = [Relation(a, op, b).normal for b in node.args if b is not a]
        cases.append([f"{coq(node)} = {coq(a)}", *(relation(r) for r in found)])
    ways = [f"{'right; ' * place}{'left; ' if place < len(cases) - 1 else ''}repeat split; lra"
            for place in range(len(cases))]
    either = " \\/ ".join(" /\\ ".join(c) for c in cases)
    lines = [f"assert ({name} : {either}).",
             *block([f"unfold R{node.head}; repeat destruct (Rle_dec _ _); first [{' | '.join(ways)}]."])]
    pattern, branches = [], []
    for place, a in enumerate(node.args):
        equation, there, names = script.fresh(), dict(known), []
        for b in node.args:
            if b is not a:
                names.append(script.fresh())
                there[Relation(a, op, b)] = names[-1]
        pattern.append(_both_of([equation, *names]))
        branches.append(block([f"rewrite {equation}. clear {equation}.",
                               *script.prove(left[place], step.premises[place], there)]))
    return [*lines, f"destruct {name} as {_alternatives(pattern)}.", *(line for b in branches for line in b)]


def _both_of(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"[{names[0]} {_both_of(names[1:])}]"


def _alternatives(pattern: list[str]) -> str:
    return pattern[0] if len(pattern) == 1 else f"[{pattern[0]}|{_alternatives(pattern[1:])}]"


@writes("combine")
def _combine(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    r, lines, signs = goal.relation, [], {}
    for g, below in zip(left, step.premises, strict=True):
        signs[g.claim], more = script.premise(g, below, known)
        lines += more
    summands, proofs, asserted = [], [], []
    for coefficient, factors in step.parameters["terms"]:
        product, strict = [coefficient], True
        for term, exponent, sign in factors:
            strict = strict and sign == ">"
            product.append(term if exponent == 1 else term ** number(exponent))
        name = script.fresh()
        summands.append(mul(*product))
        op = "<" if strict else "<="
        asserted.append(f"assert ({name} : 0 {op} {coq(summands[-1])}) by positive.")
        proofs.append((name, op))
    total = add(*summands) if summands else ZERO
    if not summands:
        return ["apply Req_le.", *equal(r.left, r.right, goal, positives(step))]
    e = script.fresh()
    lines += [f"assert ({e} : {coq(r.gap)} = {coq(total)} - 0).",
              *block(list(equal(r.gap, total - ZERO, goal, positives(step)))), *asserted]
    (name, op), *rest = proofs
    for further, more_op in rest:
        sum_name = script.fresh()
        lines.append(f"pose proof ({ORDER[op, more_op]} _ _ {name} {further}) as {sum_name}.")
        name, op = sum_name, "<" if "<" in (op, more_op) else "<="
    return [*lines, f"clear - {name} {e}. lra."]


