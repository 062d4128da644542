"""The API for people: what its description says, as a page without a script or a file of anybody else's."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.chrome import Page


class ApiField(Struct, frozen=True, kw_only=True):
    """`where`: path, query, header or body. `kind`: its type in a word or two."""

    name: str
    where: str
    kind: str
    needed: bool


class ApiOperation(Struct, frozen=True, kw_only=True):
    id: str
    method: str
    path: str
    summary: str
    text: str
    scope: str
    gives: str
    fields: tuple[ApiField, ...]


class ApiGroup(Struct, frozen=True, kw_only=True):
    name: str
    operations: tuple[ApiOperation, ...]


class ApiPage(Page, frozen=True, kw_only=True):
    template = "api.html"

    about: tuple[str, ...]
    groups: tuple[ApiGroup, ...]
