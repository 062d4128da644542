"""Named points at which a test may kill the process, to prove that nothing is lost, unapproved or done twice.

`QUARTERDECK_FAILPOINT=NAME` or `NAME:N` sends SIGKILL to the process at the N-th pass of that point, and with
`QUARTERDECK_FAILPOINT_SIGNAL=STOP` SIGSTOP. With `QUARTERDECK_FAILPOINT_ONCE=FILE` that happens once, in
whichever process comes first: the file is made then and names it, and where it is there already nothing
happens. Unset, a point costs one comparison.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

NAMES = (
    "after-claim",
    "after-hello",
    "before-commit",
    "in-commit",
    "after-commit",
    "before-submit",
    "after-submit",
    "before-cancel",
    "after-cancel",
    "before-stop",
    "after-stop",
    "before-release",
    "after-release",
    "before-acknowledge",
    "after-acknowledge",
    "before-ask",
    "before-renew",
    "before-goodbye",
)
"""A runner's, in the order in which an episode passes them for the first time, from its claim to its end."""

OF_CONSOLES = ("before-put", "after-put", "after-tell")
"""A console's: around a command's way into the inbox, and once a bridge was told of a stop directly."""

_armed, _, _count = os.environ.get("QUARTERDECK_FAILPOINT", "").partition(":")
_passes_left = int(_count or 1)


def failpoint(name: str) -> None:
    if _armed and name == _armed:
        _pass()


def _pass() -> None:
    global _passes_left
    _passes_left -= 1
    if _passes_left == 0 and _is_first():
        stops = os.environ.get("QUARTERDECK_FAILPOINT_SIGNAL") == "STOP"
        os.kill(os.getpid(), signal.SIGSTOP if stops else signal.SIGKILL)


def _is_first() -> bool:
    once = os.environ.get("QUARTERDECK_FAILPOINT_ONCE")
    if not once:
        return True
    try:
        with Path(once).open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        return False
    return True
