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

QUEUE = QueueView(active=ACTIVE, seen=SEEN, may_acknowledge=True)
QUEUES: dict[str, View] = {
    "queue/asks": QUEUE,
    "queue/nobody asks": QueueView(active=(), seen=(), may_acknowledge=True),
    "queue/for a viewer": QueueView(active=ACTIVE, seen=SEEN, may_acknowledge=False),
}
