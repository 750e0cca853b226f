r"""The rules of calculus as scripts: derivatives by structure, then one lemma for each rule.

A derivative is shown in the form that comes out of the laws for sums, products and functions (:func:`raw`), and that
is seen to be the certificate's by exact algebra.
"""

from __future__ import annotations

from symdp.formal.printing import coq, half_exponent, name_of, relation, whole_exponent
from symdp.formal.refusals import NotExportable
from symdp.formal.scripts.enclosures import seen
from symdp.formal.scripts.identities import equal
from symdp.formal.scripts.proofs import Known, Lines, Script, block, positives, stated, writes
from symdp.kernel.goals import Formula, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.rules.analysis import end_of
from symdp.kernel.terms import ONE, ZERO, Term, apply, constant, mul, number, substitute
from symdp.kernel.values import conditions
from symdp.kernel.values.calculus import derivative

TWO, PI = number(2), constant("pi")


def raw(t: Term, name: str) -> Term:
    """The derivative, as the tactic ``derive`` finds it."""
    if name not in t.variables:
        return ZERO
    head, args = t.head, t.args
    if head == "variable":
        return ONE
    if head == "+":
        total, slope = args[0], raw(args[0], name)
        for a in args[1:]:
            total, slope = total + a, slope + raw(a, name) if name in (total + a).variables else ZERO
        return slope
    if head == "-":
        return raw(args[0], name) - raw(args[1], name)
    if head == "neg":
        return -raw(args[0], name)
    if head == "*":
        first, slope = args[0], raw(args[0], name)
        for a in args[1:]:
            moves = name in (first * a).variables
            first, slope = first * a, slope * a + first * raw(a, name) if moves else ZERO
        return slope
    if head == "/":
        a, b = args
        return (raw(a, name) * b - a * raw(b, name)) / b**TWO
    if head == "^":
        return _power(t, name)
    (u,) = args if len(args) == 1 else (ZERO,)
    du = raw(u, name)
    square = -(u**TWO)
    slopes = {
        "exp": lambda: t * du, "log": lambda: du / u, "sqrt": lambda: du / (TWO * t),
        "tanh": lambda: (ONE - t**TWO) * du, "sinh": lambda: apply("cosh", u) * du,
        "cosh": lambda: apply("sinh", u) * du,
        "erf": lambda: mul(TWO / apply("sqrt", PI) * apply("exp", square), du),
        "erfc": lambda: -(TWO / apply("sqrt", PI) * apply("exp", square)) * du,
        "Phi": lambda: apply("exp", square / TWO) / apply("sqrt", TWO * PI) * du}
    if head not in slopes:
        raise NotExportable("derivative", f"none of {head} is exported")
    return slopes[head]()


def _power(t: Term, name: str) -> Term:
    base, exponent = t.args
    n = whole_exponent(t)
    if n is not None:
        if n == 0:
            raise NotExportable("derivative", "a power to 0")
        inner = number(abs(n)) * base ** number(abs(n) - 1) * raw(base, name)
        return inner if n > 0 else -inner / (base ** number(-n)) ** TWO
    if (halves := half_exponent(t)) is not None:
        root = apply("sqrt", base)
        return raw(root if halves == 1 else root ** number(halves), name)
    if base.head == "e":
        return t * raw(exponent, name)
    if name not in exponent.variables:
        return exponent * base ** (exponent - ONE) * raw(base, name)
    if name not in base.variables:
        return t * apply("log", base) * raw(exponent, name)
    raise NotExportable("derivative", "a power whose base and exponent both move")


