"""The API's description, OpenAPI 3.1, made from the operations and the types that they read and write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from backend.domain.access.scopes import SAYS
from backend.web.api.commands import COMMANDS
from backend.web.api.operations import Operation
from backend.web.api.problems import MEDIA, Problem

_TEMPLATE = "#/components/schemas/{name}"
_PROBLEMS = {
    "400": "The request cannot be read",
    "401": "No token, or none that is good",
    "403": "Not for this account or token",
    "404": "No such thing",
    "409": "Something is otherwise than the request takes it to be; nothing was done",
    "413": "Too large",
    "415": "The body is no JSON",
    "422": "A field is wrong",
    "429": "Commands were refused again and again; nothing was done",
    "503": "The database or a runner did not answer; nothing was done",
}
ABOUT = """Everything that the pages show and do, for programs.

Send `Authorization: Bearer TOKEN`; `quarterdeck tokens create` makes one. Each operation names the scope it
takes. What goes wrong is told as problem details (RFC 9457) with `code` and `remedy`. Send an
`Idempotency-Key` with what is to be done once: the same again is given the first answer. A command is judged
by the episode's runner as a click is: who has the conn, what the page showed, what has changed since."""


def description(operations: Sequence[Operation], version: str) -> dict[str, Any]:
    types = {
        kind
        for each in operations
        for kind in (each.answer, each.body, each.query)
        if kind is not None and kind is not dict
    }
    listed = sorted({*types, *COMMANDS.values(), Problem}, key=lambda kind: (kind.__name__, kind.__module__))
    references, schemas = msgspec.json.schema_components(listed, ref_template=_TEMPLATE)
    known = dict(zip(listed, references, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        address, entry = _operation(each, known, schemas)
        paths.setdefault(address, {})[each.method.lower()] = entry
    return {
        "openapi": "3.1.0",
        "info": {"title": "Quarterdeck", "version": version, "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
        "tags": [{"name": name} for name in dict.fromkeys(each.tag for each in operations)],
    }


def _operation(
    operation: Operation, known: dict[type, dict[str, Any]], schemas: dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    command = operation.id.removeprefix("command_")
    is_command = operation.id.startswith("command_")
    address = operation.path.replace("{command}", command) if is_command else operation.path
    entry: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": f"{operation.text}\n\nScope: `{operation.scope}`, to {SAYS[operation.scope]}.".strip(),
        "parameters": [*_places(address), *_parameters(operation, known, schemas), *_key(operation)],
        "responses": _responses(operation, known),
    }
    if is_command:
        entry["requestBody"] = _request(_command_schema(COMMANDS[command], known, schemas))
    elif operation.body is not None:
        entry["requestBody"] = _request(known[operation.body])
    return address, entry


def _places(address: str) -> list[dict[str, Any]]:
    schema = {"type": "string", "minLength": 1, "maxLength": 200}
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name in re.findall(r"{(\w+)}", address)
    ]


def _parameters(
    operation: Operation, known: dict[type, dict[str, Any]], schemas: dict[str, Any]
) -> list[dict[str, Any]]:
    if operation.query is None:
        return []
    schema = _resolved(known[operation.query], schemas)
    return [
        {"name": name, "in": "query", "required": False, "schema": each}
        for name, each in schema["properties"].items()
    ]


def _key(operation: Operation) -> list[dict[str, Any]]:
    if operation.method == "GET" or not operation.takes_key:
        return []
    schema = {"type": "string", "pattern": "^[!-~]{1,128}$"}
    said = "Any text of the sender's own: the same request again under it is given the first answer"
    key = {"name": "Idempotency-Key", "in": "header", "required": False}
    return [{**key, "schema": schema, "description": said}]


def _responses(operation: Operation, known: dict[type, dict[str, Any]]) -> dict[str, Any]:
    problem = {MEDIA: {"schema": known[Problem]}}
    said: dict[str, Any] = {"description": "Done"}
    if operation.answer is not None:
        said["content"] = {"application/json": {"schema": known[operation.answer]}}
    found: dict[str, Any] = {str(operation.status): said}
    if operation.id.startswith("command_"):
        found["202"] = {**said, "description": "Asked of a runner that has not answered; a stop stays asked"}
    for status, words in _PROBLEMS.items():
        found[status] = {"description": words, "content": problem}
    return found


def _command_schema(kind: type, known: dict[type, dict[str, Any]], schemas: dict[str, Any]) -> dict[str, Any]:
    """The action's own, without the tag, which stands in the address; a stop's id may be left out."""
    schema = _resolved(known[kind], schemas)
    required = [name for name in schema.get("required", ()) if name not in ("type", "stop_id")]
    properties = {name: each for name, each in schema["properties"].items() if name != "type"}
    found: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**found, "required": required} if required else found


def _request(schema: dict[str, Any]) -> dict[str, Any]:
    is_needed = "$ref" in schema or bool(schema.get("required"))
    return {"required": is_needed, "content": {"application/json": {"schema": schema}}}


def _resolved(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = schemas[schema["$ref"].rpartition("/")[2]]
    return found
