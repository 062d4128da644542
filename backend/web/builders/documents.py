"""The pages of missions and sites, made from their texts and versions."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.command.intents import COMMANDING
from backend.usecases.reading import EpisodeSummary
from backend.web.builders import words
from backend.web.documents import Kept
from backend.web.pages.chrome import Chrome, User
from backend.web.pages.documents import (
    Changes,
    DocumentPage,
    DocumentRow,
    DocumentsPage,
    MapForm,
    Shelf,
    SiteMap,
    VersionLine,
)
from backend.web.pages.environment import url
from backend.web.pages.parts import Empty, FieldError, Link, Notice

HEADINGS: dict[Shelf, tuple[str, str]] = {
    "missions": ("Missions", "What is to be done, in which world, with which memory, policy and budgets."),
    "sites": (
        "Sites",
        "What people know of a place and a robot’s map does not: a surveyed map, regions, stations, rules.",
    ),
}
MOST_RAN = 20
NO_SITES = Empty(
    title="No site is kept yet",
    text="A mission runs on what its bridge declares. Write a site, or import a map to draw one on.",
)


def documents_page(
    chrome: Chrome, viewer: User, shelf: Shelf, kept: Sequence[Kept], importing: MapForm | None = None
) -> DocumentsPage:
    """`importing`: the form of a map as it was refused."""
    heading, note = HEADINGS[shelf]
    may = viewer.role in COMMANDING
    return DocumentsPage(
        chrome=chrome,
        shelf=shelf,
        heading=heading,
        note=note,
        rows=tuple(_row(each) for each in kept),
        may_edit=may,
        may_start=may and shelf == "missions",
        empty=None if kept else NO_SITES,
        importing=(importing or MapForm()) if may and shelf == "sites" else None,
    )


def document_page(
    chrome: Chrome,
    viewer: User,
    shelf: Shelf,
    shown: Kept,
    versions: Sequence[Kept],
    ran: Sequence[str] = (),
    *,
    typed: str | None = None,
    errors: tuple[FieldError, ...] = (),
    notice: Notice | None = None,
    drawn: SiteMap | None = None,
    importing: MapForm | None = None,
    changes: Changes | None = None,
) -> DocumentPage:
    """`typed`: what was refused, kept. `ran`: episodes of exactly this version. `drawn`: a site's map."""
    newest = versions[0].version if versions else 0
    if shown.error and not errors:
        notice = notice or Notice(
            icon="bad", title="This text cannot be run.", text=shown.error, tone="alarm"
        )
    return DocumentPage(
        chrome=chrome,
        shelf=shelf,
        name=shown.name,
        heading=shown.title or shown.name,
        text=shown.text if typed is None else typed,
        shown_version=newest,
        may_edit=viewer.role in COMMANDING,
        is_old=shown.version != newest,
        versions=tuple(_version(shelf, each, shown.version, newest) for each in versions),
        facts=shown.facts,
        ran=tuple(Link(label=episode, href=url("episodes", episode)) for episode in ran),
        errors=errors,
        notice=notice,
        map=drawn,
        importing=importing,
        changes=changes,
    )


def draft_page(
    chrome: Chrome, viewer: User, shelf: Shelf, text: str, errors: tuple[FieldError, ...] = ()
) -> DocumentPage:
    return DocumentPage(
        chrome=chrome,
        shelf=shelf,
        name="",
        heading="New mission" if shelf == "missions" else "New site",
        text=text,
        shown_version=0,
        may_edit=viewer.role in COMMANDING,
        errors=errors,
    )


def ran_with(summaries: Sequence[EpisodeSummary], shelf: Shelf, name: str, version: int) -> tuple[str, ...]:
    """The episodes that were ordered with exactly this version, the newest first."""
    found = []
    for summary in summaries:
        mission = summary.request.get("mission") if isinstance(summary.request, dict) else None
        of = mission if shelf == "missions" else mission.get("site") if isinstance(mission, dict) else None
        if isinstance(of, dict) and of.get("name") == name and of.get("version", 0) == version:
            found.append((summary.ordered_utc, summary.episode))
    return tuple(episode for _, episode in sorted(found, reverse=True)[:MOST_RAN])


def version_of(kept: Kept) -> str:
    return f"Version {kept.version}" if kept.version else "The file"


def _row(kept: Kept) -> DocumentRow:
    return DocumentRow(
        name=kept.name,
        title=kept.title or kept.name,
        summary=kept.summary,
        version=version_of(kept),
        edited=_edited(kept),
        error=kept.error,
    )


def _version(shelf: Shelf, kept: Kept, shown: int, newest: int) -> VersionLine:
    return VersionLine(
        label=version_of(kept),
        said=_edited(kept) or "as it came along, or was written in the home",
        link=Link(label="Read", href=url(shelf, kept.name, version=kept.version)),
        is_open=kept.version == shown,
        is_newest=kept.version == newest,
    )


def _edited(kept: Kept) -> str:
    if not kept.author:
        return ""
    return f"{words.who(kept.author)}, {kept.utc[:10]} {words.time_of_day(kept.utc)[:5]} UTC"
