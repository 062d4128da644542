"""What surrounds the panels: chrome, status bar in each phase, replay banner, timeline, notices."""

import msgspec

from backend.web.pages.bar import HoldControl, LinkAge, Phase, Replay, StatusBar
from backend.web.pages.chrome import Chrome, NoticeView, User
from backend.web.pages.conn import Conn, ConnRequest
from backend.web.pages.parts import FieldError, Link, Notice, figure, plain, strong
from backend.web.pages.timeline import AbortSheet, TimelineView
from backend.web.pages.view import View

NOW_MS = 1_796_047_611_000  # 2026-11-30T14:06:51Z
MET_S = 872.0
HEAD = 1904

CHROME = Chrome(
    title="Episode 0417, awaiting approval",
    server_ms=NOW_MS,
    utc="14:06:51",
    utc_iso="2026-11-30T14:06:51Z",
    user=User(name="operator-1", initials="O1", role="operator"),
    needs_person=4,
)

LINKS = (
    LinkAge(key="server", label="Server", text="0.1 s", state="fresh", age_s=0.1),
    LinkAge(key="robot:jetrover", label="Robot", text="0.2 s", state="fresh", age_s=0.2),
    LinkAge(key="source:drone", label="Drone", text="3.4 s", state="stale", age_s=3.4),
    LinkAge(key="planner", label="Planner", text="idle 8 s", state="idle"),
)
LINKS_LOST = (
    LINKS[0],
    LinkAge(key="robot:jetrover", label="Robot", text="18 s", state="down", age_s=18.0),
    *LINKS[2:],
)

MINE = Conn(label="You have the conn", who="operator-1", initials="O1", offers=("give_up",))
THEIRS = Conn(label="Has the conn", who="operator-2", initials="O2", offers=("ask",), other="operator-2")
NOBODYS = Conn(label="Nobody has the conn", who="–", initials="–", offers=("take",))
WATCHING = Conn(label="Has the conn", who="operator-2", initials="O2")

ASKED_OF_ME = msgspec.structs.replace(
    MINE,
    other="operator-2",
    request=ConnRequest(
        text=(strong("operator-2"), plain(" asks for the conn: “I see the robot.”")),
        tone="ask",
        offers=("hand_over", "keep"),
        ends_ms=NOW_MS + 12_000,
        left="0:12",
        look_again_s=12,
    ),
)
I_ASKED = msgspec.structs.replace(
    THEIRS,
    offers=(),
    request=ConnRequest(
        text=(plain("You asked operator-2 for the conn."),),
        ends_ms=NOW_MS + 12_000,
        left="0:12",
        look_again_s=12,
    ),
)
UNANSWERED = msgspec.structs.replace(
    THEIRS,
    offers=(),
    request=ConnRequest(
        text=(strong("operator-2"), plain(" did not answer.")), tone="ask", offers=("take_over",)
    ),
)
KEPT = msgspec.structs.replace(
    THEIRS,
    offers=(),
    request=ConnRequest(
        text=(strong("operator-2"), plain(" keeps the conn: “Nearly done.”")), offers=("ask",)
    ),
)


def bar(phase: Phase, hold: HoldControl, conn: Conn = MINE, **more: object) -> StatusBar:
    made = StatusBar(
        episode="0417",
        at=None,
        title="Episode 0417",
        mission="Recycle Lab B",
        counted="Delivered",
        delivered="4 of 15",
        calls="31 of 80",
        phase=phase,
        met="00:14:32",
        met_s=MET_S,
        met_runs=True,
        utc="14:06:51",
        utc_iso="2026-11-30T14:06:51Z",
        links=LINKS,
        conn=conn,
        hold=hold,
    )
    return msgspec.structs.replace(made, **more)


