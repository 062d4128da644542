"""Our own files and the vendored ones: asked for again each time, and sent only when they changed."""

from __future__ import annotations

from os import PathLike, stat_result

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

AGAIN = "public, max-age=0, must-revalidate"
A_DAY = "public, max-age=86400"
"""Vendored files are pinned, and change with a release."""


class Static(StaticFiles):
    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        answer = super().file_response(full_path, stat_result, scope, status_code)
        is_vendored = "/vendor/" in scope["path"]
        answer.headers["Cache-Control"] = A_DAY if is_vendored else AGAIN
        return answer
