"""The API keeps to its own description: requests made from it are answered as it says.

Few examples for each operation, and always the same: this finds what is described wrongly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
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
from tests.web.stand import HERE, Stand

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
EXAMPLES = 4
SEEN: Counter[int] = Counter()


@pytest.fixture(scope="module")
def described(stand: Stand) -> Iterator[dict[str, Any]]:
    """A console with one running episode, and what a request needs to be let in."""
    made = tokens.issue(stand.engine, "boss", "api", 600.0, scopes=("read", "hold", "command", "admin"))
    played = stand.play("s-6").until(lambda state: state.approval is not None)
    headers = {**HERE, "authorization": f"Bearer {made}"}
    with played.running():
        yield {"app": create_app(stand.deps()), "episode": played.episode, "headers": headers}


def tried(operation: Any, described: dict[str, Any]) -> str:
    """What went wrong with the requests made for one operation; empty for nothing."""

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
        if "episode" in (case.path_parameters or {}):
            case.path_parameters["episode"] = described["episode"]
        response = case.call(headers=described["headers"])
        case.validate_response(response, checks=CHECKS)
        SEEN[response.status_code] += 1

    try:
        run()
    except (AssertionError, FailureGroup) as error:
        return f"{operation.label}: {error}"
    return ""


def test_what_is_answered_is_what_is_described(described: dict[str, Any]) -> None:
    schema = schemathesis.openapi.from_asgi(
        "/api/v1/openapi.json", described["app"], headers=described["headers"]
    )
    found = [each.ok() for each in schema.get_all_operations()]
    assert len(found) > 25

    SEEN.clear()
    assert [told for each in found if (told := tried(each, described))] == []
    assert {200, 409, 422} <= set(SEEN), "good and bad requests alike were made"


def test_the_description_names_each_operation_once(stand: Stand) -> None:
    table = operations(console_of(stand.deps()))
    made = description(table, "1")
    ids = [entry["operationId"] for path in made["paths"].values() for entry in path.values()]
    assert sorted(ids) == sorted(each.id for each in table)
    assert len(set(ids)) == len(ids)
    assert made["openapi"] == "3.1.0"
    assert all(entry["description"] for path in made["paths"].values() for entry in path.values())
