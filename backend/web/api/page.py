"""The page of the API, made from its own description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from backend.web.api.openapi import ABOUT
from backend.web.pages.api import ApiField, ApiGroup, ApiOperation, ApiPage
from backend.web.pages.chrome import Chrome

JSON = "application/json"


def api_page(chrome: Chrome, described: Mapping[str, Any]) -> ApiPage:
    found: dict[str, list[ApiOperation]] = {tag["name"]: [] for tag in described["tags"]}
    for path, methods in described["paths"].items():
        for method, entry in methods.items():
            found[entry["tags"][0]].append(_operation(method, path, entry))
    groups = tuple(ApiGroup(name=name, operations=tuple(each)) for name, each in found.items())
    return ApiPage(chrome=chrome, about=tuple(ABOUT.replace("`", "").split("\n\n")), groups=groups)


def _operation(method: str, path: str, entry: Mapping[str, Any]) -> ApiOperation:
    text, _, scope = entry["description"].rpartition("Scope: ")
    return ApiOperation(
        id=entry["operationId"],
        method=method.upper(),
        path=path,
        summary=entry["summary"],
        text=" ".join(text.replace("`", "").split()),
        scope=scope.replace("`", ""),
        gives=_gives(entry),
        fields=tuple(_fields(entry)),
    )


def _fields(entry: Mapping[str, Any]) -> Iterator[ApiField]:
    for each in entry["parameters"]:
        yield ApiField(
            name=each["name"], where=each["in"], kind=_kind(each["schema"]), needed=each["required"]
        )
    body = entry.get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema", {})
    if "$ref" in body:
        yield ApiField(name=_kind(body), where="body", kind="object", needed=True)
    for name, schema in body.get("properties", {}).items():
        yield ApiField(name=name, where="body", kind=_kind(schema), needed=name in body.get("required", ()))


def _gives(entry: Mapping[str, Any]) -> str:
    for status, answer in entry["responses"].items():
        if status.startswith("2") and JSON in answer.get("content", {}):
            return f"{status} {_kind(answer['content'][JSON]['schema'])}"
    return ""


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(str(each) for each in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}" if schema.get("items") else "list"
    return str(schema.get("type", "anything"))
