"""Who is asked, changed over HTTP while the mission runs; what it would have asked; words to the planner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient

from backend.domain.command.policy import Policy, RiskRules
from backend.domain.episode.events import GuidanceGiven, InstructionsChanged, PolicyChanged, StepDispatched
from backend.web.ruling import read_policy
from tests.domain.plans.samples import MOBILE
from tests.web.html import elements
from tests.web.stand import HERE, HX, Played, Stand
from tests.web.test_commands import conn, events, waits


@pytest.fixture
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(waits).running() as played:
        yield played


def form_of(played: Played, mode: str, **rules: object) -> dict[str, object]:
    risk = played.state.policy.risk
    shown = {
        "shown": played.state.policy.digest,
        "policy": mode,
        "confidence_below": risk.confidence_below,
        "belief_older_s": risk.belief_older_s,
        "distance_above_m": "",
        "first_plan_after_failure": "on",
        "record_disputed": "on",
    }
    return {**shown, **rules}


def post(client: TestClient, played: Played, path: str, form: object, headers: object = HERE) -> Response:
    return client.post(f"/episodes/{played.episode}/{path}", data=form, headers=headers)  # type: ignore[arg-type]


def test_the_policy_is_changed_and_what_waits_goes_on_waiting(
    stand: Stand, client: TestClient, played: Played
) -> None:
    answer = post(client, played, "policy", form_of(played, "auto"))

    assert (answer.status_code, answer.headers["location"]) == (303, f"/episodes/{played.episode}/policy")
    [changed] = events(stand, played, PolicyChanged)
    assert (changed.actor, changed.event.new.mode) == ("operator:op-1", "auto")
    assert waits(played.state)
    assert events(stand, played, StepDispatched) == []
    page = client.get(f"/episodes/{played.episode}/policy", headers=HERE).text
    chosen = [e.get("value") for e in elements(page) if e.get("type") == "radio" and e.has("checked")]
    assert chosen == ["auto"]
    card = client.get(f"/episodes/{played.episode}/plan", headers=HX).text
    assert "Asks nobody" in card


WRONG = {
    "no number": ({"confidence_below": "low"}, "“low” is no number."),
    "out of range": ({"confidence_below": "1.5"}, "1.5 is out of range."),
    "no finite number": ({"belief_older_s": "inf"}, "inf is out of range."),
    "a skill that it has not": ({"skills": "grapsp"}, "Did you mean grasp?"),
    "no mode": ({"policy": "sometimes"}, "Nothing is chosen."),
}


@pytest.mark.parametrize(("other", "says"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_meant_is_told_beside_its_field_and_kept(
    stand: Stand, client: TestClient, played: Played, other: dict[str, str], says: str
) -> None:
    answer = post(client, played, "policy", form_of(played, "on_risk", **other))

    assert answer.status_code == 422
    assert says in answer.text
    assert events(stand, played, PolicyChanged) == []
    [name] = [name for name in other if name not in ("skills", "policy")] or [""]
    if name:
        field = next(e for e in elements(answer.text) if e.get("id") == f"rule-{name}")
        assert (field.get("value"), field.get("aria-invalid")) == (other[name], "true")


def test_a_page_that_is_stale_or_not_allowed_changes_nothing(
    stand: Stand, client: TestClient, played: Played
) -> None:
    stale = form_of(played, "on_risk")
    assert post(client, played, "policy", form_of(played, "every_skill")).status_code == 303
    answer = post(client, played, "policy", stale)
    assert answer.status_code == 409
    assert "The policy was changed since." in answer.text
    with stand.client("watcher") as viewer:
        assert post(viewer, played, "policy", form_of(played, "auto")).status_code == 409
        assert post(viewer, played, "instructions", {"instructions": "x", "shown": ""}).status_code == 409
    assert len(events(stand, played, PolicyChanged)) == 1


def test_the_preview_counts_the_mission_s_last_episodes(stand: Stand, client: TestClient) -> None:
    for mode in ("auto", "every_plan"):
        played = stand.play("reveal-5", policy=Policy(mode=mode))  # type: ignore[arg-type]
        if mode == "auto":
            played.until(lambda state: state.ending is not None)
    played.until(waits)

    answer = post(client, played, "policy/preview", form_of(played, "every_plan"), HX)

    plans = sum(each.state.plans for each in stand.played.values() if each.state.mission.name == "reveal-5")
    assert answer.status_code == 200
    assert f"Would have asked {plans} times" in answer.text
    assert f"In the last 2 episodes of this mission, with {plans} plans" in answer.text
    nobody = post(client, played, "policy/preview", form_of(played, "auto"), HX).text
    assert "Would have asked 0 times" in nobody
    risky = post(client, played, "policy/preview", form_of(played, "on_risk", skills="grasp"), HX).text
    assert "Skill in the list" in risky
    wrong = post(client, played, "policy/preview", form_of(played, "on_risk", belief_older_s="old"), HX)
    assert "“old” is no number." in wrong.text


def test_instructions_stand_and_notes_are_kept_to_the_letter(
    stand: Stand, client: TestClient, played: Played
) -> None:
    said = "Keep to the left.\r\n<b>Ask</b> before the gate."
    assert post(client, played, "instructions", {"instructions": said, "shown": ""}).status_code == 303
    assert post(client, played, "notes", {"guidance": "Mind the shelf."}).status_code == 303

    [changed] = events(stand, played, InstructionsChanged)
    assert changed.event.text == said.replace("\r\n", "\n")
    assert [each.event.text for each in events(stand, played, GuidanceGiven)] == ["Mind the shelf."]
    page = client.get(f"/episodes/{played.episode}/policy", headers=HERE).text
    assert "&lt;b&gt;Ask&lt;/b&gt; before the gate." in page
    assert "Mind the shelf." in page
    stale = post(client, played, "instructions", {"instructions": "Other.", "shown": ""})
    assert stale.status_code == 409
    assert "Other." in stale.text
    assert post(client, played, "notes", {"guidance": " "}).status_code == 422
    assert (
        post(client, played, "instructions", {"instructions": "x" * 4001, "shown": said}).status_code == 422
    )


def test_only_who_has_the_conn_is_offered_the_change(
    stand: Stand, client: TestClient, played: Played
) -> None:
    with stand.client("op-2") as other:
        assert conn(other, played, "take").status_code == 200
    page = client.get(f"/episodes/{played.episode}/policy", headers=HERE).text
    save = next(e for e in elements(page) if e.get("id") == "policy-save")
    assert save.has("disabled")
    assert "op-2 has the conn." in page


def test_the_form_reads_what_a_mission_file_says() -> None:
    form = [
        ("policy", "on_risk"),
        ("confidence_below", "0,7"),
        ("belief_older_s", ""),
        ("distance_above_m", "12.5"),
        ("skills", "grasp, deliver"),
        ("record_disputed", "on"),
    ]

    assert read_policy(form, MOBILE) == Policy(
        mode="on_risk",
        risk=RiskRules(
            confidence_below=0.7,
            belief_older_s=None,
            distance_above_m=12.5,
            skills=("grasp", "deliver"),
            first_plan_after_failure=False,
            record_disputed=True,
        ),
    )


ORDER = {"mission": "s-6", "seed": "1", "planner": "policy", "policy": "on_risk", "rules": "own"}


def test_a_new_episode_is_started_with_rules_of_its_own(stand: Stand, client: TestClient) -> None:
    rules = {"confidence_below": "0.9", "belief_older_s": "", "distance_above_m": "", "skills": "grasp"}
    answer = client.post("/episodes", data={**ORDER, **rules}, headers=HERE)

    assert answer.status_code == 303
    assert rules_in_force(stand, answer) == RiskRules(
        confidence_below=0.9,
        belief_older_s=None,
        skills=("grasp",),
        first_plan_after_failure=False,
        record_disputed=False,
    )
    wrong = client.post("/episodes", data={**ORDER, **rules, "confidence_below": "low"}, headers=HERE)
    assert wrong.status_code == 422
    assert "“low” is no number." in wrong.text
    without = {name: value for name, value in ORDER.items() if name != "rules"}
    assert rules_in_force(stand, client.post("/episodes", data=without, headers=HERE)) == RiskRules()


def rules_in_force(stand: Stand, started: Response) -> RiskRules:
    return stand.played[started.headers["location"].rpartition("/")[2]].state.policy.risk


def test_the_rules_of_a_new_episode_are_tried_first(stand: Stand, client: TestClient) -> None:
    stand.play("d-10", policy=Policy(mode="auto")).until(lambda state: state.plans == 3)
    form = {**ORDER, "mission": "d-10", "policy": "mission", "skills": "grasp"}

    answer = client.post("/episodes/new/preview", data=form, headers=HX)

    assert "Would have asked 3 times" in answer.text