class Along:
    """A goal seen along one of its variables."""

    def __init__(self, script: Script, goal: Goal, step: Step, known: Known) -> None:
        self.script, self.goal, self.step, self.known = script, goal, step, known
        self.name: str = step.parameters["variable"]
        self.x = name_of(self.name)
        self.gap: Term = step.parameters.get("gap", goal.relation.gap)
        self.inner = conditions.opened(goal, self.name)
        #: what is assumed about the variable: bounds, strict now, and conditions that tie it to others
        self.about = [h for h in self.inner.hypotheses if self.name in h.variables and h not in self.inner.facts]
        self.rest = {h: n for h, n in known.items() if self.name not in h.variables}

    def everywhere(self, text: str, proof: Lines, named: dict[Formula, str]) -> tuple[str, Lines]:
        """An assertion about every point inside of the interval."""
        name = self.script.fresh()
        bounds = "".join(f"{stated(h)} -> " for h in self.about)
        return name, [f"assert ({name} : forall {self.x} : R, {bounds}{text}).",
                      *block([f"clear dependent {self.x}. intros {self.x} {' '.join(named[h] for h in self.about)}.",
                              *proof])]

    def inside(self) -> tuple[dict[Formula, str], Lines]:
        """Names for the hypotheses inside, with facts proved anew."""
        named: dict[Formula, str] = {**self.rest, **{h: self.script.fresh() for h in self.about}}
        lines: Lines = []
        for h in self.goal.hypotheses:
            if self.name in h.variables and h not in named:
                redo = self.script.redo.get(h)
                fresh = self.script.fresh()
                proof = ["lra."] if h not in self.goal.facts or redo is None else redo(dict(named))
                lines += [f"assert ({fresh} : {stated(h)}).", *block(proof)]
                named[h] = fresh
        return named, lines

    def derivative(self, f: Term, slope: Term) -> tuple[str, Lines]:
        """That a term has that slope at every point inside."""
        named, lines = self.inside()
        own = raw(f, self.name)
        proof = [*lines, f"apply derive_as with (d := {coq(own)}).", "{ derive. }",
                 *equal(own, slope, self.inner, positives(self.step))]
        return self.everywhere(f"is_derive (fun {self.x} => {coq(f)}) {self.x} ({coq(slope)})", proof, named)

    def shown(self, premise: Goal, step: Step) -> tuple[str, Lines]:
        """A premise about every point inside."""
        named, lines = self.inside()
        return self.everywhere(stated(premise.claim), [*lines, *self.script.prove(premise, step, named)], named)

    def at(self, premise: Goal, step: Step) -> tuple[str, Lines]:
        """A premise that no longer speaks of the variable."""
        name, known, lines = self.script.fresh(), dict(self.rest), []
        for h in premise.hypotheses:
            if h not in known:
                known[h] = self.script.fresh()
                how = seen(h, premise) if isinstance(h, Relation) else "settle"
                lines.append(f"assert ({known[h]} : {stated(h)}) by {how}.")
        return name, [f"assert ({name} : {stated(premise.claim)}).",
                      *block([*lines, *self.script.prove(premise, step, known)])]

    def continuous(self, f: Term, at: str) -> str:
        return f"assert ({{}} : continuous (fun {self.x} => {coq(f)}) {at}) by goes_on."

    def end(self, which: str) -> str:
        at, _ = end_of(self.goal, self.name, which)
        if at is None or self.step.parameters.get(f"limit_{which}", False):
            raise NotExportable(self.step.rule, "a limit at an end of the variable")
        return coq(at)

    def function(self, f: Term) -> str:
        return f"(fun {self.x} => {coq(f)})"

    def conclude(self, name: str) -> Lines:
        """The claim from ``0 <= gap`` or ``0 < gap``, in the form that the step gave."""
        r = self.goal.relation
        return self.script.from_gap(Relation(ZERO, r.op, self.gap), r, name, self.goal, positives(self.step))

    @property
    def point(self) -> str:
        """How the points inside are told from their bounds."""
        return "intros; repeat split; try lra"


