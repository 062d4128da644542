"""New episode, sign in, errors."""

import msgspec

from backend.web.pages.error import ErrorPage
from backend.web.pages.new_episode import NewEpisodePage
from backend.web.pages.parts import Choice, FieldError, Link
from backend.web.pages.signin import SignInPage
from backend.web.pages.view import View
from tests.web.examples import policies
from tests.web.examples.frame import CHROME

NEW = NewEpisodePage(
    rules=policies.UNKNOWN,
    preview=policies.PREVIEW,
    chrome=msgspec.structs.replace(CHROME, title="New episode"),
    missions=(
        Choice(
            value="recycling-dn14",
            label="Recycling DN-14",
            text="14 containers on 8 × 8 cells; the drone is late and often wrong. 240 steps.",
            chosen=True,
        ),
        Choice(
            value="recycling-d10", label="Recycling D-10", text="10 containers on 7 × 7 cells. 150 steps."
        ),
        Choice(value="recycling-s6", label="Recycling S-6", text="6 containers on 5 × 5 cells. 80 steps."),
        Choice(
            value="recycling-reveal5",
            label="Recycling reveal-5",
            text="5 containers, 1 known at the start, 4 found on the way.",
        ),
    ),
    sites=(
        Choice(value="mission", label="As the mission says", text="Its own site.", chosen=True),
        Choice(value="wet-yard", label="The wet yard", text="1 regions, 1 of them closed; 2 rules."),
    ),
    modes=(
        Choice(value="mission", label="As the mission says", chosen=True),
        Choice(value="shadow", label="Shadow", text="No step is sent."),
    ),
    clocks=(
        Choice(value="mission", label="As the mission says", chosen=True),
        Choice(value="runs", label="Runs", text="Time goes on meanwhile: reports come, plans may lapse."),
    ),
    seed="1",
    planners=(
        Choice(value="policy", label="Policy", text="Nearest confident container. No model.", chosen=True),
        Choice(
            value="openai",
            label="Language model",
            text="No key is set: QUARTERDECK_OPENAI_API_KEY.",
            available=False,
        ),
        Choice(value="operator", label="A person", text="You write each plan; it is checked like any other."),
    ),
    memories=(
        Choice(
            value="attention",
            label="Attention",
            text="The 8 records that score highest; log and notes kept.",
            chosen=True,
        ),
        Choice(value="unfiltered", label="Unfiltered", text="Every report, as it came."),
        Choice(value="static", label="Static", text="Where things were at the start."),
        Choice(value="none", label="None", text="Only what is visible now."),
    ),
    policies=(
        Choice(value="every_plan", label="Every plan", text="You approve each plan.", chosen=True),
        Choice(value="every_skill", label="Every skill", text="You approve each step."),
        Choice(value="on_risk", label="On risk", text="You are asked where a rule finds a risk."),
        Choice(value="auto", label="Nobody", text="Plans run as soon as they are valid."),
    ),
)
SIGNIN = SignInPage(
    chrome=msgspec.structs.replace(CHROME, title="Sign in", user=None, needs_person=0),
    manner="link",
    next="/episodes",
)
ERROR = ErrorPage(
    chrome=msgspec.structs.replace(CHROME, title="No such episode"),
    status=404,
    title="There is no episode 9999",
    text="The list names the ones there are.",
    remedy="Check the number, or start a mission.",
    way=Link(label="Episodes", href="/episodes"),
)
EXAMPLES: dict[str, View] = {
    "new": NEW,
    "new/refused": msgspec.structs.replace(
        NEW,
        seed="seven",
        errors=(
            FieldError(
                field="seed", message="“seven” is no whole number.", remedy="Write digits, such as 7."
            ),
            FieldError(
                field="planner", message="The model did not answer the probe.", remedy="Choose another."
            ),
            FieldError(
                field="", message="The robot is taken.", remedy="Episode 0417 drives it; end that one first."
            ),
        ),
    ),
    "signin": SIGNIN,
    "signin/refused": msgspec.structs.replace(
        SIGNIN,
        errors=(
            FieldError(
                field="code",
                message="This link was used already.",
                remedy="Ask for another: quarterdeck signin-link.",
            ),
        ),
    ),
    "signin/account": msgspec.structs.replace(
        SIGNIN,
        manner="account",
        name="operator-1",
        errors=(
            FieldError(
                field="",
                message="Name or password is wrong.",
                remedy="Try again; after 5 tries wait a minute.",
            ),
        ),
    ),
    "error": ERROR,
    "error/failed": msgspec.structs.replace(
        ERROR,
        status=500,
        title="The console failed",
        text="What you asked for was not done.",
        remedy="Reload the page; if it stays, look at the server’s log.",
        kept="The journal is untouched, and HOLD works.",
    ),
}
