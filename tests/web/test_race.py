"""Fifty operators click at once, each in a session of their own, on a real server and either database: one
decision, and everybody else is told so."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from sqlalchemy import Engine

from backend.domain.episode.events import ApprovalEdited, ApprovalGranted, PlanProposed, StepDispatched
from backend.persistence import accounts
from backend.persistence.reader import SqlReader
from backend.persistence.sessions import SqlAccounts
from backend.web.app import create_app
from backend.web.guard.session import COOKIE
from tests.support.serving import serving
from tests.web.html import elements
from tests.web.stand import HX, Played, Stand, prepared
from tests.web.test_commands import form_of, waits

OPERATORS = 50
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def stand(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Stand:
    """On SQLite, then on Postgres."""
    made = prepared(engine, tmp_path_factory.mktemp("frames"))
    for number in range(OPERATORS):
        accounts.add_user(engine, f"officer-{number}", "operator", "test")
    return made


@pytest.fixture(scope="module")
def url(stand: Stand) -> Iterator[str]:
    with serving(create_app(stand.deps())) as url:
        yield url


@pytest.fixture(scope="module")
def client(url: str) -> Iterator[httpx2.Client]:
    limits = httpx2.Limits(max_connections=OPERATORS)
    with httpx2.Client(base_url=url, headers=HX, timeout=PATIENCE_S, limits=limits, verify=False) as client:
        yield client


@pytest.fixture(scope="module")
def officers(stand: Stand) -> list[str]:
    """The session cookie of each."""
    sessions = SqlAccounts(stand.engine)
    return [f"{COOKIE}={sessions.open_session(f'officer-{n}', 600.0)}" for n in range(OPERATORS)]


def all_at_once(
    client: httpx2.Client, officers: list[str], path: str, form: dict[str, str | list[str]]
) -> list[httpx2.Response]:
    together = threading.Barrier(OPERATORS)

    def click(cookie: str) -> httpx2.Response:
        together.wait(PATIENCE_S)
        return client.post(path, data=form, headers={"cookie": cookie})

    with ThreadPoolExecutor(OPERATORS) as pool:
        return list(pool.map(click, officers))


def of(stand: Stand, played: Played, kind: type) -> list[Any]:
    found = SqlReader(stand.engine).events(played.episode, limit=None)
    return [entry.recorded.event for entry in found if isinstance(entry.recorded.event, kind)]


def hold_to_one_decision(answers: list[httpx2.Response]) -> None:
    """One was taken; forty-nine are told that and why nothing was done, with the card as it is now."""
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (OPERATORS - 1)
    for answer in answers:
        if answer.status_code == 409:
            assert "changed nothing." in answer.text or "nothing was done" in answer.text
            assert [e for e in elements(answer.text) if e.get("id") == "plan"]


def test_fifty_approvals_are_one_decision(stand: Stand, client: httpx2.Client, officers: list[str]) -> None:
    with stand.play("s-6").until(waits).running() as played:
        approval = played.state.approval.id  # type: ignore[union-attr]
        path = f"/episodes/{played.episode}/approvals/{approval}/grant"
        answers = all_at_once(client, officers, path, {**form_of(played)})

    hold_to_one_decision(answers)
    granted = [each for each in of(stand, played, ApprovalGranted) if each.approval_id == approval]
    assert len(granted) == 1
    steps = [e.index for e in of(stand, played, StepDispatched) if e.approval_id == approval]
    assert len(set(steps)) == len(steps)


def test_fifty_edits_of_one_plan_are_one_plan(
    stand: Stand, client: httpx2.Client, officers: list[str]
) -> None:
    with stand.play("s-6").until(waits).running() as played:
        approval = played.state.approval.id  # type: ignore[union-attr]
        form: dict[str, str | list[str]] = {
            **form_of(played),
            "seen_seq": str(played.state.seq),
            "row": ["r1"],
            "r1.skill": "navigate",
            "r1.to": "id:can_01",
        }
        answers = all_at_once(client, officers, f"/episodes/{played.episode}/approvals/{approval}/edit", form)

    hold_to_one_decision(answers)
    assert len(of(stand, played, ApprovalEdited)) == 1
    assert len(of(stand, played, PlanProposed)) == 2
    assert of(stand, played, ApprovalGranted) == []
    assert of(stand, played, StepDispatched) == []