@writes("monotone")
def _monotone(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    along, r, end = Along(script, goal, step, known), goal.relation, step.parameters["end"]
    slope = step.parameters.get("slope", derivative(r.gap, along.name))
    at = along.end(end)
    derived, lines = along.derivative(along.gap, slope)
    signed, more = along.shown(left[0], step.premises[0])
    _, last = along.at(left[1], step.premises[1])
    strictly = r.op == "<" and bool(step.parameters.get("strict_slope", False))
    here, there, grown, found = (script.fresh() for _ in range(4))
    f = along.function(along.gap)
    word = ("rises" if end == "lower" else "falls") + ("_strictly" if strictly else "")
    ends = f"({at}) {along.x}" if end == "lower" else f"{along.x} ({at})"
    conts = f"{here} {there}" if end == "lower" else f"{there} {here}"
    return [*lines, *more, *last,
            f"assert ({here} : continuous {f} ({at})) by goes_on.",
            f"assert ({there} : continuous {f} {along.x}) by goes_on.",
            f"pose proof ({word} {f} {along.function(slope)} {ends}) as {grown}.",
            f"assert ({found} : {relation(Relation(ZERO, r.op, along.gap))}).",
            *block([f"enough ({coq(substitute(along.gap, {along.name: Term_at(along, end)}))} "
                    f"{'<' if strictly else '<='} {coq(along.gap)}) by lra.",
                    f"apply {grown}; [lra|{_near(derived)}|{_near(signed)}"
                    + "".join(f"|exact {c}" for c in conts.split()) + "]."]),
            *along.conclude(found)]


def Term_at(along: Along, end: str) -> Term:  # noqa: N802
    at, _ = end_of(along.goal, along.name, end)
    if at is None:
        raise NotExportable("monotone", "a limit at an end of the variable")
    return at


@writes("convex")
def _convex(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    along, r = Along(script, goal, step, known), goal.relation
    at: Term = step.parameters["at"]
    lines, names, found = _curved(along, left, step)
    _, last = along.at(left[2], step.premises[2])
    core = step.parameters["core"]
    flat = script.fresh()
    rest = [p for p in positives(step) if along.name not in p.variables]
    outside = conditions.without(goal, along.name)[0]
    lines += [*last, f"assert ({flat} : {coq(substitute(core, {along.name: at}))} = 0).",
              *block(list(equal(substitute(core, {along.name: at}), ZERO, outside, rest)))]
    lines += [f"assert ({found} : {relation(Relation(ZERO, r.op, along.gap))}).",
              *block([f"enough ({coq(substitute(along.gap, {along.name: at}))} <= {coq(along.gap)}) by lra.",
                      f"pose proof (least_where_flat {_inside(along)} {_functions(along)} ({coq(at)}) {along.x}) as "
                      f"{(lemma := script.fresh())}.",
                      f"apply {lemma}; [{_bounds(along)}|{_use(names[0])}|{_use(names[1])}|{_use(names[3])}|"
                      f"{_use(names[2])}|exact {flat}|goes_on|goes_on|goes_on]."])]
    return [*lines, *along.conclude(found)]


@writes("concave")
def _concave(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    along, r = Along(script, goal, step, known), goal.relation
    if step.parameters.get("strict_bend", False):
        raise NotExportable("concave", "strict by its bend")
    low, high = along.end("lower"), along.end("upper")
    lines, names, found = _curved(along, left, step)
    for place in (2, 3):
        _, more = along.at(left[place], step.premises[place])
        lines += more
    ends = [coq(substitute(along.gap, {along.name: Term_at(along, e)})) for e in ("lower", "upper")]
    lines += [f"assert ({found} : {relation(Relation(ZERO, r.op, along.gap))}).",
              *block([f"enough ({ends[0]} <= {coq(along.gap)} \\/ {ends[1]} <= {coq(along.gap)}) by lra.",
                      f"pose proof (least_at_an_end {_inside(along)} {_functions(along)} ({low}) ({high}) {along.x})"
                      f" as {(lemma := script.fresh())}.",
                      f"apply {lemma}; [lra|{_bounds(along)}|{_use(names[0])}|{_use(names[1])}|{_use(names[3])}|"
                      f"{_use(names[2])}|goes_on|goes_on]."])]
    return [*lines, *along.conclude(found)]


def _curved(along: Along, left: list[Goal], step: Step) -> tuple[Lines, list[str], str]:
    """Slope and bend, their signs, and a name for what follows."""
    weight, core = step.parameters["weight"], step.parameters["core"]
    bend = step.parameters.get("bend", derivative(core, along.name))
    sloped, lines = along.derivative(along.gap, weight * core)
    bent, more = along.derivative(core, bend)
    signed, further = along.shown(left[0], step.premises[0])
    weighted, last = along.shown(left[1], step.premises[1])
    return [*lines, *more, *further, *last], [sloped, bent, signed, weighted], along.script.fresh()


def _functions(along: Along) -> str:
    bend = along.step.parameters.get("bend", derivative(along.step.parameters["core"], along.name))
    terms = (along.gap, along.step.parameters["weight"], along.step.parameters["core"], bend)
    return " ".join(map(along.function, terms))


def _inside(along: Along) -> str:
    """The points inside of the interval, as a predicate."""
    points = " /\\ ".join(stated(h) for h in along.about) or "True"
    return f"(fun {along.x} => {points})"


def _bounds(along: Along) -> str:
    return "intros; repeat split; lra" if along.about else "intros; exact I"


def _use(name: str) -> str:
    return f"let t := fresh in let inside := fresh in intros t inside; apply ({name} t); tauto"


def _near(name: str) -> str:
    return f"let t := fresh in let inside := fresh in intros t inside; apply ({name} t); lra"
