"""The audit by actor, kind and entity: nothing that matches is left out, nothing else is let in."""

import pytest

from backend.web.builders.audit_filter import KINDS, SUBJECTS, Wanted, is_about, wanted_of
from backend.web.builders.audit_lines import SILENT, line_of
from backend.web.gathering import LOOKED_AT
from backend.web.pages.audit import AuditPanel
from tests.support.drill import whole
from tests.web.builders.test_card import drilled
from tests.web.moments import ADA, Screen, entry_of

WHOLE = whole()
ENTRIES = [entry_of(recorded) for recorded in WHOLE.events]


def shown(query: dict[str, str], chosen: str = "") -> AuditPanel:
    desk = Screen(WHOLE).desk
    panel = desk.evidence(desk.moment(WHOLE.episode, ADA), "audit", chosen, query).panel
    assert isinstance(panel, AuditPanel)
    return panel


def every(query: dict[str, str]) -> list[int]:
    """All pages, one after the other."""
    seqs: list[int] = []
    panel = shown(query)
    while True:
        seqs += [row.seq for row in panel.rows]
        if panel.before is None:
            return seqs
        panel = shown(query, str(panel.before))


@pytest.mark.parametrize("kind", SUBJECTS)
def test_a_kind_shows_all_of_its_events_and_no_other(kind: str) -> None:
    expected = [
        entry.recorded.seq
        for entry in reversed(ENTRIES)
        if entry.kind.startswith(f"{kind}.") and entry.kind not in SILENT
    ]

    assert every({"kind": kind}) == expected


@pytest.mark.parametrize(
    "actor", ["planner", "robot", "drone", "policy", "system", "people", "ada", "nobody"]
)
def test_an_actor_shows_what_they_did(actor: str) -> None:
    found = [WHOLE.events[seq - 1] for seq in every({"actor": actor})]

    if actor == "people":
        assert all(recorded.actor.startswith("operator:") for recorded in found)
        assert found
    else:
        assert all(actor in (line_of(each).actor, each.actor.removeprefix("operator:")) for each in found)
        assert bool(found) is (actor not in ("nobody", "policy")), "no policy approves in the drill"


@pytest.mark.parametrize("entity", ["bottle_1", "can_1"])
def test_an_entity_shows_what_is_about_it(entity: str) -> None:
    seqs = every({"entity": entity})

    assert seqs == [
        entry.recorded.seq
        for entry in reversed(ENTRIES)
        if entry.kind not in SILENT and is_about(entry.recorded.event, entity)
    ]
    judged = [entry for entry in ENTRIES if entry.kind == "evidence.judged"]
    assert {entry.recorded.seq for entry in judged if entry.recorded.event.entity == entity} <= set(seqs)


def test_filters_hold_together() -> None:
    both = every({"entity": "bottle_1", "kind": "evidence"})

    assert set(both) == set(every({"entity": "bottle_1"})) & set(every({"kind": "evidence"}))
    assert both


def test_no_filter_shows_every_page() -> None:
    assert every({}) == [entry.recorded.seq for entry in reversed(ENTRIES) if entry.kind not in SILENT]


def test_what_nobody_did_says_how_far_it_looked() -> None:
    assert shown({"actor": "nobody"}).empty.title == "None"
    assert len(ENTRIES) < LOOKED_AT


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        pytest.param({}, Wanted(), id="nothing asked"),
        pytest.param({"kind": "no such"}, Wanted(), id="a kind that is none is no filter"),
        pytest.param({"entity": "  can_1 "}, Wanted(entity="can_1"), id="spaces are no part of a name"),
        pytest.param({"entity": "x" * 9999}, Wanted(entity="x" * 200), id="what is too long is cut"),
    ],
)
def test_reading_the_filter(query: dict[str, str], wanted: Wanted) -> None:
    assert wanted_of(query) == wanted


def test_every_kind_can_be_asked_for() -> None:
    assert {kind.partition(".")[0] for kind in KINDS if kind not in SILENT} == set(SUBJECTS)


def test_pages_of_a_filtered_audit_follow_each_other() -> None:
    screen = Screen(drilled(*(("evidence", n) for n in range(400))))
    desk = screen.desk
    moment = desk.moment(screen.drill.episode, ADA)
    first = desk.evidence(moment, "audit", "", {"entity": "can_1"}).panel
    second = desk.evidence(moment, "audit", str(first.before), {"entity": "can_1"}).panel

    assert len(first.rows) == 100
    assert second.rows[0].seq < first.rows[-1].seq
    assert second.is_older
