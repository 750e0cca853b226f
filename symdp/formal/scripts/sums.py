r"""Rules about sums, products and integers as scripts: laws of sums, *for every integer*, induction.

Each law is one theorem of ``formal/theories/Ranges.v``. Its conditions are assertions with the scripts of the
premises as their proofs, and so is its instance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symdp.formal.printing import argument, coq, name_of, opened
from symdp.formal.refusals import NotExportable
from symdp.formal.scripts.proofs import WRITERS, Known, Lines, Script, block, stated, writes
from symdp.kernel.goals import INTEGER, Each, Formula, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.rules.sums import Span
from symdp.kernel.terms import ONE, Term, binder, fresh, instantiate, number, variable
from symdp.kernel.values.conditions import shown

RANGE = {"sum": "sum_from", "product": "product_from"}


def need_each(formula: Formula) -> Each:
    if not isinstance(formula, Each):
        raise NotExportable("each", "that formula does not speak of every integer")
    return formula


# --- for every integer --------------------------------------------------------------------------


@writes("each")
def _each(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    claim, i = need_each(goal.claim), str(step.parameters["name"])
    there, names = dict(known), [name_of(i), script.fresh()]
    between = [Relation(claim.low, "<=", variable(i))] if claim.low is not None else []
    between += [Relation(variable(i), "<=", claim.high)] if claim.high is not None else []
    for r in between:
        names.append(script.fresh())
        there[r] = names[-1]
    return [f"intros {' '.join(names)}.", *script.prove(left[0], step.premises[0], there)]


@writes("instance")
def _instance(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    each, at = need_each(goal.hypotheses[int(step.parameters["hypothesis"])]), step.parameters["at"]
    lines, names = [], []
    for g, below in zip(left[:-1], step.premises[:-1], strict=True):
        name, more = script.premise(g, below, known)
        names.append(name)
        lines += more
    fact, new = each.at(at), script.fresh()
    lines.append(f"assert ({new} : {stated(fact)}) by (apply {known[each]}; first [whole"
                 + "".join(f" | exact {n}" for n in names) + "]).")
    return [*lines, *script.prove(left[-1], step.premises[-1], {**known, fact: new})]


@writes("induction")
def _induction(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    """The claim, with what is assumed of the integer, for every integer from the first on."""
    name, first = str(step.parameters["variable"]), number(int(step.parameters["first"]))
    n, x = variable(name), name_of(name)
    about = [h for h in goal.hypotheses if name in h.variables]
    rest = {h: known[h] for h in goal.hypotheses if name not in h.variables and h in known}
    statement = "".join(f"{stated(h)} -> " for h in about) + f"({stated(goal.claim)})"
    whole = script.fresh()

    def there(values: dict[str, Term]) -> tuple[dict[Formula, str], str]:
        names = {h.substitute(values): script.fresh() for h in about}
        ordered = [names[h.substitute(values)] for h in about]
        return {**rest, **names}, f"intros {' '.join(ordered)}." if ordered else ""

    if len({h.substitute({name: first}) for h in about}) < len(about):
        raise NotExportable("induction", "two hypotheses become one at the first integer")
    base, intro = there({name: first})
    lines = [f"assert ({whole} : forall {x} : R, integer {x} -> {coq(first)} <= {x} -> {statement}).",
             f"{{ clear dependent {x}. apply (induction_on {argument(first)} (fun {x} => {statement})).",
             "{ whole. }",
             *block([intro or "idtac.", *script.prove(left[0], step.premises[0], base)])]
    is_whole, above, before = (script.fresh() for _ in range(3))
    after, intro = there({name: n + ONE})
    after[Relation(first, "<=", n)] = above
    proof = [f"intros {x} {is_whole} {above} {before}. {intro}"]
    needed = []
    missing = iter(zip(left[1:-1], step.premises[1:-1], strict=True))
    inside = left[-1].under(tuple(h for h in left[-1].hypotheses if h != goal.claim))
    for h in about:
        needed.append(script.fresh())
        if isinstance(h, Relation) and (h.normal == Relation(first, "<=", n) or shown(h, inside)):
            proof.append(f"assert ({needed[-1]} : {stated(h)}) by settle.")
        else:
            g, below = next(missing)
            proof += [f"assert ({needed[-1]} : {stated(h)}).", *block(script.prove(g, below, after))]
    if needed:
        proof.append(f"specialize ({before} {' '.join(needed)}).")
    proof += script.prove(left[-1], step.premises[-1], {**after, goal.claim: before})
    enough = f"assert ({(low := script.fresh())} : {coq(first)} <= {x}) by settle."
    given = " ".join(known[h] for h in about)
    return [*lines, *block(proof), "}", enough, f"apply ({whole} {x} ltac:(whole) {low} {given})."]


# --- laws ---------------------------------------------------------------------------------------

#: The proof of an instance, from the parameters of a law and the names of what was shown.
Law = Callable[["Instance"], Lines]
LAWS: dict[str, Law] = {}


class Instance:
    """An instance of a law: its parameters as terms, and the names of its conditions."""

    def __init__(self, step: Step, names: Sequence[str]) -> None:
        self.p, self.names = step.parameters, names
        if "low" in self.p:
            self.span = Span(self.p["low"], self.p["high"])

    @property
    def op(self) -> str:
        return str(self.p["op"])

    @property
    def ends(self) -> str:
        return " ".join(map(argument, self.span))

    def shown(self) -> str:
        """By what was shown, or by what is visibly a whole number."""
        return "first [" + " | ".join([*(f"exact {n}" for n in self.names), "whole", "lra", "settle"]) + "]"

    def function(self, body: Term) -> str:
        i, inside = opened(binder("sum", *self.span, body))
        return f"(fun {name_of(i)} => {coq(inside)})"

    def over(self, head: str, body: Term) -> str:
        return f"{RANGE[head]} {self.ends} {self.function(body)}"


def law(function: Law) -> Law:
    LAWS[function.__name__.strip("_").replace("_", "-")] = function
    return function


@writes("sum-law")
def _sum_law(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    name = str(step.parameters["name"])
    if name not in LAWS:
        raise NotExportable("sum-law", f"{name} is not exported yet")
    lines, names = [], []
    for g, below in zip(left[:-1], step.premises[:-1], strict=True):
        if isinstance(g.claim, Relation) and g.claim.left is g.claim.right:
            continue  # which says that a term is defined
        one, more = script.premise(g, below, known)
        names.append(one)
        lines += more
    said = left[-1].hypotheses[-1] if len(left[-1].hypotheses) > len(goal.hypotheses) else None
    if said is None:  # it is known already
        return [*lines, *script.prove(left[-1], step.premises[-1], known)]
    new = script.fresh()
    proof = LAWS[name](Instance(step, names))
    lines += [f"assert ({new} : {stated(said)}).", *block(proof)]
    return [*lines, *script.prove(left[-1], step.premises[-1], {**known, said: new})]


@law
def _termwise(at: Instance) -> Lines:
    head, (start, end, second) = str(at.p["head"]), at.p["other"]
    lines: Lines = []
    word = RANGE[head].removesuffix("_from")
    first = f"{word}_shifted {at.ends} {argument(start)} {argument(end)}"
    right = f"{RANGE[head]} {argument(start)} {argument(end)} {at.function(second)}"
    index = variable(fresh("i", second.variables | second.families))
    if at.p.get("reverse"):
        partner = coq(instantiate(second, end + at.span.low - index))
        lines += [f"replace ({right}) with ({RANGE[head]} {at.ends} (fun {name_of(index.value)} => {partner})).",
                  f"2: {{ rewrite ({first} {at.function(second)}) by {at.shown()}. "
                  f"rewrite ({word}_reversed {at.ends}) by whole. apply {word}_ext; [whole|whole|]. "
                  "intros ? ? ? ?. cbv beta. f_equal. lra. }"]
    elif start is not at.span.low or end is not at.span.high:
        lines.append(f"rewrite ({first} {at.function(second)}) by {at.shown()}.")
    if head == "product" and second is ONE:
        ones = f"({RANGE[head]} {at.ends} (fun _ => 1))"
        same = f"(product_of_ones {at.ends})"
        if at.op == "==":
            return [f"apply (eq_trans (y := {ones})); [|exact {same}].", f"apply product_ext; {at.shown()}."]
        if at.op in ("<=", "<"):
            strictly = "Rlt_le_trans" if at.op == "<" else "Rle_trans"
            theorem = "product_termwise" + ("_strictly" if at.op == "<" else "")
            return [f"apply ({strictly} _ {ones}); [apply {theorem}; {at.shown()}|right; exact {same}]."]
        strictly = "Rle_lt_trans" if at.op == ">" else "Rle_trans"
        theorem = "product_termwise" + ("_strictly" if at.op == ">" else "")
        return [f"apply ({strictly} _ {ones}); [right; symmetry; exact {same}|apply {theorem}; {at.shown()}]."]
    theorem = {"==": f"{word}_ext"}.get(at.op, f"{word}_termwise" + ("_strictly" if at.op in ("<", ">") else ""))
    return [*lines, f"apply {theorem}; {at.shown()}."]


@law
def _combination(at: Instance) -> Lines:
    parts = [(c, f) for c, f in at.p["parts"]]
    i = fresh("i", frozenset().union(*(f.variables | f.families for _, f in parts),
                                     *(c.variables | c.families for c, _ in parts if c is not None)))
    bodies = [coq(instantiate(f, variable(i))) for _, f in parts]
    summands = [f"({b})" if c is None else f"({coq(c)}) * ({b})" for (c, _), b in zip(parts, bodies, strict=True)]
    outside = [s if c is None else f"({coq(c)}) * {s}" for (c, _), s in zip(
        parts, (f"sum_from {at.ends} (fun {name_of(i)} => {b})" for b in bodies), strict=True)]
    inside = f"(sum_from {at.ends} (fun {name_of(i)} => {' + '.join(summands)}))"
    lines = [f"assert (combined : {inside} = {' + '.join(outside)}).", "{ idtac."]
    for n in range(len(parts) - 1, 0, -1):
        lines.append(f"rewrite (sum_of_plus {at.ends} (fun {name_of(i)} => {' + '.join(summands[:n])}) "
                     f"(fun {name_of(i)} => {summands[n]})).")
    for (c, _), b in zip(parts, bodies, strict=True):
        if c is not None:
            lines.append(f"rewrite (sum_of_scaled {at.ends} ({coq(c)}) (fun {name_of(i)} => {b})).")
    lines += ["reflexivity. }", "rewrite <- combined. clear combined."]
    if len(parts) == 1 and parts[0][0] is None:  # the sum itself
        lines = []
    if at.p.get("left") is not None:
        theorem = {"==": "sum_ext"}.get(at.op, "sum_termwise" + ("_strictly" if at.op in ("<", ">") else ""))
        return [*lines, f"apply {theorem}; {at.shown()}."]
    zero, same = f"(sum_from {at.ends} (fun _ => 0))", f"(sum_of_zero {at.ends})"
    if at.op == "==":
        return [*lines, f"apply (eq_trans (y := {zero})); [symmetry; exact {same}|apply sum_ext; {at.shown()}]."]
    if at.op in ("<=", "<"):
        return [*lines, f"apply {'sum_is_nonneg' if at.op == '<=' else 'sum_is_pos'}; {at.shown()}."]
    trans, theorem = ("Rlt_le_trans", "sum_termwise_strictly") if at.op == ">" else ("Rle_trans", "sum_termwise")
    return [*lines, f"apply ({trans} _ {zero}); [apply {theorem}; {at.shown()}|right; exact {same}]."]


@law
def _product_sign(at: Instance) -> Lines:
    return [f"apply {'product_is_nonneg' if at.op == '<=' else 'product_is_pos'}; {at.shown()}."]


@law
def _parted(at: Instance) -> Lines:
    head, body, middle, after = str(at.p["head"]), at.p["body"], at.p["middle"], at.p["after"]
    (low, high), f, sign = at.span, at.function(body), "+" if head == "sum" else "*"
    theorem = "sum_parted" if head == "sum" else "product_parted_from"
    single = f"{head}_single_term"
    pieces = [f"{RANGE[head]} {argument(low)} {argument(middle)} {f}",
              f"{RANGE[head]} ({coq(middle)} + 1) {argument(high)} {f}"]
    one = f"rewrite {single} by first [whole | lra]. cbv beta. reflexivity."
    first = "reflexivity." if low is not middle else one
    again = f"replace ({coq(middle)} + 1) with ({coq(after)}) by {at.shown()}."
    second = f"{again} " + ("reflexivity." if after is not high else one)
    return [f"transitivity ({pieces[0]} {sign} {pieces[1]}).",
            f"{{ apply {theorem}; first [whole | lra | {at.shown()}]. }}", "apply f_equal2.", f"{{ {first} }}",
            f"{{ {second} }}"]


@law
def _written_out(at: Instance) -> Lines:
    low, high = (int(t.value.p) for t in at.span)
    head, many = str(at.p["head"]), max(high - low + 1, 0)
    below = "sum_below" if head == "sum" else "product_below"
    lines = [f"unfold {RANGE[head]}. replace (steps {at.ends}) with {many}%nat "
             "by (unfold steps; rewrite <- minus_IZR, up_of_integer; reflexivity).", f"cbn [{below}]."]
    for j in range(many):
        lines.append(f"replace ({coq(at.span.low)} + INR {j}) with ({coq(number(low + j))}) by (simpl; ring).")
    return [*lines, "ring."]


@law
def _constant(at: Instance) -> Lines:
    if at.p["head"] == "sum":
        return [f"apply sum_of_constant; first [whole | lra | {at.shown()}]."]
    return [f"apply product_of_constant; first [whole | lra | {at.shown()}]."]


@law
def _exchange(at: Instance) -> Lines:
    total: Term = at.p["sum"]
    inner = total.args[2]
    if total.head != "sum" or inner.args[0].loose or inner.args[1].loose:
        raise NotExportable("sum-law", "an exchange over a triangle, or of products")
    return ["apply sum_exchange."]


@law
def _telescope(at: Instance) -> Lines:
    theorem = {"==": "sum_telescope", "<=": "sum_telescope_le", ">=": "sum_telescope_ge",
               "<": "sum_telescope_lt"}.get(at.op)
    if theorem is None:
        raise NotExportable("sum-law", "a telescope from above, strictly")
    ends = f"{at.ends} ltac:(whole) ltac:(whole) " if theorem == "sum_telescope" else f"{at.ends} "
    return [f"apply ({theorem} {ends}{at.function(at.p['body'])} {at.function(at.p['closed'])}); {at.shown()}."]


@law
def _factors(at: Instance) -> Lines:
    parts = [(f, int(n)) for f, n in at.p["parts"]]
    i = fresh("i", frozenset().union(*(f.variables | f.families for f, _ in parts)))
    bodies = [f"({coq(instantiate(f, variable(i)))})" for f, _ in parts]

    def power(base: str, n: int) -> str:
        return base if n == 1 else f"{base} ^ {n}" if n > 0 else f"/ {base} ^ {-n}"

    powers = [f"({power(b, n)})" for b, (_, n) in zip(bodies, parts, strict=True)]
    fun = f"fun {name_of(i)} =>"
    lines = [f"transitivity (product_from {at.ends} ({fun} {' * '.join(powers)})).",
             f"{{ apply product_ext; {at.shown()}. }}"]
    for n in range(len(parts) - 1, 0, -1):
        lines.append(f"rewrite (product_of_mult {at.ends} ({fun} {' * '.join(powers[:n])}) ({fun} {powers[n]})).")
    for b, (_, n) in zip(bodies, parts, strict=True):
        if n < 0:
            lines.append(f"rewrite (product_of_inv {at.ends} ({fun} {b} ^ {-n})).")
        if n != 1:
            lines.append(f"rewrite (product_of_pow {at.ends} ({fun} {b}) {abs(n)}).")
    return [*lines, "reflexivity."]


@law
def _product_of_exponentials(at: Instance) -> Lines:
    i, inner = opened(binder("sum", *at.span, at.p["inner"]))
    return [f"transitivity (product_from {at.ends} (fun {name_of(i)} => exp ({coq(inner)}))).",
            f"{{ apply product_ext; {at.shown()}. }}", "apply product_of_exp."]


@law
def _log_of_product(at: Instance) -> Lines:
    return [f"apply log_of_product_from; {at.shown()}."]


@law
def _binomial_theorem(at: Instance) -> Lines:
    return [f"apply binomial_theorem_from; first [whole | {at.shown()}]."]


# --- the kernel's lemma about binomial coefficients ---------------------------------------------

_lemma = WRITERS["lemma"]


@writes("lemma")
def _choose_positive(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    if step.parameters["name"] != "choose-positive":
        return _lemma(script, goal, step, left, known)
    lines, names, there = [], [], dict(known)
    for g, below in zip(left[:-1], step.premises[:-1], strict=True):
        name, more = script.premise(g, below, known)
        names.append(name)
        lines += more
    for h in left[-1].hypotheses:
        if h not in goal.hypotheses:
            there[h] = script.fresh()
            lines.append(f"assert ({there[h]} : {stated(h)}) by (apply choose_positive; first [whole | "
                         + " | ".join(f"exact {n}" for n in names) + "]).")
    return [*lines, *script.prove(left[-1], step.premises[-1], there)]


# --- what is shown aside, with integers and families of its own ------------------------------------

_real_aside = WRITERS["aside"]


@writes("aside")
def _aside(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    own = left[0]
    if not own.families and all(sort != INTEGER for _, sort in own.sorts):
        return _real_aside(script, goal, step, left, known)
    name, there = script.fresh(), {h: script.fresh() for h in own.hypotheses}
    reals, families = (" ".join(name_of(n) for n, _ in names) for names in (own.sorts, own.families))
    whole = [f"integer {name_of(n)}" for n, sort in own.sorts if sort == INTEGER]
    whole += [f"(forall i : R, integer i -> integer ({name_of(n)} i))" for n, sort in own.families if sort == INTEGER]
    every = (f"forall {reals} : R, " if reals else "") + (f"forall {families} : R -> R, " if families else "")
    premises = "".join(f"{p} -> " for p in (*whole, *(stated(h) for h in own.hypotheses)))
    inner = script.prove(own, step.premises[0], there)
    introduced = " ".join([reals, families, *(script.fresh() for _ in whole), *there.values()])
    lines = [f"assert ({name} : {every}{premises}{stated(own.claim)}).",
             *block([f"clear. intros {introduced}.", *inner])]
    names: list[str] = []
    for g, below in zip(left[1:-1], step.premises[1:-1], strict=True):
        one, more = script.premise(g, below, known)
        names.append(one)
        lines += more
    at, bodies = step.parameters.get("at", {}), step.parameters.get("families", {})
    values = [f"({coq(at[v])})" for v, _ in own.sorts]
    for f, _ in own.families:
        i = fresh("i", bodies[f].variables | bodies[f].families)
        known_here = bodies[f].families <= {name for name, _ in goal.families}  # else nothing here speaks of it
        values.append(f"(fun {name_of(i)} => {coq(instantiate(bodies[f], variable(i))) if known_here else '0'})")
    raw, after = script.fresh(), dict(known)
    lines.append(f"pose proof ({name} {' '.join(values)}) as {raw}. cbv beta in {raw}.")
    lines += [f"specialize ({raw} ltac:(intros; whole))." for _ in whole]
    lines += [f"first [specialize ({raw} {n}) | specialize ({raw} ltac:(relations; lra))]." for n in names]
    for h in left[-1].hypotheses:
        if h not in goal.hypotheses:
            after[h] = script.fresh()
            lines.append(f"assert ({after[h]} : {stated(h)}) by (relations; first [exact {raw} | lra | settle]).")
    return [*lines, *script.prove(left[-1], step.premises[-1], after)]
