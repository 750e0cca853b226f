"""How an expansion looks in the terminal."""

from __future__ import annotations

from symdp.arguments.series.expansion import Expansion
from symdp.arguments.series.remainders import Remainder
from symdp.formulas.printing import to_text
from symdp.report.terminal.screen import Screen, styled


def print_expansion(found: Expansion, kernel: Remainder) -> None:
    """The expansion, and whether the kernel has its remainder or only the code that computed it."""
    screen = Screen(whole=True)
    screen.say(styled(to_text(found.expr), "bold"), f" = {found.right_side()}")
    mark = styled("✓ proved", "green") if kernel.proofs else styled("∴ argued", "cyan")
    if found.is_exact:
        screen.say("  ", mark, "  exact: nothing is left out")
    else:
        screen.say("  ", mark, f"  C = {to_text(found.constant)}, r = {to_text(found.radius)}, "
                   f"next {to_text(found.scale)}")
    screen.say("  ", kernel.trust)
