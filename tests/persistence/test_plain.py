"""Missions and sites: versions that two editors cannot both write, an audit row for each edit."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import Engine

from backend.persistence.errors import EditConflict
from backend.persistence.plain import all_documents, audit_trail, document, put_document, versions_of


def test_a_document_is_versioned_from_edit_to_edit(engine: Engine) -> None:
    first = put_document(engine, "mission", "sort", "total: 3", "ada", shown_version=0)
    second = put_document(engine, "mission", "sort", "total: 4", "bob", shown_version=1)

    assert (first.version, second.version) == (1, 2)
    assert document(engine, "mission", "sort") == second
    assert document(engine, "site", "sort") is None
    assert document(engine, "mission", "sort", 1) == first
    assert document(engine, "mission", "sort", 3) is None
    assert all_documents(engine, "mission") == [second]
    assert versions_of(engine, "mission", "sort") == [second, first]
    assert [each.author for each in versions_of(engine, "mission", "sort")] == ["bob", "ada"]


@pytest.mark.parametrize("shown", [0, 2], ids=["new over old", "never written"])
def test_an_edit_of_another_version_than_the_present_is_refused(engine: Engine, shown: int) -> None:
    name = f"yard-{shown}"
    put_document(engine, "site", name, "a", "ada", shown_version=0)

    with pytest.raises(EditConflict, match="at version 1 by now") as caught:
        put_document(engine, "site", name, "b", "bob", shown_version=shown)

    assert caught.value.field == "version"
    kept = document(engine, "site", name)
    assert kept is not None
    assert kept.body == "a"


def test_each_edit_is_audited_with_what_was_and_what_is(engine: Engine) -> None:
    put_document(engine, "site", "audited", "a", "ada", shown_version=0)
    put_document(engine, "site", "audited", "b", "bob", shown_version=1)

    entries = [entry for entry in audit_trail(engine) if entry.subject == "audited"]

    assert [(entry.action, entry.actor) for entry in entries] == [("site.put", "bob"), ("site.put", "ada")]
    assert (entries[0].before["body"], entries[0].after["body"]) == ("a", "b")
    assert entries[1].before is None


def test_two_that_write_at_once_are_not_both_taken(engine: Engine) -> None:
    put_document(engine, "site", "raced", "a", "ada", shown_version=0)
    refused, start = [], threading.Barrier(4)

    def write(name: str) -> None:
        start.wait(30)
        try:
            put_document(engine, "site", "raced", name, name, shown_version=1)
        except EditConflict:
            refused.append(name)

    writers = [threading.Thread(target=write, args=(name,)) for name in ("bob", "eve", "kim", "lee")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)

    assert len(refused) == 3
    assert [each.version for each in versions_of(engine, "site", "raced")] == [2, 1]


def test_the_audit_trail_comes_in_pages(engine: Engine) -> None:
    for n in range(5):
        put_document(engine, "site", f"page-{n}", "", "ada", shown_version=0)

    newest = audit_trail(engine, limit=2)
    older = audit_trail(engine, before=newest[-1].id, limit=2)

    assert [entry.subject for entry in (*newest, *older)] == ["page-4", "page-3", "page-2", "page-1"]
