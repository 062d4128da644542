"""Model output, robot strings and operators' words through the real console: whatever they hold, it stays
text."""

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine
from starlette.testclient import TestClient

from backend.domain.command.intents import Guide, Hold, Reject
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import Source
from backend.domain.query.query import Attempt, Proposal, Reply
from tests.persistence.episodes import fill, new_episode
from tests.support.drill import MISSION, Drill
from tests.web.hostile import BREAKOUT, MARKUP, REORDERING, TEMPLATE
from tests.web.html import Element, elements
from tests.web.stand import HX

HOSTILE = MARKUP + BREAKOUT + TEMPLATE + REORDERING
TABS = ("memory", "context", "exchange", "frames", "log", "audit")


@pytest.fixture(scope="module")
def poisoned(sqlite_engine: Engine) -> Drill:
    """Hostile in every string that anybody outside can choose."""
    drill = Drill(
        episode=new_episode(sqlite_engine, "hostile"),
        mission=replace(MISSION, title=HOSTILE, goal=HOSTILE, completion=HOSTILE, task_note=HOSTILE),
    )
    seen = Evidence(
        cls="bottle",
        pose=Pose(2.0, 2.0),
        confidence=0.9,
        source=Source.ONBOARD,
        stamp_s=1.0,
        entity=HOSTILE,
        sensed_by=HOSTILE,
    )
    drill.met_s = 1.0
    drill.tick(evidence=(seen,))
    for proposal in (None, Proposal(rationale=HOSTILE, note=HOSTILE, steps=())):
        request = drill.state.request
        assert request is not None
        attempt = Attempt(
            verdict="ok",
            detail=HOSTILE,
            model=HOSTILE,
            request={HOSTILE: [HOSTILE]},
            response={"text": HOSTILE},
        )
        drill.tick(
            replies=(
                Reply(
                    decision=request.decision, attempt=request.attempt, proposal=proposal, attempts=(attempt,)
                ),
            )
        )
        drill.moves += 1
        drill.move("ask_again")
    drill.move("reply", 0)
    drill.intent(Guide(text=HOSTILE))
    drill.moves += 1
    drill.intent(Reject(approval_id=drill.state.approval.id, reason=HOSTILE, stop_id="s"))  # type: ignore[union-attr]
    drill.move("reply", 0)
    drill.move("approve", 1)
    drill.move("outcome", 3)
    drill.moves += 1
    drill.intent(Hold(stop_id="stop-" + "x" * 8, reason=HOSTILE), actor="eve")
    fill(sqlite_engine, drill.episode, drill.commits)
    return drill


def harmful(found: Element) -> bool:
    if found.tag == "script":
        return not found.get("src").startswith("/static/")
    return any(name.startswith("on") or name in ("style", "srcdoc") for name in found.attributes)


@pytest.fixture(scope="module")
def pages(poisoned: Drill, client: TestClient) -> dict[str, str]:
    name, head = poisoned.episode, len(poisoned.events)
    paths = ["/episodes", "/episodes/list", *(f"/episodes/{name}?tab={tab}" for tab in TABS)]
    paths += [f"/episodes/{name}?at={at}" for at in range(1, head + 1)]
    return {path: client.get(path, headers=HX if path.endswith("list") else None).text for path in paths}


def test_no_page_holds_an_element_or_attribute_that_acts(pages: dict[str, str]) -> None:
    for path, text in pages.items():
        found = elements(text)
        assert [each for each in found if harmful(each)] == [], path
        assert [each for each in found if each.tag == "img" and each.get("src") == "x"] == [], path


def test_what_was_said_is_shown_as_it_was_said(pages: dict[str, str], poisoned: Drill) -> None:
    for tab in ("context", "exchange", "log", "audit"):
        text = pages[f"/episodes/{poisoned.episode}?tab={tab}"]
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text, tab
        assert "{{ 7 * 7 }}" in text, tab
        assert "\u202e" not in text, tab


def test_hostile_words_typed_into_a_form_come_back_as_text(client: TestClient, poisoned: Drill) -> None:
    typed = {"row": "r1", "r1.skill": HOSTILE, "r1.to.text": HOSTILE, "rationale": HOSTILE}
    answer = client.post(f"/episodes/{poisoned.episode}/plans", data=typed, headers=HX)
    assert answer.status_code in (409, 422)
    assert "&lt;script&gt;" in answer.text
    assert [each for each in elements(answer.text) if harmful(each)] == []


@pytest.mark.parametrize("query", [HOSTILE[:200], "%", "_", "\\", "'; DROP TABLE heads; --"])
def test_hostile_searches_find_nothing_and_break_nothing(client: TestClient, query: str) -> None:
    answer = client.get("/episodes", params={"q": query})
    assert answer.status_code == 200
    assert [each for each in elements(answer.text) if harmful(each)] == []


def test_json_for_the_islands_is_never_taken_for_a_page(client: TestClient, poisoned: Drill) -> None:
    answer = client.get(f"/episodes/{poisoned.episode}/map.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert HOSTILE[:3] in {entity["id"][:3] for entity in answer.json()["entities"]}