READY = HoldControl(state="ready")
AWAITING = bar(
    Phase(icon="ask", title="Awaiting approval", detail=(plain("Plan 14, robot standing by"),), tone="ask"),
    READY,
)
EXECUTING = bar(
    Phase(icon="run", title="Executing", detail=(plain("Step 2 of 5, approach can_07"),)), READY, THEIRS
)
PLANNING = bar(
    Phase(icon="idle", title="Planning", detail=(plain("Call 32, "), figure("1.4 s", utc_ms=NOW_MS - 1400))),
    READY,
    NOBODYS,
)
STOPPING = bar(
    Phase(
        icon="stale",
        title="Stopping",
        detail=(plain("Asked "), figure("0.3 s", utc_ms=NOW_MS - 300), plain(" ago, not confirmed")),
        tone="pending",
    ),
    HoldControl(state="stopping", note="not confirmed"),
    WATCHING,
)
HELD = bar(
    Phase(
        icon="held",
        title="Held by operator-1",
        detail=(plain("Bridge confirmed "), figure("14:07:02")),
        tone="alarm",
    ),
    HoldControl(state="held", note="release…"),
)
LOST = bar(
    Phase(
        icon="bad",
        title="Link lost",
        detail=(plain("Watchdog stopped it "), figure("14:06:35")),
        tone="alarm",
    ),
    HoldControl(state="ready"),
    links=LINKS_LOST,
)
COMPLETE = bar(
    Phase(icon="done", title="Complete", detail=(plain("15 of 15 delivered"),)),
    HoldControl(state="gone"),
    WATCHING,
    delivered="15 of 15",
    met_runs=False,
)
REPLAYED = bar(
    Phase(icon="history", title="Replay", detail=(plain("Live waits for you: plan 14"),), tone="replay"),
    HoldControl(state="ready", note="live robot"),
    Conn(label="You have the conn", who="Live, not here", initials="O1", offers=("give_up",)),
    at=1287,
    delivered="3 of 12",
    calls="19 of 80",
    met="00:09:48",
    met_s=588.0,
    met_runs=False,
    utc="14:02:07",
    utc_iso="2026-11-30T14:02:07Z",
    links=tuple(
        LinkAge(key=key, label=label, text=f"{age} s", state="fresh", age_s=age)
        for key, label, age in (
            ("server", "Server", 0.1),
            ("robot:jetrover", "Robot", 0.2),
            ("source:drone", "Drone", 0.4),
            ("planner", "Planner", 2.1),
        )
    ),
)

REPLAY = Replay(episode="0417", at=1287, met="00:09:48", behind="4:44 min before live")

LIVE_TIMELINE = TimelineView(
    episode="0417",
    at=None,
    met="00:14:32",
    met_s=MET_S,
    seq=HEAD,
    seq_text="1,904",
    head=HEAD,
    back=HEAD - 1,
    forward=None,
    may_abort=True,
)
ABORT = AbortSheet(
    episode="0417",
    consequence="11 of 15 are not delivered. The robot holds can_07 and keeps it. "
    "The journal stays; the episode cannot go on.",
)
TIMELINES = {
    "timeline/live": LIVE_TIMELINE,
    "timeline/aborting": msgspec.structs.replace(LIVE_TIMELINE, aborting=ABORT),
    "timeline/over": msgspec.structs.replace(LIVE_TIMELINE, may_abort=False, is_over=True),
    "timeline/replayed": msgspec.structs.replace(
        LIVE_TIMELINE,
        at=1287,
        met="00:09:48",
        met_s=588.0,
        seq=1287,
        seq_text="1,287",
        back=1286,
        forward=1288,
        may_abort=False,
    ),
    "timeline/at the first event": msgspec.structs.replace(
        LIVE_TIMELINE, at=1, seq=1, seq_text="1", met="00:00:00", met_s=0.0, back=None, forward=2
    ),
}

EXAMPLES: dict[str, View] = {
    "bar/awaiting": AWAITING,
    "bar/conn asked of me": msgspec.structs.replace(AWAITING, conn=ASKED_OF_ME),
    "bar/conn asked by me": msgspec.structs.replace(EXECUTING, conn=I_ASKED),
    "bar/conn unanswered": msgspec.structs.replace(EXECUTING, conn=UNANSWERED),
    "bar/conn kept": msgspec.structs.replace(EXECUTING, conn=KEPT),
    "bar/executing": EXECUTING,
    "bar/planning": PLANNING,
    "bar/stopping": STOPPING,
    "bar/held": HELD,
    "bar/link lost": LOST,
    "bar/complete": COMPLETE,
    "bar/replayed": REPLAYED,
    "replay": REPLAY,
    **TIMELINES,
    "abort": ABORT,
    "abort/refused": msgspec.structs.replace(
        ABORT,
        reason="gripper servo hot",
        errors=(
            FieldError(
                field="reason",
                message="operator-2 has the conn.",
                remedy="Take it over first; your words are kept.",
            ),
        ),
    ),
    "notice": NoticeView(
        notice=Notice(
            icon="bad",
            tone="alarm",
            title="You are signed out.",
            text="Your session ended. What you typed is kept.",
            way=Link(label="Sign in", href="/signin?next=/episodes/0417"),
        )
    ),
    "notice/none": NoticeView(notice=None),
}
