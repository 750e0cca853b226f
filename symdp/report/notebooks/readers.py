"""For whom a notebook is written: students get no solution, instructors see them all.

>>> Audience("student").suffix, Audience.ANYBODY.suffix
('_student', '')
"""

from __future__ import annotations

from enum import StrEnum


class Audience(StrEnum):
    #: solutions are there, folded
    ANYBODY = "anybody"
    #: no solution is in the file
    STUDENT = "student"
    #: solutions with their reasons, unfolded
    INSTRUCTOR = "instructor"

    @property
    def suffix(self) -> str:
        """Behind the name of a file, so that no version replaces another."""
        return "" if self is Audience.ANYBODY else f"_{self.value}"
