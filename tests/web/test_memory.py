"""Correcting memory by the page's own forms, through the real loop: shown, confirmed, refused, undone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from starlette.responses import Response
from starlette.testclient import TestClient

from backend.domain.episode.events import ApprovalSuperseded, IntentRefused, RecordCorrected
from backend.domain.memory.record import Status
from backend.web.pages.memory import ScoreData
from tests.web.html import elements
from tests.web.stand import HERE, HX, Played, Stand
from tests.web.test_commands import conn, events, waits

PLACE = {"x_m": "2", "y_m": "3"}


@pytest.fixture
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(waits).running() as played:
        yield played


def target(played: Played) -> str:
    """What the plan that waits is about."""
    assert played.state.plan is not None
    return str(played.state.plan.target)


def drafted(client: TestClient, played: Played, do: str, chosen: str = "", **typed: str) -> Response:
    """The form of a correction, filled in, with what it would do."""
    asked = {"do": do, "chosen": chosen, **typed}
    return client.get(f"/episodes/{played.episode}/memory", params=asked, headers=HX)


def form_of(answer: Response) -> dict[str, str]:
    """What the Confirm button posts."""
    text = answer.text[answer.text.index('class="confirm"') :]
    inputs = [
        element
        for element in elements(text[text.index(">") + 1 : text.index("</form>")])
        if element.tag == "input"
    ]
    return {each.get("name"): each.get("value") for each in inputs}


def confirm(client: TestClient, played: Played, form: dict[str, str], headers: Any = HX) -> Response:
    return client.post(f"/episodes/{played.episode}/corrections", data=form, headers=headers)


def said(answer: Response) -> str:
    """As it is read."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.text))


def test_what_it_would_set_off_is_shown_then_confirmed(
    stand: Stand, client: TestClient, played: Played
) -> None:
    entity, version = target(played), played.state.seq
    shown = drafted(client, played, "move", entity, **PLACE)
    assert f"Pose of {entity}" in said(shown)
    assert "The waiting approval of plan 1 lapses." in said(shown)
    assert "Plan 1 is dropped" in said(shown)
    assert played.state.seq == version, "looking changes nothing"
    answer = confirm(client, played, {**form_of(shown), "reason": "It stands beside me."})
    assert answer.status_code == 200
    assert f"Moved {entity}." in said(answer)
    assert "It stands beside me." in said(answer)
    [corrected] = events(stand, played, RecordCorrected)
    assert (corrected.actor, corrected.event.reason) == ("operator:op-1", "It stands beside me.")
    assert events(stand, played, ApprovalSuperseded)[0].event.cause.entity == entity


def test_a_record_that_changed_since_gets_409_with_the_fresh_one(
    stand: Stand, client: TestClient, played: Played
) -> None:
    entity = target(played)
    first, second = (
        drafted(client, played, "move", entity, **place) for place in (PLACE, {"x_m": "4", "y_m": "4"})
    )
    assert confirm(client, played, form_of(first)).status_code == 200
    answer = confirm(client, played, form_of(second))
    assert answer.status_code == 409
    assert f"{entity} has changed since the page showed it: observed at (2, 3) m" in said(answer)
    assert "Your correction changed nothing." in said(answer)
    assert form_of(answer)["seen_0"] != form_of(second)["seen_0"]
    assert events(stand, played, IntentRefused)[-1].event.code == "stale_record"
    assert confirm(client, played, form_of(answer)).status_code == 200


def test_a_blast_that_was_not_shown_gets_409_with_what_it_is_now(client: TestClient, played: Played) -> None:
    form = {**form_of(drafted(client, played, "move", target(played), **PLACE)), "blast": "0" * 16}
    answer = confirm(client, played, form)
    assert answer.status_code == 409
    assert "This correction would now do: pose of" in said(answer)
    assert form_of(answer)["blast"] != form["blast"]


WRONG = {
    "outside the map": ("move", {"x_m": "99", "y_m": "3"}, "is outside the map. Choose x from 0"),
    "no number": ("move", {"x_m": "left", "y_m": "3"}, "“left” is no number."),
    "half a place": ("move", {"x_m": "3"}, "Nothing is written here."),
    "no such class": ("reclass", {"cls": "dragon"}, "No station takes class"),
    "itself": ("merge", {"other": "SELF"}, "is one record already."),
    "nobody": ("merge", {"other": "nobody"}, "Memory has no record"),
    "the status it has": ("set_status", {"status": "observed"}, "is observed already."),
    "not locked": ("unlock", {"field": "pose"}, "is not locked."),
    "no correction": ("undo", {"of": "1"}, "is no correction that can be undone."),
}  # fmt: skip


