"""The API keeps to its own description: requests made from it are answered as it says.

Few examples for each operation, and always the same: this finds what is described wrongly.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.core import NOT_SET
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from backend.persistence import tokens
from backend.web.api.openapi import description
from backend.web.api.routes import operations
from backend.web.app import console_of, create_app
from tests.web.stand import HERE, Played, Stand
from tests.web.test_commands import waits

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
EXAMPLES = 2
PATIENCE_S = 60.0
SEEN: Counter[tuple[str, int]] = Counter()


LAST = ("reject", "approve", "hold", "release", "abort")
"""In this order, once everything else was judged by what it says itself: what is held or over is not."""
NOT_DONE = {
    "ask_again", "ask_conn", "correct", "edit", "hand_over_conn", "keep_conn", "propose", "resolve",
    "change_annotation", "remove_annotation", "revoke_token", "retention_removal",
}  # fmt: skip
"""What takes more than one request to be done. The rest is done, and its answer held to the description."""


@pytest.fixture(scope="module")
def described(stand: Stand) -> Iterator[dict[str, Any]]:
    """A console with one running episode, and what a request needs to be let in."""
    made = tokens.issue(stand.engine, "boss", "api", 600.0, scopes=("read", "hold", "command", "admin"))
    played = stand.play("s-6").until(lambda state: state.approval is not None)
    headers = {**HERE, "authorization": f"Bearer {made}"}
    with played.running():
        yield {"app": create_app(stand.deps()), "played": played, "headers": headers}


def tried(operation: Any, described: dict[str, Any]) -> Iterator[str]:
    """What went wrong with the requests made for one operation."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def run(case: Case) -> None:
        ask(case, described)

    for made in (run, lambda: ask(sound(operation, described["played"]), described)):
        try:
            made()
        except (AssertionError, FailureGroup) as error:
            yield f"{operation.label}: {error}"


def ask(case: Case, described: dict[str, Any]) -> None:
    if "episode" in (case.path_parameters or {}):
        case.path_parameters["episode"] = described["played"].episode
    response = case.call(headers=described["headers"])
    case.validate_response(response, checks=CHECKS)
    SEEN[name_of(case.operation), response.status_code] += 1


def sound(operation: Any, played: Played) -> Case:
    """A request that is to be done, as far as one alone can be."""
    name, deadline_s = name_of(operation), time.monotonic() + PATIENCE_S
    while name in ("approve", "reject") and not waits(played.state):
        assert time.monotonic() < deadline_s, "no plan waits"
        played.loop_pause()
    state = played.state
    approval = state.approval
    assert approval is not None
    pinned = {"plan_digest": approval.pins.plan_digest, "pins_digest": approval.pins_digest}
    bodies: dict[str, dict[str, Any]] = {
        "approve": {"approval_id": approval.id, **pinned},
        "reject": {"approval_id": approval.id, "reason": "No."},
        "release": {"stop_ids": [stop.id for stop in state.stops]},
        "guide": {"text": "Left."},
        "instruct": {"text": "Slowly.", "shown": state.instructions},
        "set_policy": {"policy": {"mode": "every_skill"}, "shown": state.policy.digest},
        "rehearse_correction": {
            "correction": {"type": "lock", "entity": str(approval.pins.fields[0].entity), "field": "pose"}
        },
        "start": {"mission": "s-6", "seed": 1, "planner": "policy"},
        "annotate": {"seq": 1, "text": "Look."},
        "add_account": {"name": "newly", "role": "viewer"},
        "change_account": {"role": "viewer"},
        "make_token": {"scopes": ["read"]},
    }
    given = {"name": "watcher"} if name == "change_account" else {}
    places = {each.name: given.get(each.name, "x") for each in operation.path_parameters}
    query = {"search": {"q": "can"}, "retention_preview": {"keep_days": "90"}}.get(name)
    body = {} if name not in bodies and operation.body else bodies.get(name, NOT_SET)
    return operation.Case(
        path_parameters=places,
        query=query,
        body=body,
        media_type="application/json" if operation.body else None,
    )


def name_of(operation: Any) -> str:
    return str(operation.definition.raw["operationId"]).removeprefix("command_")


def test_what_is_answered_is_what_is_described(stand: Stand, described: dict[str, Any]) -> None:
    schema = schemathesis.openapi.from_asgi(
        "/api/v1/openapi.json", described["app"], headers=described["headers"]
    )
    found = [each.ok() for each in schema.get_all_operations()]
    every = {each.id.removeprefix("command_") for each in operations(console_of(stand.deps()))}
    assert {name_of(each) for each in found} == every

    SEEN.clear()
    found.sort(key=lambda each: LAST.index(name_of(each)) + 1 if name_of(each) in LAST else 0)
    assert [told for each in found for told in tried(each, described)] == []
    done = {name for name, status in SEEN if status < 300}
    assert every - done == NOT_DONE
    assert {200, 409, 422} <= {status for _, status in SEEN}, "good and bad requests alike were made"


def test_the_description_names_each_operation_once(stand: Stand) -> None:
    table = operations(console_of(stand.deps()))
    made = description(table, "1")
    ids = [entry["operationId"] for path in made["paths"].values() for entry in path.values()]
    assert sorted(ids) == sorted(each.id for each in table)
    assert len(set(ids)) == len(ids)
    assert made["openapi"] == "3.1.0"
    assert all(entry["description"] for path in made["paths"].values() for entry in path.values())
