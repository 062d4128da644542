"""Named points at which a test may kill the process, to prove that nothing is lost, unapproved or done twice.

`QUARTERDECK_FAILPOINT=NAME` or `NAME:N` sends SIGKILL to the process at the N-th pass of that point. Unset, it costs one
comparison.
"""

from __future__ import annotations

import os
import signal

NAMES = (
    "before-commit",
    "after-commit",
    "before-submit",
    "after-submit",
    "before-acknowledge",
    "after-acknowledge",
)

_armed, _, _count = os.environ.get("QUARTERDECK_FAILPOINT", "").partition(":")
_passes_left = int(_count or 1)


def failpoint(name: str) -> None:
    if _armed and name == _armed:
        _pass()


def _pass() -> None:
    global _passes_left
    _passes_left -= 1
    if _passes_left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
