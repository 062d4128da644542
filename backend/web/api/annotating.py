"""Annotations over the API: read by all, written by operators, each version kept."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from backend.domain.annotations.annotation import LONGEST, Annotation, Draft
from backend.domain.refusal import Refusal
from backend.web.annotations import error_of
from backend.web.api.operations import ROOT, Call, Operation, Reply
from backend.web.console import Console

Seq = Annotated[int, Meta(ge=1, le=2**53)]
Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class Annotations(Struct, frozen=True, kw_only=True):
    """What people wrote beside the episode, as it is now, by the event at which it begins."""

    annotations: tuple[Annotation, ...]


class NewAnnotation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`until_seq`: where a span ends. `entity`: the record that it is about. `tags`: with blanks or commas
    between. `@name` in the text mentions an account."""

    seq: Seq
    text: Annotated[str, Meta(max_length=LONGEST)]
    until_seq: Seq | None = None
    entity: Annotated[str, Meta(max_length=200)] = ""
    tags: Annotated[str, Meta(max_length=600)] = ""


class ChangedAnnotation(NewAnnotation, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of it anew. `version`: the one that the change began from."""

    version: Version


class Shown(Struct, frozen=True, kw_only=True):
    """`version`: the one that was looked at."""

    version: Version


def operations(console: Console) -> list[Operation]:
    kept = console.deps.annotations

    def listed(call: Call) -> Reply:
        episode = console.deps.reader.episode(call.path["episode"]).episode
        return Reply(value=Annotations(annotations=tuple(kept.of(episode))))

    def add(call: Call) -> Reply:
        return _told(kept.add(call.path["episode"], _draft(call.body), call.user.name, call.user.role), 201)

    def change(call: Call) -> Reply:
        draft, user = _draft(call.body), call.user
        return _told(
            kept.edit(
                call.path["episode"],
                call.path["annotation"],
                draft,
                user.name,
                user.role,
                shown_version=call.body.version,
            )
        )

    def remove(call: Call) -> Reply:
        episode, id, user = call.path["episode"], call.path["annotation"], call.user
        return _told(kept.remove(episode, id, user.name, user.role, shown_version=call.query.version))

    path = f"{ROOT}/episodes/{{episode}}/annotations"
    one = f"{path}/{{annotation}}"
    return [
        Operation(
            id="annotations", method="GET", path=path, scope="read", tag="Episodes", summary="Annotations",
            text=Annotations.__doc__ or "", run=listed, answer=Annotations,
        ),
        Operation(
            id="annotate", method="POST", path=path, scope="command", tag="Episodes",
            summary="Annotate a moment, record or span", text=NewAnnotation.__doc__ or "", run=add,
            body=NewAnnotation, answer=Annotation, status=201,
        ),
        Operation(
            id="change_annotation", method="POST", path=one, scope="command", tag="Episodes",
            summary="Change an annotation of one's own", text=ChangedAnnotation.__doc__ or "", run=change,
            body=ChangedAnnotation, answer=Annotation,
        ),
        Operation(
            id="remove_annotation", method="DELETE", path=one, scope="command", tag="Episodes",
            summary="Remove an annotation; its versions stay", text=Shown.__doc__ or "", run=remove,
            query=Shown, answer=Annotation,
        ),
    ]  # fmt: skip


def _draft(body: NewAnnotation) -> Draft:
    return Draft(seq=body.seq, until_seq=body.until_seq, text=body.text, entity=body.entity, tags=body.tags)


def _told(done: Annotation | Refusal, status: int = 200) -> Reply:
    if isinstance(done, Refusal):
        raise error_of(done)
    return Reply(value=done, status=status)
