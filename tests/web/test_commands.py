"""Every action on an episode, through the real loop: what it does, and every way it is refused in words."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.responses import Response
from starlette.testclient import TestClient

from backend.domain.command.policy import Policy
from backend.domain.episode.events import ApprovalGranted, GuidanceGiven, IntentRefused, StepDispatched
from backend.domain.query.query import Query, Reply
from backend.persistence.reader import SqlReader
from tests.web.html import elements
from tests.web.stand import HERE, HX, Played, Stand


def waits(state: Any) -> bool:
    return state.approval is not None and state.approval.status.value == "pending"


@pytest.fixture
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(waits).running() as played:
        yield played


def form_of(played: Played, **more: str) -> dict[str, str]:
    """What the card posts now."""
    asked = played.state.approval
    assert asked is not None
    return {"plan_digest": asked.pins.plan_digest, "pins_digest": asked.pins_digest, **more}


def grant(
    client: TestClient, played: Played, form: dict[str, str], approval: str = "", headers: Any = HX
) -> Response:
    approval = approval or played.state.approval.id  # type: ignore[union-attr]
    return client.post(f"/episodes/{played.episode}/approvals/{approval}/grant", data=form, headers=headers)


def events(stand: Stand, played: Played, kind: type) -> list[Any]:
    found = SqlReader(stand.engine).events(played.episode, limit=None)
    return [entry.recorded for entry in found if isinstance(entry.recorded.event, kind)]


def state_of_card(answer: Response) -> str:
    [card] = [element for element in elements(answer.text) if element.get("id") == "plan"]
    return card.get("data-state")


def test_an_approval_counts_and_the_answer_is_the_fresh_card(
    stand: Stand, client: TestClient, played: Played
) -> None:
    answer = grant(client, played, form_of(played))
    assert answer.status_code == 200
    assert state_of_card(answer) in ("approved", "executing", "awaiting", "done", "planning")
    [granted] = events(stand, played, ApprovalGranted)[:1]
    assert (granted.actor, granted.event.by) == ("operator:op-1", "op-1")


def test_without_scripts_the_page_follows(client: TestClient, played: Played) -> None:
    answer = grant(client, played, form_of(played), headers=HERE)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/episodes/{played.episode}#plan")


STALE = {"another plan's digest": {"plan_digest": "0" * 64}, "older beliefs": {"pins_digest": "0" * 64}}


@pytest.mark.parametrize("wrong", STALE.values(), ids=STALE)
def test_a_stale_page_s_click_gets_the_fresh_card(
    stand: Stand, client: TestClient, played: Played, wrong: dict[str, str]
) -> None:
    answer = grant(client, played, {**form_of(played), **wrong})
    assert answer.status_code == 409
    assert state_of_card(answer) == "awaiting"
    assert "The page showed another plan or older beliefs." in answer.text
    assert "Your approval changed nothing." in answer.text
    assert events(stand, played, StepDispatched) == []
    [refused] = events(stand, played, IntentRefused)
    assert (refused.event.by, refused.event.code) == ("op-1", "stale")


def test_an_approval_that_is_gone(client: TestClient, played: Played) -> None:
    answer = grant(client, played, form_of(played), approval="another-a1")
    assert answer.status_code == 409
    assert "That approval is no longer the one that waits." in answer.text


def test_a_refusal_without_scripts_is_a_page_with_the_card(client: TestClient, played: Played) -> None:
    answer = grant(client, played, {**form_of(played), "pins_digest": "old"}, headers=HERE)
    assert answer.status_code == 409
    assert "<html" in answer.text
    assert "The page showed another plan or older beliefs." in answer.text


def test_who_has_not_the_conn_decides_nothing(stand: Stand, client: TestClient, played: Played) -> None:
    with stand.client("op-2") as other:
        assert conn(other, played, "take").status_code == 200
    answer = grant(client, played, form_of(played))
    assert answer.status_code == 409
    assert "op-2 has the conn." in answer.text
    assert "Ask op-2 for it." in answer.text


def test_a_viewer_decides_nothing_and_the_attempt_is_kept(stand: Stand, played: Played) -> None:
    with stand.client("watcher") as viewer:
        answer = grant(viewer, played, form_of(played))
    assert answer.status_code == 409
    assert "watcher may watch and hold, not command." in answer.text
    assert events(stand, played, IntentRefused)[0].event.code == "role"


@pytest.mark.parametrize("missing", ["plan_digest", "pins_digest"])
def test_a_form_without_its_digest_is_no_form(client: TestClient, played: Played, missing: str) -> None:
    form = {name: value for name, value in form_of(played).items() if name != missing}
    answer = grant(client, played, form)
    assert answer.status_code == 422
    assert f"{missing} cannot be read." in answer.text
    assert "Nothing was done." in answer.text


def test_a_held_robot_is_approved_nothing(stand: Stand, client: TestClient, played: Played) -> None:
    form = form_of(played)
    approval = played.state.approval.id  # type: ignore[union-attr]
    client.post(f"/episodes/{played.episode}/holds", headers=HX)
    answer = grant(client, played, form, approval)
    assert answer.status_code == 409
    assert state_of_card(answer) == "held"


def test_a_rejection_is_told_to_the_planner(stand: Stand, client: TestClient, played: Played) -> None:
    first = played.state.approval.id  # type: ignore[union-attr]
    answer = reject(client, played, "Take can_01 first.")
    assert answer.status_code == 200
    [guidance] = events(stand, played, GuidanceGiven)
    assert guidance.event.text == "Take can_01 first."
    assert reject(client, played, "Once more.", first).status_code == 409


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        ("", "A rejection needs a reason."),
        ("  \n ", "A rejection needs a reason."),
        ("x" * 2001, "at most 2,000"),
    ],
    ids=["empty", "blank", "long"],
)
def test_a_rejection_needs_a_reason_and_keeps_what_was_typed(
    client: TestClient, played: Played, reason: str, says: str
) -> None:
    answer = reject(client, played, reason)
    assert answer.status_code == 422
    assert says in answer.text
    [field] = [element for element in elements(answer.text) if element.get("id") == "guidance"]
    assert field.get("aria-invalid") == "true"
    assert field.text == reason.strip()


def reject(client: TestClient, played: Played, reason: str, approval: str = "") -> Response:
    approval = approval or played.state.approval.id  # type: ignore[union-attr]
    path = f"/episodes/{played.episode}/approvals/{approval}/rejection"
    return client.post(path, data={**form_of(played), "reason": reason}, headers=HX)


def conn(client: TestClient, played: Played, action: str, other: str = "", reason: str = "") -> Response:
    form = {"action": action, "other": other, "reason": reason}
    return client.post(f"/episodes/{played.episode}/conn", data=form, headers=HX)


def test_the_conn_is_taken_asked_for_handed_over_and_let_go(
    stand: Stand, client: TestClient, played: Played
) -> None:
    taken = conn(client, played, "take")
    assert taken.status_code == 200
    assert "You have the conn" in taken.text
    with stand.client("op-2") as other:
        refused = conn(other, played, "take_over", "op-1")
        assert refused.status_code == 409
        assert refused.headers["hx-retarget"] == "#notice"
        assert "op-1 has the conn." in refused.text
        assert "Ask op-1 for it first." in refused.text
        asked = conn(other, played, "ask", reason="I see it.")
        assert "You asked op-1 for the conn." in asked.text
        sheet = client.get(f"/episodes/{played.episode}/bar", headers=HX).text
        assert "asks for the conn: “I see it.”" in sheet
        assert conn(client, played, "hand_over", "op-2").status_code == 200
        assert conn(client, played, "give_up").status_code == 409
        given = conn(other, played, "give_up")
        assert "Nobody has the conn" in given.text


def test_who_keeps_the_conn_says_so_and_an_admin_takes_it_all_the_same(
    stand: Stand, client: TestClient, played: Played
) -> None:
    conn(client, played, "take")
    with stand.client("op-2") as other, stand.client("boss") as boss:
        conn(other, played, "ask")
        assert conn(client, played, "keep", "op-2", "Nearly done").status_code == 200
        assert (
            "keeps the conn: “Nearly done”" in other.get(f"/episodes/{played.episode}/bar", headers=HX).text
        )
        assert conn(boss, played, "take_over", "op-1").status_code == 200
        assert played.state.conn is not None
        assert played.state.conn.holder == "boss"


@pytest.mark.parametrize("field", ["other", "reason"])
def test_what_goes_with_the_conn_is_bounded(client: TestClient, played: Played, field: str) -> None:
    form = {"action": "take", field: "x" * 3000}
    answer = client.post(f"/episodes/{played.episode}/conn", data=form, headers=HX)
    assert answer.status_code == 422
    assert played.state.conn is None


def test_an_unknown_move_with_the_conn(client: TestClient, played: Played) -> None:
    assert conn(client, played, "steal").status_code == 422


class Silent:
    """A planner with nothing to say."""

    def propose(self, query: Query) -> Reply:
        return Reply(decision=query.decision, attempt=query.attempt, proposal=None)


@pytest.fixture
def stuck(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6", answers=Silent()).until(lambda state: bool(state.asks_person)).running() as played:
        yield played


def test_a_planner_without_a_plan_is_asked_again_with_guidance(
    stand: Stand, client: TestClient, stuck: Played
) -> None:
    calls = stuck.state.spent.decisions
    answer = client.post(f"/episodes/{stuck.episode}/requests", data={"guidance": "Look north."}, headers=HX)
    assert answer.status_code == 200
    assert events(stand, stuck, GuidanceGiven)[0].event.text == "Look north."
    assert stuck.state.spent.decisions > calls


def test_a_planner_that_works_is_not_asked_again(client: TestClient, played: Played) -> None:
    answer = client.post(f"/episodes/{played.episode}/requests", headers=HX)
    assert answer.status_code == 409
    assert "The episode goes on by itself; nothing waits for this." in answer.text
    said = client.post(f"/episodes/{played.episode}/requests", data={"guidance": "Look north."}, headers=HX)
    assert (said.status_code, played.state.guidance[-1].text) == (409, "Look north.")
    assert "Look north." not in said.text, "what was taken is not offered for sending once more"


def test_guidance_alone(stand: Stand, client: TestClient, played: Played) -> None:
    path = f"/episodes/{played.episode}/guidance"
    assert client.post(path, data={"guidance": "Mind the shelf."}, headers=HX).status_code == 200
    assert client.post(path, data={"guidance": " "}, headers=HX).status_code == 422
    assert [each.event.text for each in events(stand, played, GuidanceGiven)] == ["Mind the shelf."]


def test_an_account_of_a_step_that_is_in_no_doubt(client: TestClient, played: Played) -> None:
    path = f"/episodes/{played.episode}/dispatches/d1/account"
    answer = client.post(path, data={"executed": "yes", "account": "It stands at the shelf."}, headers=HX)
    assert answer.status_code == 409
    assert "That step is not in doubt." in answer.text
    assert client.post(path, data={"executed": "maybe"}, headers=HX).status_code == 422
    assert client.post(path, data={"executed": "no", "account": ""}, headers=HX).status_code == 422


def test_an_episode_that_ended_takes_no_command(stand: Stand, client: TestClient) -> None:
    ended = stand.play("s-6", policy=Policy(mode="auto")).until(lambda state: state.ending is not None)
    with ended.running():
        for path, form in (
            ("conn", {"action": "take"}),
            ("requests", {}),
            ("guidance", {"guidance": "Go on."}),
            ("releases", {"shown": "stop-1"}),
        ):
            answer = client.post(f"/episodes/{ended.episode}/{path}", data=form, headers=HX)
            assert answer.status_code == 409, path
            assert "The episode has ended" in answer.text, path


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("approvals/a1/grant", {"plan_digest": "x", "pins_digest": "y"}),
        ("approvals/a1/rejection", {"reason": "no"}),
        ("releases", {"shown": "s"}),
        ("requests", {}),
        ("guidance", {"guidance": "x"}),
        ("plans", {"row": "r1"}),
        ("plans/draft", {"row": "r1"}),
        ("approvals/a1/edit", {"row": "r1"}),
        ("dispatches/d1/account", {"executed": "no", "account": "x"}),
        ("conn", {}),
        ("holds", {}),
        ("abort", {}),
    ],
)
def test_an_unknown_episode_takes_no_command(client: TestClient, path: str, form: dict[str, str]) -> None:
    answer = client.post(f"/episodes/nobody/{path}", data=form, headers=HX)
    assert answer.status_code == 404
    assert "There is no episode nobody." in answer.text


def test_a_click_that_nobody_takes_is_taken_back(stand: Stand) -> None:
    alone = stand.play("s-6").until(waits)
    form = form_of(alone)
    with stand.client(settings=replace(stand.settings, answer_within_s=0.2)) as client:
        answer = grant(client, alone, form)
    assert answer.status_code == 409
    assert "No runner answered in time." in answer.text
    assert "nothing was done" in answer.text
    intents, _ = alone.inbox.take()
    assert intents == ()
    alone.tick(5)
    assert events(stand, alone, ApprovalGranted) == []
