"""Plans by people over HTTP, through the real loop: checked as typed, saved, refused, and never lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient

from backend.domain.episode.events import ApprovalEdited, ApprovalGranted, PlanProposed, StepDispatched
from tests.web.html import Element, elements
from tests.web.stand import HERE, HX, Played, Stand
from tests.web.test_commands import conn, events, form_of, grant, state_of_card, waits

GO = {"row": ["r1"], "r1.skill": "navigate", "r1.to": "id:can_01"}


@pytest.fixture
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(waits).running() as played:
        yield played


@pytest.fixture
def composed(stand: Stand) -> Iterator[Played]:
    with (
        stand.play("s-6", planner="operator")
        .until(lambda state: state.request is not None)
        .running() as played
    ):
        yield played


def post(client: TestClient, played: Played, path: str, form: object, headers: object = HX) -> Response:
    return client.post(f"/episodes/{played.episode}/{path}", data=form, headers=headers)  # type: ignore[arg-type]


def opened(client: TestClient, played: Played) -> dict[str, list[str]]:
    """The form as the page shows it, as a browser would post it."""
    html = client.get(f"/episodes/{played.episode}/plan?edit=1", headers=HX).text
    return fields(elements(html))


def fields(found: list[Element]) -> dict[str, list[str]]:
    form: dict[str, list[str]] = {}
    for index, element in enumerate(found):
        if element.tag == "input" and element.has("name"):
            form.setdefault(element.get("name"), []).append(element.get("value"))
        if element.tag == "select":
            options = []
            for following in found[index + 1 :]:
                if following.tag not in ("option", "optgroup"):
                    break
                options.append(following)
            picked = next((each for each in options if each.has("selected")), options[0])
            form.setdefault(element.get("name"), []).append(picked.get("value"))
    return form


def edit(client: TestClient, played: Played, form: dict[str, list[str]], approval: str = "") -> Response:
    return post(client, played, f"approvals/{approval or form['approval'][0]}/edit", form)


def test_while_a_plan_is_edited_its_card_offers_no_approval(client: TestClient, played: Played) -> None:
    card = client.get(f"/episodes/{played.episode}/plan?edit=1", headers=HX).text

    assert "/grant" not in card
    assert "/rejection" not in card
    again = next(e for e in elements(card) if e.get("id") == "plan").get("hx-get")
    assert again == f"/episodes/{played.episode}/plan?edit=1"
    page = client.get(f"/episodes/{played.episode}?edit=1", headers=HERE).text
    assert 'id="editor"' in page
    assert "/grant" not in page


def test_the_form_holds_the_plan_and_a_check_of_it_changes_nothing(
    stand: Stand, client: TestClient, played: Played
) -> None:
    form = opened(client, played)
    seq = played.state.seq

    answer = post(client, played, "plans/draft", form)

    assert answer.status_code == 200
    assert "Nothing is changed yet." in answer.text
    assert fields(elements(answer.text)) == {**form, "seen_seq": [str(seq)]}
    assert played.state.seq == seq


def test_saved_it_is_the_operator_s_plan_and_waits(stand: Stand, client: TestClient, played: Played) -> None:
    before = form_of(played)
    first = played.state.approval.id  # type: ignore[union-attr]
    form = opened(client, played)
    form["row"] = form["row"][:3]
    form["rationale"] = ["Only pick it up."]

    answer = edit(client, played, form)

    assert answer.status_code == 200
    assert state_of_card(answer) == "awaiting"
    assert "op-1’s version" in answer.text
    assert "Removed" in answer.text
    [edited] = events(stand, played, ApprovalEdited)
    assert edited.actor == "operator:op-1"
    plan = events(stand, played, PlanProposed)[-1].event.plan
    assert (plan.author, len(plan.steps), plan.edits, plan.rationale) == ("op-1", 3, 1, "Only pick it up.")
    assert events(stand, played, ApprovalGranted) == []
    assert events(stand, played, StepDispatched) == []
    stale = grant(client, played, before, first)
    assert stale.status_code == 409
    assert events(stand, played, StepDispatched) == []


def test_a_stale_tab_s_edit_is_told_so_and_keeps_what_was_typed(client: TestClient, played: Played) -> None:
    stale = opened(client, played)
    form = opened(client, played)
    form["row"] = form["row"][:3]
    assert edit(client, played, form).status_code == 200

    stale["row"] = stale["row"][:2]
    answer = edit(client, played, stale)

    assert answer.status_code == 409
    assert "The plan that you edited no longer waits." in answer.text
    assert fields(elements(answer.text))["row"] == stale["row"]


WRONG: dict[str, tuple[dict[str, list[str]], str]] = {
    "no such entity": ({"r1.to": ["id:can_99"]}, "There is no entity or station &#39;can_99&#39; in memory."),
    "a broken precondition": ({"row": ["r3"]}, "Step 1 target: The robot has not gone to"),
    "no step": ({"row": []}, "It has no step."),
    "an unreadable cell": ({"r1.to": ["cell"], "r1.to.x": ["left"]}, "to: “left” is no number."),
    "an unknown skill": ({"r1.skill": ["fly"]}, "There is no skill &#39;fly&#39;."),
}


@pytest.mark.parametrize(("other", "says"), WRONG.values(), ids=WRONG)
def test_an_edit_that_cannot_run_is_refused_to_the_field_and_kept(
    client: TestClient, played: Played, other: dict[str, list[str]], says: str
) -> None:
    form = {**opened(client, played), **other}

    answer = edit(client, played, form)

    assert answer.status_code == 422
    assert says in answer.text
    kept = fields(elements(answer.text))
    assert all(kept.get(name, []) == value for name, value in other.items() if name != "r1.skill")
    assert waits(played.state)


def test_the_check_says_beside_the_field_what_is_wrong(client: TestClient, played: Played) -> None:
    answer = post(client, played, "plans/draft", {**opened(client, played), "r1.to": ["id:can_99"]})

    field = next(e for e in elements(answer.text) if e.get("id") == "editor-r1-to")
    assert field.get("aria-invalid") == "true"
    told = next(e for e in elements(answer.text) if e.get("id") == field.get("aria-describedby"))
    assert "There is no entity or station 'can_99' in memory." in told.text
    save = next(e for e in elements(answer.text) if e.get("id") == "editor-save")
    assert save.has("disabled")


def test_steps_are_moved_and_inserted_without_scripts(client: TestClient, played: Played) -> None:
    form = opened(client, played)
    form["op"] = [f"down:{form['row'][0]}"]

    answer = post(client, played, "plans/draft", form, HERE)

    assert "<html" in answer.text
    assert fields(elements(answer.text))["row"][:2] == [form["row"][1], form["row"][0]]
    assert "Moved" in answer.text
    form["op"] = [f"insert:{form['row'][0]}"]
    assert (
        len(fields(elements(post(client, played, "plans/draft", form).text))["row"]) == len(form["row"]) + 1
    )


def test_who_has_not_the_conn_saves_nothing(stand: Stand, client: TestClient, played: Played) -> None:
    form = opened(client, played)
    form["row"] = form["row"][:3]
    with stand.client("op-2") as other:
        assert conn(other, played, "take").status_code == 200
    answer = edit(client, played, form)
    assert answer.status_code == 409
    assert "op-2 has the conn." in answer.text
    with stand.client("watcher") as viewer:
        assert edit(viewer, played, form).status_code == 409


def test_a_plan_is_composed_from_nothing(client: TestClient, composed: Played) -> None:
    blank = opened(client, composed)
    assert blank["row"] == ["r1"]

    answer = post(client, composed, "plans", {**GO, "seen_seq": blank["seen_seq"]})

    assert answer.status_code == 200
    assert state_of_card(answer) == "awaiting"
    plan = composed.state.plan
    assert plan is not None
    assert (plan.author, plan.steps[0].arguments) == ("op-1", {"to": "can_01"})
    assert composed.state.dispatch is None


def test_a_plan_by_hand_that_does_not_fit_is_kept(client: TestClient, composed: Played) -> None:
    answer = post(client, composed, "plans", {**GO, "seen_seq": ["3"], "r1.to": "id:can_99"})

    assert answer.status_code == 422
    assert fields(elements(answer.text))["r1.to"] == ["id:can_99"]
    assert composed.state.plan is None


def test_no_plan_is_taken_where_one_stands(client: TestClient, played: Played) -> None:
    answer = post(client, played, "plans", {**GO, "seen_seq": [str(played.state.seq)]})

    assert answer.status_code == 409
    assert "Edit that one, or reject it." in answer.text


def test_a_page_that_saw_nothing_proposes_nothing(client: TestClient, composed: Played) -> None:
    answer = post(client, composed, "plans", GO)

    assert answer.status_code == 409
    assert "changed while the plan was being made" in answer.text
