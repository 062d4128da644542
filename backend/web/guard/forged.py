"""A request of another site's page, sent in the name of somebody signed in here: refused, and not forgotten.

Whoever is signed in, or has a token, learns from the episode's journal that it was tried in their name. Their
cookie is SameSite=Strict, so that mostly none comes along; then nobody is known, and the refusal is all.
"""

from __future__ import annotations

import logging

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import Scope

from backend.domain.refusal import Refusal
from backend.web.deps import Accounts, Bearer, Session, Settings
from backend.web.guard.session import session_of
from backend.web.guard.visitor import bearer_of
from backend.web.witness import Witness

log = logging.getLogger(__name__)


class Forged:
    def __init__(
        self, accounts: Accounts, settings: Settings, witness: Witness, expected: tuple[type[Exception], ...]
    ) -> None:
        self._accounts = accounts
        self._settings = settings
        self._witness = witness
        self._expected = expected

    async def __call__(self, scope: Scope, refusal: Refusal) -> None:
        log.warning("refused a %s of %s: %s", scope["method"], scope["path"][:200], refusal.message)
        try:
            who = await run_in_threadpool(self._who, scope)
        except self._expected:
            return
        if who is not None:
            await self._witness.keep(scope, who.name, who.role, refusal)

    def _who(self, scope: Scope) -> Session | Bearer | None:
        headers = Headers(scope=scope)
        token = bearer_of(headers)
        if token is not None:
            return self._accounts.bearer(token)
        cookie = session_of(headers, self._settings.is_https)
        return self._accounts.who(cookie, self._settings.session_idle_s) if cookie else None
