"""What goes wrong in a study, in the words of whoever started it.

EvaluationError
├── WrongStudy       a scenario, method, number or file that cannot be what was meant
├── NoSuchEpisode    no row of a run has this place
├── NotYetRebuilt    the episode is being played again; it is there in a while
├── MixedCode        an interrupted run was begun by other code than this
├── PlannerLost      the model's server answers no more
├── NotAsRecorded    recorded answers no longer give the episode that they came from
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


class NoSuchEpisode(EvaluationError):
    """No episode of a run stands there."""


class NotYetRebuilt(EvaluationError):
    """A long episode is still being played again."""


class MixedCode(EvaluationError):
    """Going on would put two states of the code into one table."""


class PlannerLost(EvaluationError):
    """The server of a model cannot be asked; what was finished is kept."""


class NotAsRecorded(EvaluationError):
    """An episode played from its recorded exchanges went another way; what was finished is kept."""


class EpisodeStuck(EvaluationError):
    """An episode waits for something that nobody in it will do."""


class WorkersLost(EvaluationError):
    """Worker processes died again and again; what was finished is kept."""


class SchedulerLost(EvaluationError):
    """No Dask scheduler answers; what was finished is kept."""
