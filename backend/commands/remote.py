"""Commands and reads through the API: of a running console with a token, or of this machine's home without.

Both ways are the same API, judged alike. On this machine it is asked in this process, with a token of two
minutes for whoever runs it: who may write the home's database may do so anyway.
"""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, Protocol

import httpx2
import typer
from msgspec.structs import replace

from backend.commands.failures import CannotStart, Refused, WrongAsked
from backend.commands.options import Home, settings_of
from backend.config import Settings

Server = Annotated[
    str | None,
    typer.Option(help="A running console, such as http://127.0.0.1:8300.", show_default="this home"),
]
Episode = Annotated[str, typer.Argument(help="The id, as `episodes list` shows it.")]
WITHIN_S = 30.0
PATIENT_S = 20.0
"""For a runner's decision: at a terminal one waits rather than sends again."""
HERE = "http://127.0.0.1"
ROOT = "/api/v1"
SCOPES = ("read", "hold", "command")


class Api(Protocol):
    def get(self, path: str) -> Any:
        """What GET of `path`, below /api/v1, gives."""

    def command(self, episode: str, name: str, **fields: Any) -> Any:
        """What became of a command. Raises Refused."""


@contextmanager
def api(context: typer.Context, home: Home, server: str | None) -> Iterator[Api]:
    """Raises CannotStart, Refused, WrongAsked, ConfigError and the store's errors."""
    settings = settings_of(context, home, server=server)
    if settings.server:
        yield OfServer(settings)
        return
    from backend.bootstrap import checked_engine
    from backend.console import local_user
    from backend.persistence import tokens

    engine = checked_engine(settings)
    user = local_user(engine, getpass.getuser())
    token = tokens.issue(engine, user, "api", 120.0, label="this machine", scopes=SCOPES)
    try:
        yield OfHome(settings, token)
    finally:
        tokens.discard(engine, token)


class OfServer:
    def __init__(self, settings: Settings) -> None:
        token = settings.token.get_secret_value()
        if not token:
            raise WrongAsked(
                "A server takes a token. Set QUARTERDECK_TOKEN; quarterdeck tokens create makes one."
            )
        self._url = settings.server.rstrip("/")
        self._headers = {"authorization": f"Bearer {token}"}

    def get(self, path: str) -> Any:
        return self._ask("GET", path, None)

    def command(self, episode: str, name: str, **fields: Any) -> Any:
        return self._ask("POST", f"/episodes/{episode}/commands/{name}", fields)

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        url = f"{self._url}{ROOT}{path}"
        try:
            answer = httpx2.request(method, url, json=body, headers=self._headers, timeout=WITHIN_S)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            told = f"{self._url} does not answer: {error}. Is the console running there?"
            raise CannotStart(told) from error
        return _read(answer)


class OfHome:
    def __init__(self, settings: Settings, token: str) -> None:
        from backend.bootstrap import open_engine
        from backend.console import web_deps
        from backend.web.app import create_app

        deps = web_deps(settings, open_engine(settings))
        patient = replace(deps.settings, answer_within_s=PATIENT_S)
        self._app = create_app(replace(deps, settings=patient), has_pages=False)
        self._headers = {"authorization": f"Bearer {token}"}

    def get(self, path: str) -> Any:
        return asyncio.run(self._ask("GET", path, None))

    def command(self, episode: str, name: str, **fields: Any) -> Any:
        return asyncio.run(self._ask("POST", f"/episodes/{episode}/commands/{name}", fields))

    async def _ask(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        app = self._app
        transport = httpx2.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=transport, base_url=HERE, headers=self._headers) as client,
        ):
            return _read(await client.request(method, f"{ROOT}{path}", json=body, timeout=WITHIN_S))


def _read(answer: httpx2.Response) -> Any:
    """Raises Refused where something is otherwise than it was taken to be, WrongAsked for what was asked."""
    try:
        told = answer.json()
    except ValueError:
        raise CannotStart(f"{answer.url.host} answered {answer.status_code}, and no API of ours.") from None
    if answer.status_code < 400:
        return told
    said = " ".join(part for part in (told.get("title", ""), told.get("remedy", "")) if part)
    if answer.status_code == 409:
        raise Refused(said)
    if answer.status_code >= 500:
        raise CannotStart(said)
    raise WrongAsked(said)
