"""How much the kernel has computed. A search stops by it; no rule looks at it."""


class Effort:
    """Terms made, and operations on ranges."""

    steps = 0
