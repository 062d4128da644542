"""What needs a person, over all episodes."""

from backend.web.pages.queue import QueueItem, QueueView
from backend.web.pages.view import View
from tests.web.examples.frame import NOW_MS


def item(episode: str, **more: object) -> QueueItem:
    made: dict[str, object] = {
        "mission": "Recycle Lab B",
        "key": "approval:a-14",
        "tone": "ask",
        "icon": "ask",
        "title": "Awaiting approval",
        "text": "Approve plan 14, 5 steps",
        "waited": "8 s",
        "since_ms": NOW_MS - 8000,
    }
    return QueueItem(episode=episode, **{**made, **more})  # type: ignore[arg-type]


ACTIVE = (
    item("0417", title="Approval lapses soon", left="0:22", ends_ms=NOW_MS + 22_000),
    item(
        "0415",
        mission="Atrium sweep",
        key="held:s-3",
        tone="alarm",
        icon="held",
        title="Held",
        text="Release or abort. Held by operator-2: person in aisle 3",
        waited="4:12",
        since_ms=NOW_MS - 252_000,
    ),
    item(
        "0411",
        mission="Tabletop PickXtimes",
        key="budget:tokens",
        tone="caution",
        icon="warn",
        title="Budget near its end",
        text="92 % of the tokens used",
        waited="",
        since_ms=None,
    ),
)
SEEN = (
    item(
        "0409",
        mission="Yard collection",
        key="link:1:4",
        tone="caution",
        icon="stale",
        title="Link stale",
        text="The robot is late",
        seen_by="operator-2",
    ),
)

RETURNED = (
    item(
        "0408",
        mission="Dock patrol",
        key="link:1:9:lost",
        tone="alarm",
        icon="bad",
        title="Link lost",
        text="The robot is silent",
        waited="3:10",
        since_ms=NOW_MS - 190_000,
        lasted="41 s",
    ),
    item(
        "0407",
        mission="Lab A, night round",
        key="restarts:4",
        tone="alarm",
        icon="bad",
        title="Runner keeps restarting",
        text="Its runner started 3 times within 10 minutes",
        waited="22:41",
        since_ms=NOW_MS - 1_361_000,
        lasted="9:58",
    ),
)

QUEUE = QueueView(active=ACTIVE, seen=SEEN, returned=RETURNED, may_acknowledge=True)
QUEUES: dict[str, View] = {
    "queue/asks": QUEUE,
    "queue/nobody asks": QueueView(active=(), seen=(), may_acknowledge=True),
    "queue/for a viewer": QueueView(active=ACTIVE, seen=SEEN, returned=RETURNED, may_acknowledge=False),
}
