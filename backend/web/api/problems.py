"""What goes wrong, as RFC 9457 problem details: a title, what is wrong and what to do, in plain words."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from starlette.responses import Response

from backend.web.errors import SignedOut, WebError

MEDIA = "application/problem+json"


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`type` names the kind of problem and `code` is its last part; `instance` is the address that was asked.

    `detail`: what is wrong. `remedy`: what to do. `field`: what of the request it is about, where one is.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str
    remedy: str = ""
    field: str = ""


def problem_of(error: WebError, status: int, path: str) -> Response:
    problem = Problem(
        type=f"urn:quarterdeck:problem:{error.code}",
        title=error.title,
        status=status,
        detail=" ".join(part for part in (error.text, error.kept) if part) or error.title,
        code=error.code,
        instance=path,
        remedy=error.remedy,
        field=error.field,
    )
    headers = {"WWW-Authenticate": 'Bearer realm="quarterdeck"'} if isinstance(error, SignedOut) else {}
    return Response(msgspec.json.encode(problem), status, headers, media_type=MEDIA)
