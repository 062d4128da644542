"""Storage: for all to see; for admins to let episodes go, first shown and then confirmed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from backend.domain.annotations.words import tags_of
from backend.domain.refusal import Refusal
from backend.domain.retention.rules import Rules, refuse_rules
from backend.domain.retention.told import Preview
from backend.web.builders.storage import form_of, gone_notice, storage_page
from backend.web.console import Console
from backend.web.errors import Forbidden
from backend.web.pages.parts import FieldError, Notice
from backend.web.pages.storage import RulesForm

USUAL = Rules(keep_days=90)
Days = Annotated[str, Query(max_length=20)]
Tags = Annotated[str, Query(max_length=600)]
Typed = Annotated[str, Form(max_length=600)]


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/storage")
    storage = console.deps.storage

    @routes.get("")
    def show(
        request: Request,
        keep_days: Days = "",
        keep_failed: str = "",
        keep_annotated: str = "",
        keep_tags: Tags = "",
    ) -> Response:
        """With rules: what they would let go. Nothing is deleted here."""
        if not keep_days or console.user(request).role != "admin":
            return page(request, form_of(USUAL))
        typed = RulesForm(
            keep_days=keep_days,
            keep_failed=keep_failed == "yes",
            keep_annotated=keep_annotated == "yes",
            keep_tags=keep_tags,
        )
        rules = _rules(typed)
        found = rules if isinstance(rules, Refusal) else storage.preview(rules)
        if isinstance(found, Refusal):
            return page(request, typed, errors=(_told(found),))
        return page(request, typed, preview=found)

    @routes.post("/removal")
    def remove(
        request: Request,
        keep_days: Typed = "",
        keep_failed: Typed = "",
        keep_annotated: Typed = "",
        keep_tags: Typed = "",
        digest: Typed = "",
        confirmed: Typed = "",
    ) -> Response:
        """Exactly what was shown, where the box is ticked."""
        user = console.user(request)
        if user.role != "admin":
            raise Forbidden("Only an admin may delete episodes.", remedy="Ask an admin.")
        typed = RulesForm(
            keep_days=keep_days,
            keep_failed=keep_failed == "yes",
            keep_annotated=keep_annotated == "yes",
            keep_tags=keep_tags,
        )
        rules = _rules(typed)
        if isinstance(rules, Refusal):
            return page(request, typed, errors=(_told(rules),))
        if confirmed != "yes":
            error = FieldError(
                field="confirmed", message="Nothing was deleted.", remedy="Tick the box first."
            )
            shown = storage.preview(rules)
            return page(request, typed, None if isinstance(shown, Refusal) else shown, errors=(error,))
        done = storage.let_go(rules, digest, user.name)
        if isinstance(done, Refusal):
            notice = Notice(icon="stale", title=done.message, text=done.remedy, tone="caution")
            shown = storage.preview(rules)
            return page(
                request, typed, None if isinstance(shown, Refusal) else shown, notice=notice, status=409
            )
        return page(request, typed, notice=gone_notice(done))

    def page(
        request: Request,
        form: RulesForm,
        preview: Preview | None = None,
        *,
        errors: tuple[FieldError, ...] = (),
        notice: Notice | None = None,
        status: int = 200,
    ) -> Response:
        is_admin = console.user(request).role == "admin"
        chrome = console.chrome(request, "Storage")
        made = storage_page(chrome, storage.usage(), form if is_admin else None, preview, errors, notice)
        return console.html(made, 422 if errors else status)

    return routes


def _rules(typed: RulesForm) -> Rules | Refusal:
    try:
        days = float(typed.keep_days)
    except ValueError:
        return Refusal("keep_days", "This is no number of days.", "Write one such as 90.")
    rules = Rules(
        keep_days=days,
        keep_failed=typed.keep_failed,
        keep_annotated=typed.keep_annotated,
        keep_tags=tags_of(typed.keep_tags),
    )
    return refuse_rules(rules) or rules


def _told(refusal: Refusal) -> FieldError:
    return FieldError(field=refusal.code, message=refusal.message, remedy=refusal.remedy)
