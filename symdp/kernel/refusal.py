"""Why something is not accepted: a reason in one line. **Trusted.**"""


class Refusal(Exception):
    """What all refusals are.

    >>> Refusal.unless(1 < 2, "one is less than two")
    """

    @classmethod
    def unless(cls, fact: object, reason: str) -> None:
        """Refuse, for that reason, if the fact does not hold."""
        if not fact:
            raise cls(reason)
