"""When a recycling mission is complete."""

import pytest
from msgspec.structs import replace

from backend.domain.mission.completion import correctly_delivered, is_complete
from tests.domain.memory.test_arbitration import KNOWN

RECORDS = {
    "can_1": replace(KNOWN, id="can_1", cls="can"),
    "can_2": replace(KNOWN, id="can_2", cls="can"),
    "bottle_1": replace(KNOWN, id="bottle_1", cls="bottle"),
}
ASSIGNED = {"can": "west", "bottle": "east"}
HOME = {"can_1": "west", "can_2": "west", "bottle_1": "east"}

TABLE = {
    "all at their stations, nothing held": (3, None, HOME, True, 3),
    "one is still held": (3, "can_2", HOME, False, 3),
    "one is missing": (3, None, {"can_1": "west", "can_2": "west"}, False, 2),
    "one stands at the wrong station": (3, None, HOME | {"bottle_1": "west"}, False, 2),
    "nothing delivered yet": (3, None, {}, False, 0),
    "more than were asked for": (2, None, HOME, True, 3),
    "a mission without a number never ends by itself": (0, None, HOME, False, 3),
}


@pytest.mark.parametrize(
    ("total", "held", "delivered", "complete", "correct"), TABLE.values(), ids=TABLE.keys()
)
def test_completion(
    total: int, held: str | None, delivered: dict[str, str], complete: bool, correct: int
) -> None:
    assert is_complete(total, held, delivered, RECORDS, ASSIGNED) is complete
    assert correctly_delivered(delivered, RECORDS, ASSIGNED) == correct
