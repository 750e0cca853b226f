"""What cannot be written as Coq yet, with its rule and the reason."""


class NotExportable(Exception):
    """A certificate that has no Coq file; says which rule or kind of formula stands in the way, and why."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(f"{rule}: {reason}")
        self.rule, self.reason = rule, reason
