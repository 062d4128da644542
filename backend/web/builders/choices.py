"""The choices of a new episode that are the same everywhere, with what each means."""

from __future__ import annotations

from backend.domain.memory.configuration import NAMED
from backend.web.deps import AS_MISSION
from backend.web.pages.parts import Choice

_MEMORY_TEXTS = {
    "attention": "One record an entity; the planner sees the K that score highest. Log and notes are kept.",
    "unfiltered": "Every report as it came, the false ones too.",
    "static": "Where things were at the start.",
    "none": "Only what is visible now.",
    "oracle": "Where things really are. Simulators alone know.",
    "execution_grounded": "Log, notes and the frames that were watched for; no records.",
    "note_only": "The last note, the last 8 lines of the log, every frame.",
    "no_log": "As execution-grounded, with 8 lines of the log.",
    "no_notes": "As execution-grounded, with the last note alone.",
    "no_gating": "As execution-grounded, with every frame.",
    "no_inspect": "As execution-grounded, with demonstrations by stride.",
}
MEMORIES = (
    Choice(value=AS_MISSION, label="As the mission says", text="With its switches, K, decay and threshold."),
    *(
        Choice(value=name, label=name.replace("_", " ").capitalize(), text=_MEMORY_TEXTS.get(name, ""))
        for name in NAMED
    ),
)
POLICY_OF_MISSION = Choice(value=AS_MISSION, label="As the mission says", text="With its risk rules.")
MODES = (
    Choice(value="every_plan", label="Every plan", text="You approve each plan before its first step."),
    Choice(value="every_skill", label="Every skill", text="You approve each step."),
    Choice(value="on_risk", label="On risk", text="You are asked where a rule of the mission finds a risk."),
    Choice(
        value="auto", label="Nobody", text="Plans run as soon as they are valid. HOLD works all the same."
    ),
)
POLICIES = (POLICY_OF_MISSION, *MODES)
SITE_OF_MISSION = Choice(
    value=AS_MISSION, label="As the mission says", text="Its own site, else what the bridge declares."
)
SENDING = (
    Choice(
        value=AS_MISSION,
        label="As the mission says",
        text="Approved steps go to the robot, unless it says shadow.",
    ),
    Choice(
        value="shadow",
        label="Shadow",
        text="The planner proposes, you decide, and no step is sent: others drive the robot.",
    ),
)
CLOCKS = (
    Choice(value=AS_MISSION, label="As the mission says"),
    Choice(value="waits", label="Waits", text="The world stands still while planner or people decide."),
    Choice(value="runs", label="Runs", text="Time goes on meanwhile: reports come, plans may lapse."),
)
