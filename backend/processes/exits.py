"""Exit codes, of the command line and of the processes it starts (docs/reference/cli.md)."""

from enum import IntEnum


class Exit(IntEnum):
    OK = 0
    """Done. A runner: its episode has ended."""
    FELL_SHORT = 1
    """The mission ended without being completed, `verify` found faults, or `doctor` found something missing.
    """
    BAD_INPUT = 2
    """An argument, mission, setting or name is wrong. Nothing was started."""
    CANNOT_START = 3
    """Something outside is in the way: a port in use, another Quarterdeck on this home, no planner's key."""
    STORAGE = 4
    """The database or disk did not take what was to be written, or belongs to a newer version."""
    LOST_LEASE = 5
    """A runner: another one holds the episode now. It wrote and commanded nothing since."""
    LEASE_TAKEN = 6
    """A runner: another one holds the episode, or the robot serves another episode."""
    TOLD_TO_STOP = 7
    """A runner: it was told to stop before its episode ended; another goes on from there."""
    REFUSED = 8
    """A command was refused: something is otherwise than it takes it to be. Nothing was done."""
    BROKE = 70
    """A defect: the log says where."""
    INTERRUPTED = 130
    """Ctrl-C."""
