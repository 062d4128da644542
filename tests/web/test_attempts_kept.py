"""What is refused before it can become a command: clearly, without effect, kept by the journal, bounded."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from backend.domain.access.floods import (
    BY_ITSELF,
    MOST_REFUSED,
    MOST_SENT,
    MOST_STOPS,
    UNBOUNDED,
    WITHIN_S,
    Sent,
    refuse_flood,
)
from backend.domain.command.intents import Abort, Action, Approve, Guide, Hold, Intent, Reject, RenewConn
from backend.domain.episode.events import IntentRefused
from backend.web.api.commands import COMMANDS
from backend.web.app import create_app
from tests.web.stand import HERE, ORIGIN, Played, Stand
from tests.web.test_api import V1, api, refused, token

__all__ = ["api"]

PATIENCE_S = 60.0
FOREIGN = {"origin": "http://evil.example"}


@pytest.fixture(scope="module")
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(lambda state: state.approval is not None).running() as played:
        yield played


def guide(
    api: TestClient,
    played: Played,
    headers: dict[str, str],
    body: Any = b'{"text": "Left."}',
    name: str = "guide",
) -> tuple[int, str]:
    path = f"{V1}/episodes/{played.episode}/commands/{name}"
    answer = api.post(path, content=body, headers={"content-type": "application/json", **headers})
    return answer.status_code, answer.json()["code"]


def kept_of(stand: Stand, played: Played, code: str, name: str = "op-1") -> IntentRefused:
    """The one attempt of that code by that person, once the runner has written it down."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not (found := [each for each in refused(stand, played, code) if each.by == name]):
        assert time.monotonic() < deadline_s, f"no {code} of {name} is kept"
        played.loop_pause()
    (one,) = found
    return one


WRONG: dict[str, tuple[dict[str, str], bytes, str, tuple[int, str]]] = {
    "a page of another site": (FOREIGN, b'{"text": "Left."}', "guide", (403, "origin")),
    "no JSON": ({}, b"{", "guide", (422, "malformed")),
    "another kind of text": ({"content-type": "text/plain"}, b"Left.", "guide", (415, "media_type")),
    "a command that does not exist": ({}, b"{}", "fly", (404, "unknown_command")),
}


@pytest.mark.parametrize(("headers", "body", "name", "told"), WRONG.values(), ids=WRONG)
def test_a_request_with_a_token_that_is_wrong_in_itself(
    stand: Stand,
    api: TestClient,
    played: Played,
    headers: dict[str, str],
    body: bytes,
    name: str,
    told: tuple[int, str],
) -> None:
    before = played.state.guidance
    assert guide(api, played, {**token(stand), **headers}, body, name) == told

    attempt = kept_of(stand, played, told[1])
    assert (attempt.by, attempt.action) == ("op-1", name)
    assert attempt.remedy
    assert played.state.guidance == before


def test_a_forged_page_with_a_made_up_token_is_nobody_s(
    stand: Stand, api: TestClient, played: Played
) -> None:
    before = len(refused(stand, played, "origin"))
    headers = {"authorization": "Bearer qd_made.up", "sec-fetch-site": "cross-site"}

    assert guide(api, played, headers) == (403, "origin")
    assert len(refused(stand, played, "origin")) == before


def test_a_key_of_another_request(stand: Stand, api: TestClient, played: Played) -> None:
    headers = {**token(stand), "idempotency-key": "attempt-1"}
    assert guide(api, played, headers, b'{"text": " "}') == (422, "empty")
    assert guide(api, played, headers, b'{"text": "Other."}') == (409, "key_reused")

    assert kept_of(stand, played, "key_reused").remedy == "Give each request its own."


def test_a_form_that_cannot_be_read(stand: Stand, played: Played) -> None:
    with stand.client("op-2") as client:
        answer = client.post(
            f"/episodes/{played.episode}/approvals/a/grant", data={"plan_digest": "x"}, headers=HERE
        )
    assert answer.status_code == 422

    assert kept_of(stand, played, "malformed", "op-2").remedy