@pytest.mark.parametrize(("do", "typed", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_before_it_can_be_confirmed(
    client: TestClient, played: Played, do: str, typed: dict[str, str], message: str
) -> None:
    entity = target(played)
    typed = {name: value.replace("SELF", entity) for name, value in typed.items()}
    answer = drafted(client, played, do, entity, **typed)
    assert answer.status_code == 200
    assert message in said(answer)
    assert "blast" not in form_of(answer)


def test_a_post_that_cannot_be_read_is_shown_again_with_the_field(client: TestClient, played: Played) -> None:
    answer = confirm(client, played, {"do": "move", "chosen": target(played), "x_m": "left", "y_m": "3"})
    assert answer.status_code == 422
    assert "“left” is no number." in said(answer)
    assert 'value="left"' in answer.text


def test_who_may_not_command_is_told_why(stand: Stand, played: Played) -> None:
    entity = target(played)
    with stand.client("op-2") as holder, stand.client("op-1") as other, stand.client("watcher") as viewer:
        form = form_of(drafted(other, played, "move", entity, **PLACE))
        assert conn(holder, played, "take").status_code == 200
        answer = confirm(other, played, form)
        assert (answer.status_code, "op-2 has the conn." in said(answer)) == (409, True)
        sheet = drafted(viewer, played, "move", entity, **PLACE)
        assert 'id="correction"' not in sheet.text
        assert "You may watch and hold." in said(sheet)
        assert confirm(viewer, played, form).status_code == 409
    assert played.state.memory.records[entity].words == ()


def test_a_correction_is_undone_from_the_list(client: TestClient, played: Played) -> None:
    entity = target(played)
    confirm(client, played, form_of(drafted(client, played, "remove", entity)))
    assert played.state.memory.records[entity].status is Status.REMOVED
    listed = client.get(f"/episodes/{played.episode}/memory?view=corrections", headers=HX)
    assert f"Removed {entity}" in said(listed)
    seq = str(played.state.corrections[-1].seq)
    answer = confirm(client, played, form_of(drafted(client, played, "undo", of=seq)))
    assert "Undid the correction of event" in said(answer)
    assert played.state.memory.records[entity].status is Status.OBSERVED


def test_without_scripts_the_same_forms_work(client: TestClient, played: Played) -> None:
    entity = target(played)
    asked = {"tab": "memory", "chosen": entity, "do": "lock", "field": "pose"}
    page = client.get(f"/episodes/{played.episode}", params=asked)
    assert "No plan, approval or step rests on it." in said(page)
    answer = confirm(client, played, form_of(page), HERE)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/episodes/{played.episode}?tab=memory&chosen={entity}"
    answer = confirm(client, played, form_of(page), HERE)
    assert answer.status_code == 409
    assert "<html" in answer.text


def test_a_replayed_moment_shows_the_record_and_offers_nothing(client: TestClient, played: Played) -> None:
    entity = target(played)
    answer = client.get(
        f"/episodes/{played.episode}/memory?at={played.state.seq}&chosen={entity}&do=remove", headers=HX
    )
    assert "Nothing here can move the robot." in said(answer)
    assert 'id="correction"' not in answer.text
    tried = client.get(f"/episodes/{played.episode}/memory?at={played.state.seq}&view=try&k=1", headers=HX)
    assert "Would leave:" in said(tried)


def test_scores_come_as_one_value_a_time(client: TestClient, played: Played) -> None:
    entity = target(played)
    answer = client.get(f"/episodes/{played.episode}/scores.json", params={"record": [entity, "nobody"]})
    data = msgspec.json.decode(answer.content, type=ScoreData)
    assert [each.entity for each in data.series] == [entity, "nobody"]
    assert all(len(each.score) == len(data.met_s) == len(data.kth) for each in data.series)
    assert data.series[0].score[-1] is not None
    assert set(data.series[1].score) == {None}
    assert list(data.met_s) == sorted(data.met_s)
    many = client.get(f"/episodes/{played.episode}/scores.json", params={"record": ["a"] * 7})
    assert many.status_code == 422
