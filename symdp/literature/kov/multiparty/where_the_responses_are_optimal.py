r"""Exactly where randomised response is optimal for every function: where no leak can be coordinated.

A party is *partial* if it may say something about its bit, and not all of it: $\delta<1$, and not
$\varepsilon=\delta=0$. Two partial parties, one of which has $0<\delta<1$, can do better than (16):

* if both have $\delta>0$, a coin that all see lets them give their bits away together, which helps XOR;
* if one has $\delta=0$, it answers first, and the other gives its bit away more often after an answer
  where that is worth more, which helps AND.
"""

from sympy import tanh

from symdp.formulas.notation import symbol
from symdp.formulas.relation import le, lt
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import Inequality, Optimality, positive, unit_open

eps_1, eps_2, delta_1, delta_2 = (symbol(n) for n in ("eps_1", "eps_2", "delta_1", "delta_2"))

#: how far an observer is ahead of guessing the XOR of two bits: apart, and with a coin that both see
t_1, t_2 = tanh(eps_1 / 2), tanh(eps_2 / 2)
apart = (delta_1 + (1 - delta_1) * t_1) * (delta_2 + (1 - delta_2) * t_2)
together = delta_1 + (delta_2 - delta_1) * t_1 + (1 - delta_2) * t_1 * t_2

two_coins = Inequality(
    "observer-worst.sharper",
    r"for XOR and an observer a coin that all see is better for any two parties with "
    r"$0<\delta_1\le\delta_2<1$, whatever $\varepsilon_1,\varepsilon_2>0$, also in the worst case",
    lt(apart, together),
    variables={eps_1: positive, eps_2: positive, delta_1: unit_open, delta_2: unit_open},
    where=(le(delta_1, delta_2),),
    role="sharper",
    improves="observer-worst",
    because=r"the difference is $\delta_1(1-\delta_2)(1-t_1)(1-t_2)$ with $t_i=\tanh(\varepsilon_i/2)$",
)

#: p_1 and q_2 are the chances e^eps/(1+e^eps) of the two; after the answer 1 of the second the first gives
#: its bit away with probability delta + eta (1-q), after the answer 0 with delta - eta q
leak_after = {1: "(delta_1 + eta*(1 - q_2))", 0: "(delta_1 - eta*q_2)"}
advantage = "(2*q_2 - 1) - max(0, 2*p_1*q_2 - 1)"

exactly_where = Optimality(
    "simultaneous.sharper",
    r"(16) is optimal for every function and measure if among the parties that a viewer has to guess all "
    r"$\delta_i$ are 0 or 1, or at most one is partial ($\delta_i<1$, not $\varepsilon_i=\delta_i=0$); in "
    r"all other cases some protocol is better for the XOR or the AND of two bits",
    derivation=(
        Derivation("Leaks that are coordinated", where=[
            "0 < delta_1 < 1", "delta_1 <= delta_2", "delta_2 < 1", "0 <= t_1 < 1", "0 <= t_2 < 1",
            "1/2 <= p_1 < 1", "1/2 < q_2 < 1", "eta > 0", "eta*q_2 <= delta_1",
            "eta*(1 - q_2) <= 1 - delta_1"])
        .cite("where each delta is 0 or 1, every transcript is made from the responses; a response of a "
              "party with delta = 1 is its bit", "kov/thm-5.1.simultaneous.corrected")
        .start("delta_1 + (delta_2 - delta_1)*t_1 + (1 - delta_2)*t_1*t_2")
        .eq("(delta_1 + (1 - delta_1)*t_1)*(delta_2 + (1 - delta_2)*t_2) "
            "+ delta_1*(1 - delta_2)*(1 - t_1)*(1 - t_2)",
            "two partial parties with delta > 0: the XOR with a coin that both see, t = tanh(eps/2)")
        .gt("(delta_1 + (1 - delta_1)*t_1)*(delta_2 + (1 - delta_2)*t_2)", "what (16) has")
        .state(f"q_2*{leak_after[1]} + (1 - q_2)*{leak_after[0]} == delta_1",
               "one with delta > 0 and one without, which answers first: a leak that depends on the answer "
               "is still allowed if the second bit is 1")
        .state(f"(1 - q_2)*{leak_after[1]} + q_2*{leak_after[0]} <= delta_1", "and if it is 0")
        .state(f"{leak_after[0]} >= 0", "both leaks are probabilities")
        .state(f"{leak_after[1]} <= 1")
        .start(f"{leak_after[1]}*(2*q_2 - 1) + (1 - {leak_after[1]})*max(0, 2*p_1*q_2 - 1)")
        .eq(f"delta_1*(2*q_2 - 1) + (1 - delta_1)*max(0, 2*p_1*q_2 - 1) + eta*(1 - q_2)*({advantage})",
            "AND is guessed to be 1 after the answer 1, if the first bit is surely 1, or likely enough")
        .gt("delta_1*(2*q_2 - 1) + (1 - delta_1)*max(0, 2*p_1*q_2 - 1)", "what (16) has")
        .cite("where the others say all or nothing, (15) bounds the leak of the one partial party for "
              "each of their bits, and its response dominates its two laws", "kov/thm-2.5")
    ),
    role="sharper",
    improves="simultaneous",
    because=(
        "a leak can be coordinated with a coin or with an answer, unless there is nobody to do it with"
    ),
)
