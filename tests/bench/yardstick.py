"""A fixed piece of plain Python that takes about as long as a single-purpose simulator's episode.

An episode a second means little by itself: machines differ, and are busy. Its ratio to this loop, timed in
the same breath, tells how much the journal, the fold and the guards cost beyond moving counters about.
"""

from __future__ import annotations

import math

STEPS, RECORDS, SIZE = 340, 14, 8


def yardstick() -> int:
    """A robot walks, fourteen beliefs are renewed now and then, and the nearest is looked for."""
    beliefs = {n: (n * 5 % SIZE, n * 3 % SIZE, 1.0, 0) for n in range(RECORDS)}
    x = y = moved = 0
    for t in range(STEPS):
        if t % 5 == 0:
            for n in range(RECORDS):
                if (n + t) % 3:
                    beliefs[n] = ((n * 7 + t) % SIZE, (n * 3 + t) % SIZE, 0.5 + (n + t) % 10 / 20, t)
        if t % 2 == 0:
            scores = [
                (-q * math.exp((stamp - t) / 18) / (1 + abs(bx - x) + abs(by - y)), n)
                for n, (bx, by, q, stamp) in beliefs.items()
            ]
            target = min(scores)[1]
        goal_x, goal_y, _, _ = beliefs[target]
        if x != goal_x:
            x += 1 if goal_x > x else -1
        elif y != goal_y:
            y += 1 if goal_y > y else -1
        moved += x + y
    return moved
