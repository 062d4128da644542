"""A table with an arm, and a demonstration as it was watched."""

from backend.web.pages.frames import Circle
from backend.web.pages.parts import Empty, FieldError, plain, strong, strong_figure
from backend.web.pages.table import (
    ActionTold,
    CameraView,
    DemonstrationPanel,
    PartRow,
    Probe,
    SeenFrame,
    TablePanel,
    ViewRow,
)
from backend.web.pages.view import View

TABLE = TablePanel(
    episode="0417",
    at=None,
    instruction="Put the red cube into the bin, then press the button.",
    views=(
        CameraView(
            camera="front",
            sha256="f1",
            width_px=512,
            height_px=512,
            alt="Front camera at step 314",
            circles=(Circle(x_px=256, y_px=270, radius_px=28),),
            cursor_px=(256, 300),
        ),
        CameraView(
            camera="wrist",
            sha256="f2",
            width_px=512,
            height_px=512,
            alt="Wrist camera at step 314",
            has_depth=False,
        ),
    ),
    probe=Probe(
        cameras=(("front", True), ("wrist", False)),
        x_px="256",
        y_px="300",
        said=(plain("x "), strong_figure("0.149"), plain(" y "), strong_figure("0.001")),
        is_seen=True,
    ),
    facts=(("Step", "314 of 1,300"), ("Opening", "38 mm")),
    action=ActionTold(
        title="Action 6",
        asked="sequence move to (0.1, 0, 0.02) m",
        result="Failed: check_failed",
        tone="bad",
        measured="fingers 0 mm apart, 20 mm up",
        parts=(
            PartRow(
                number=1,
                asked="move to (0.1, 0, 0.02) m",
                check="gripper_opening_m >= 0.03",
                measured="0 mm open, 20 mm up, step 314",
                state="Check fails",
                tone="bad",
            ),
            PartRow(number=2, asked="wait 4 steps", check="", measured="", state="Not begun", tone="idle"),
        ),
    ),
    saved=(strong_figure("17"), strong(" images saved by gating"), plain(", of 47 frames recorded so far.")),
)
MISTYPED = TablePanel(
    episode="0417",
    at=212,
    instruction="Press the button.",
    probe=Probe(
        cameras=(("front", True),),
        x_px="999",
        y_px="0",
        errors=(FieldError(field="x_px", message="“999” is no pixel.", remedy="Write 0 to 511."),),
    ),
    saved=(plain("No frames were recorded between the views so far."),),
)
DEMONSTRATION = DemonstrationPanel(
    episode="0417",
    at=None,
    told=(strong("27 of 214 frames shown"), plain(": 23 skimmed, 4 in closer looks.")),
    segments=(
        {"name": "Segment 1", "frames": "0 to 191", "state": "seen"},
        {"name": "Segment 2", "frames": "192 to 213", "state": "now"},
    ),
    rows=(
        ViewRow(
            number=1,
            kind="Skim",
            segment="1 of 2",
            shown="23",
            asked="40-52",
            refused="Frames 300-310 are outside segment 1: they are not shown.",
            summary="The hand pushes the cube.",
            is_open=False,
            chosen="1",
        ),
        ViewRow(
            number=2,
            kind="Closer look",
            segment="1 of 2",
            shown="4",
            asked="waits for the planner",
            refused="",
            summary="",
            is_open=True,
            chosen="2",
        ),
    ),
    frames=(
        SeenFrame(number=40, sha256="f3", width_px=256, height_px=256, alt="Demonstration, frame 40"),
        SeenFrame(number=44, sha256="f4", width_px=256, height_px=256, alt="Demonstration, frame 44"),
    ),
    frames_title="View 2: closer look",
    summary="The hand pushes the cube.",
)

EXAMPLES: dict[str, View] = {
    "table": TABLE,
    "table-mistyped": MISTYPED,
    "table-none": TablePanel(
        episode="0417", at=None, instruction="", empty=Empty(title="No table here", text="It drives about.")
    ),
    "demonstration": DEMONSTRATION,
}
