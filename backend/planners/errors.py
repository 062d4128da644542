"""What the planners raise. A model's mistakes are never among it: they are verdicts of a reply.

PlannerError
├── PlannerConfigurationError   the settings cannot work: raised before anything is asked
├── RecordingError              a recording cannot be read or written
└── MissingPictureError         a frame that a query shows is not in the store; becomes a failed attempt
"""

from __future__ import annotations


class PlannerError(Exception):
    """A planner cannot be used as asked."""


class PlannerConfigurationError(PlannerError):
    """A setting is missing or wrong; the message names it and says how to mend it."""


class MissingPictureError(PlannerError):
    """A picture cannot be sent; the message names it and the remedy."""


class RecordingError(PlannerError):
    """A file of recorded exchanges is unreadable; the message names file, line and remedy."""
