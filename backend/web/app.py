"""The console as an ASGI application, made from what it is given."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from backend.web.api import routes as api
from backend.web.chronicle import Chronicles
from backend.web.commanding import Commands
from backend.web.console import Console
from backend.web.deps import Deps
from backend.web.desk import Desk
from backend.web.errors import WebError
from backend.web.failures import Failures
from backend.web.guard.addresses import Addresses
from backend.web.guard.defects import Defects
from backend.web.guard.forged import Forged
from backend.web.guard.headers import SecureHeaders
from backend.web.guard.heads import Heads
from backend.web.guard.origin import OwnPagesOnly
from backend.web.guard.session import SignedIn
from backend.web.guard.sizes import Sizes
from backend.web.listing import Listing
from backend.web.live.hub import Hub
from backend.web.live.lookout import Lookout
from backend.web.pages.environment import environment
from backend.web.queue import Queue
from backend.web.static import Static
from backend.web.witness import Witness


def create_app(deps: Deps, *, has_pages: bool = True) -> FastAPI:
    """Opens nothing until it is served. `has_pages` False: the API alone, for a command that asks one thing
    of it and need not wait for the rest to be imported."""
    shared = console_of(deps)
    failures = shared.failures
    forged = Forged(deps.accounts, deps.settings, shared.witness, deps.failed)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        shared.lookout.open()
        yield
        await shared.lookout.close()
        await shared.hub.close()

    app = FastAPI(
        title="Quarterdeck",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        middleware=[
            Middleware(SecureHeaders, is_https=deps.settings.is_https),
            Middleware(Heads),
            Middleware(Sizes, failures=failures),
            Middleware(Addresses, failures=failures),
            # Pages hold no secret that somebody else's text stands beside (BREACH): sessions are cookies.
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
            Middleware(OwnPagesOnly, hosts=deps.settings.hosts, failures=failures, told=forged),
            Middleware(SignedIn, accounts=deps.accounts, settings=deps.settings, failures=failures),
            Middleware(Defects, failures=failures),
        ],
    )
    app.include_router(api.router(shared))
    if has_pages:
        from backend.web.routes.every import ROUTES

        for module in ROUTES:
            app.include_router(module.router(shared))
        app.mount("/static", Static(directory=deps.settings.static), name="static")

    async def fail(request: Request, error: Exception) -> Response:
        await shared.witness.saw(request.scope, error)
        return failures.answer(request.scope, error)

    for kind in (WebError, HTTPException, RequestValidationError, *failures.known):
        app.add_exception_handler(kind, fail)
    return app


def console_of(deps: Deps) -> Console:
    templates = environment(deps.settings.templates)
    chronicles = Chronicles(deps.reader)
    hub = Hub(deps, chronicles)
    commanding = Commands(deps, hub.nudge)
    listing = Listing(deps, chronicles, hub.ages_s)
    waiting = Queue(listing, deps.alarms, deps.clock_s)
    return Console(
        deps=deps,
        environment=templates,
        failures=Failures(templates, deps.missing, deps.failed, deps.pending),
        chronicles=chronicles,
        desk=Desk(deps, chronicles, hub.ages_s, hub.readings),
        listing=listing,
        queue=waiting,
        lookout=Lookout(waiting.sight, hub.keep),
        hub=hub,
        commands=commanding,
        witness=Witness(commanding, deps.reader, (*deps.missing, *deps.failed)),
    )
