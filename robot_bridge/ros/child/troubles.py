"""What is wrong right now, in the operator's words: each is said until it has not come again for a while."""

from __future__ import annotations

import threading

from robot_bridge.ros.child.plain import whole

STAYS_S = 2.0
MOST = 12
LONGEST = 400
"""Characters of one: a stranger's text may be quoted in it."""


class Troubles:
    """Told from any thread; times are the caller's monotonic clock."""

    def __init__(self) -> None:
        self._said: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()

    def say(self, key: str, text: str, now_s: float) -> None:
        """`key` stands for one thing that can be wrong: a newer text replaces the older."""
        text = whole(text, LONGEST)
        with self._lock:
            self._said[key] = (text, now_s)

    def now(self, now_s: float) -> list[str]:
        with self._lock:
            self._said = {key: said for key, said in self._said.items() if now_s - said[1] <= STAYS_S}
            return [self._said[key][0] for key in sorted(self._said)][:MOST]