def test_a_script_that_is_refused_over_and_over_is_stopped_before_the_journal(
    stand: Stand, api: TestClient, played: Played
) -> None:
    headers = token(stand, "op-2")
    said = [guide(api, played, headers, b'{"text": " "}') for _ in range(MOST_REFUSED + 5)]

    assert said.count((422, "empty")) == MOST_REFUSED
    assert said[MOST_REFUSED:] == [(429, "too_many")] * 5
    assert len([each for each in refused(stand, played, "empty") if each.by == "op-2"]) == MOST_REFUSED
    assert kept_of(stand, played, "too_many", "op-2").action == "guide"
    assert guide(api, played, headers, b"{}", "hold") == (200, "applied")


def test_a_script_whose_commands_are_taken_is_stopped_as_well(stand: Stand, played: Played) -> None:
    """What is applied is kept, too. Whichever web process they came by, the next one knows."""
    until_s = stand.deps().clock_s() + 600.0
    for number in range(MOST_SENT):
        said = Guide(text=f"{number} to the left.")
        played.inbox.put(
            Intent(id=f"flood-{number}", actor="boss", role="admin", action=said, not_after_s=until_s)
        )
    headers = token(stand, "boss")
    with TestClient(create_app(stand.deps()), base_url=ORIGIN) as beside:
        assert guide(beside, played, headers) == (429, "too_many")
        assert guide(beside, played, headers, b"{}", "hold") == (200, "applied")
        assert guide(beside, played, token(stand), b"{}", "renew_conn")[0] == 409, "others are not concerned"


NOW_S = 1000.0
APPROVED = Approve(approval_id="a", plan_digest="", pins_digest="")
DENIED = Reject(approval_id="a", reason="", stop_id="s")
BOUNDS: dict[str, tuple[Action, str, bool | None, int, float, bool]] = {
    "fewer refused than the bound": (Guide(text="x"), "guide", False, MOST_REFUSED - 1, 0.0, False),
    "as many refused": (Guide(text="x"), "approve", False, MOST_REFUSED, 0.0, True),
    "as many refused, a minute ago": (Guide(text="x"), "guide", False, MOST_REFUSED, WITHIN_S, False),
    "an approval": (APPROVED, "guide", False, MOST_REFUSED, 0.0, True),
    "a deny": (DENIED, "guide", False, MOST_REFUSED, 0.0, False),
    "an abort, faster than any hand": (Abort(stop_id="s"), "abort", False, MOST_STOPS, 0.0, True),
    "HOLD, always": (Hold(stop_id="s"), "guide", False, 10 * MOST_STOPS, 0.0, False),
    "fewer applied than the bound": (Guide(text="x"), "guide", True, MOST_SENT - 1, 0.0, False),
    "as many applied": (Guide(text="x"), "correct", True, MOST_SENT, 0.0, True),
    "as many that nobody decided": (Guide(text="x"), "guide", None, MOST_SENT, 0.0, True),
    "as many approvals that were asked for": (Guide(text="x"), "approve", True, 10 * MOST_SENT, 0.0, False),
    "an approval after as many": (APPROVED, "guide", True, MOST_SENT, 0.0, True),
    "a deny after ever so many": (DENIED, "guide", True, 10 * MOST_SENT, 0.0, False),
    "the page's renewal after as many": (RenewConn(), "guide", True, 10 * MOST_SENT, 0.0, False),
    "a renewal that was refused as often": (RenewConn(), "renew_conn", False, MOST_STOPS, 0.0, True),
    "a click after renewals": (Guide(text="x"), "renew_conn", True, 10 * MOST_SENT, 0.0, False),
}


@pytest.mark.parametrize(
    ("action", "kind", "applied", "count", "ago_s", "refuses"), BOUNDS.values(), ids=BOUNDS
)
def test_how_many_are_too_many(
    action: Action, kind: str, applied: bool | None, count: int, ago_s: float, refuses: bool
) -> None:
    sent = [Sent(at_s=NOW_S - ago_s, kind=kind, applied=applied)] * count

    refusal = refuse_flood(sent, action, NOW_S)

    assert (refusal is not None) is refuses
    assert refusal is None or refusal.remedy.lower().endswith("wait 60 s.")
    assert {kind, *UNBOUNDED, BY_ITSELF} <= {*COMMANDS, "attempted"}
