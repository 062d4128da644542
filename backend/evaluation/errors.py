"""What goes wrong in a study, in the words of whoever started it.

EvaluationError
├── WrongStudy       a scenario, method, number or file that cannot be what was meant
├── EpisodeStuck     an episode that neither moves nor ends: a defect, never a result
├── WorkersLost      the pool broke more often than a crash now and then explains
└── SchedulerLost    the Dask scheduler cannot be reached
"""

from __future__ import annotations


class EvaluationError(Exception):
    """`field` is the option or value to look at, `remedy` what to do."""

    def __init__(self, message: str, *, field: str = "", remedy: str = "") -> None:
        super().__init__(f"{message} {remedy}".strip())
        self.message = message
        self.field = field
        self.remedy = remedy


class WrongStudy(EvaluationError):
    """The study cannot be run as it was asked for; nothing of it has been."""


class EpisodeStuck(EvaluationError):
    """An episode waits for something that nobody in it will do."""


class WorkersLost(EvaluationError):
    """Worker processes died again and again; what was finished is kept."""


class SchedulerLost(EvaluationError):
    """No Dask scheduler answers; what was finished is kept."""
