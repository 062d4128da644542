"""The list of episodes."""

import msgspec

from backend.web.pages.chrome import Page
from backend.web.pages.episodes import EpisodeGroup, EpisodeList, EpisodeRow, EpisodesPage
from backend.web.pages.parts import Choice, Empty, Link, Notice
from backend.web.pages.view import View
from tests.web.examples.frame import CHROME


def row(episode: str, **more: object) -> EpisodeRow:
    made = EpisodeRow(
        episode=episode,
        group="run",
        tone="quiet",
        icon="run",
        state="Running",
        mission="Recycle Lab A",
        robots="JetRover 3, Tello 2",
        what="deliver can_02 at metal",
        time="00:21:07",
        time_note="",
        delivered="7 of 11",
        delivered_share=7 / 11,
        budget="48 %",
        budget_share=0.48,
        budget_is_low=False,
        link="0.2 s",
        link_is_stale=False,
        conn="operator-4",
        action="Watch",
        hold="ready",
    )
    return msgspec.structs.replace(made, **more)


NEED = (
    row(
        "0417",
        group="need",
        tone="ask",
        icon="ask",
        state="Awaiting approval",
        mission="Recycle Lab B",
        robots="JetRover 1, Tello",
        what="Approve plan 14. Replan: can_07 moved 0.42 m",
        time="0:08",
        time_note="expires 0:52",
        delivered="4 of 15",
        delivered_share=4 / 15,
        budget="39 %",
        budget_share=0.39,
        link="Drone 3.4 s",
        link_is_stale=True,
        conn="You",
        action="Review plan",
    ),
    row(
        "0415",
        group="need",
        tone="alarm",
        icon="held",
        state="Held",
        mission="Atrium sweep",
        robots="JetRover 2",
        what="Release or abort. Held by operator-2: person in aisle 3",
        time="4:12",
        time_note="latched",
        delivered="2 of 9",
        delivered_share=2 / 9,
        budget="22 %",
        budget_share=0.22,
        conn="operator-2",
        action="Release…",
        hold="held",
    ),
    row(
        "0409",
        group="need",
        tone="alarm",
        icon="bad",
        state="Link lost",
        mission="Yard collection",
        robots="Husky 1",
        what="Robot silent for 18 s. Watchdog stopped it at 14:06:35",
        time="0:18",
        time_note="stopped",
        delivered="6 of 12",
        delivered_share=0.5,
        budget="61 %",
        budget_share=0.61,
        link="Robot 18 s",
        link_is_stale=True,
        conn="Nobody",
        action="Open",
    ),
    row(
        "0411",
        group="need",
        tone="caution",
        icon="warn",
        state="Budget",
        mission="Tabletop PickXtimes",
        robots="Panda 1",
        what="Raise or end. 92 % of 1.5 M tokens used, 3 of 5 placed",
        time="1:40",
        time_note="paused",
        delivered="3 of 5",
        delivered_share=0.6,
        budget="92 %",
        budget_share=0.92,
        budget_is_low=True,
        link="0.1 s",
        conn="operator-3",
        action="Open",
        hold="stopping",
    ),
)
RUN = (
    row("0418"),
    row(
        "0416",
        mission="Recycle Hall 2",
        robots="JetRover 4",
        what="navigate to bottle_21",
        time="00:03:44",
        delivered="1 of 8",
        delivered_share=1 / 8,
        budget="9 %",
        budget_share=0.09,
        link="0.3 s",
    ),
    row(
        "0412",
        mission="Grid DN-14, seed 37",
        robots="Simulator",
        what="grasp can_09",
        time="00:01:58",
        delivered="9 of 14",
        delivered_share=9 / 14,
        budget="55 %",
        budget_share=0.55,
        link="0.0 s",
        conn="Auto",
    ),
)
ENDED = (
    row(
        "0410",
        group="ended",
        icon="done",
        state="Complete",
        mission="Recycle Lab B",
        robots="JetRover 1, Tello",
        what="14 of 14 delivered in 00:31:20",
        time="13:22",
        delivered="14 of 14",
        delivered_share=1.0,
        budget="74 %",
        budget_share=0.74,
        link="ended",
        conn="operator-1",
        action="Replay",
        hold="none",
    ),
    row(
        "0407",
        group="ended",
        tone="caution",
        icon="warn",
        state="Failed",
        mission="Tabletop StopCube",
        robots="Panda 1",
        what="Pressed late, cube 31 mm past target",
        time="12:17",
        delivered="0 of 1",
        delivered_share=0.0,
        budget="12 %",
        budget_share=0.12,
        link="ended",
        conn="operator-3",
        action="Replay",
        hold="none",
    ),
)
GROUPS = (
    EpisodeGroup(
        name="need",
        title="Needs a person",
        note="Soonest to expire, then most severe, then longest waiting",
        what="What is asked",
        time="Waiting",
        rows=NEED,
    ),
    EpisodeGroup(name="run", title="Running", note="Nothing asked", what="Doing now", time="MET", rows=RUN),
    EpisodeGroup(
        name="ended", title="Ended today", note="Last 2 of 23", what="Outcome", time="Ended, UTC", rows=ENDED
    ),
)
LIST = EpisodeList(summary="4 need a person. 3 run by themselves.", query="", show="all", groups=GROUPS)
NOTHING = EpisodeList(
    summary="None yet.",
    query="lab z",
    show="all",
    notice=Notice(
        icon="bad",
        tone="alarm",
        title="Hold of 0409 is not confirmed.",
        text="The robot did not answer within 1 s.",
    ),
    groups=(
        msgspec.structs.replace(
            GROUPS[0],
            rows=(),
            note="",
            empty=Empty(title="Nobody is asked", text="No episode waits for a person."),
        ),
        msgspec.structs.replace(
            GROUPS[1],
            rows=(),
            note="",
            empty=Empty(
                title="Nothing runs",
                text="Start a mission to see it here.",
                way=Link(label="New episode", href="/episodes/new"),
            ),
        ),
    ),
)
SHOW = (
    Choice(value="all", label="All", chosen=True),
    Choice(value="mine", label="Mine"),
    Choice(value="simulators", label="Simulators"),
)
PAGE = EpisodesPage(
    chrome=msgspec.structs.replace(CHROME, title="Episodes"), list=LIST, filters=SHOW, may_start=True
)
EXAMPLES: dict[str, View] = {
    "episodes": PAGE,
    "episodes/none": msgspec.structs.replace(PAGE, list=NOTHING, may_start=False),
    "episodes/list": LIST,
    "episodes/row": NEED[0],
}
PAGES: dict[str, Page] = {"episodes": PAGE}
