"""Frames, log and audit: what was recorded, as it was."""

import pytest

from backend.domain.episode.events import Event
from backend.web.builders.audit_lines import _LINES, SILENT, line_of
from backend.web.live.panels import _OF, panels_of
from tests.support.drill import whole
from tests.web.builders.test_card import APPROVED, PLANNED, SEEN, drilled
from tests.web.moments import Screen, said

WHOLE = whole()


def test_a_film_shows_the_newest_action_and_leads_to_the_others() -> None:
    drill = drilled(*APPROVED, ("outcome", 1), ("outcome", 0), ("outcome", 1))
    panel = Screen(drill).evidence("frames").panel
    assert (panel.action, panel.earlier, panel.later) == (3, 1, None)
    assert said(panel.summary).startswith("1 of 3 returned, 1 withheld.")
    assert [(frame.number, frame.verdict, frame.change) for frame in panel.frames] == [
        ("0", "Before", "0.0 %"),
        ("1", "Withheld", "10.0 %"),
        ("2", "Returned", "20.0 %"),
    ]
    assert Screen(drill).evidence("frames", "1").panel.action == 1


def test_without_frames_it_says_why() -> None:
    assert Screen(drilled(*SEEN)).evidence("frames").panel.empty.title == "No frames are recorded"


def test_the_log_says_what_was_measured() -> None:
    panel = Screen(drilled(*APPROVED, ("outcome", 0), ("outcome", 0), ("outcome", 3))).evidence("log").panel
    assert [(line.index, line.command, line.result, line.measured) for line in panel.lines] == [
        ("1", "navigate bottle_1", "Done", "at 0.00, 0.00 m, holding nothing"),
        ("2", "grasp bottle_1", "Done", "at 0.00, 0.00 m, holding bottle_1"),
        ("3", "navigate station_west", "Failed", "absent: at 0.00, 0.00 m, holding bottle_1"),
    ]


def test_notes_are_kept_as_they_were_written() -> None:
    panel = Screen(drilled(*SEEN, ("reply", 1))).evidence("log").panel
    assert [note.text for note in panel.notes] == ["zwölf ⚓ \U0001f6a2"]


def test_an_empty_log_says_what_will_come() -> None:
    panel = Screen(drilled()).evidence("log").panel
    assert (panel.no_lines.title, panel.no_notes.title) == ("Nothing executed yet", "No notes")


def test_the_audit_names_every_event_that_changed_anything() -> None:
    panel = Screen(WHOLE).evidence("audit").panel
    shown = [row.seq for row in panel.rows]
    silent = [each.seq for each in WHOLE.events if str(type(each.event).__struct_config__.tag) in SILENT]
    expected = [each.seq for each in reversed(WHOLE.events) if each.seq not in silent]
    assert shown == expected[: len(shown)]
    assert panel.shown.endswith(f"of {len(WHOLE.events)} events")


def test_the_audit_has_pages() -> None:
    screen = Screen(drilled(*(("evidence", n) for n in range(150))))
    newest = screen.evidence("audit").panel
    older = screen.evidence("audit", str(newest.before)).panel
    assert max(row.seq for row in older.rows) < min(row.seq for row in newest.rows)
    assert older.before is None


@pytest.mark.parametrize("chosen", ["0", "1", "x", "99999999999999999999"])
def test_an_audit_page_that_is_none_shows_what_there_is(chosen: str) -> None:
    assert Screen(WHOLE).evidence("audit", chosen).panel.shown


def test_evidence_in_the_audit_says_who_saw_what_and_why_it_counted() -> None:
    rows = Screen(drilled(*PLANNED, ("evidence", 21))).evidence("audit").panel.rows
    [row] = [row for row in rows if row.subject == "bottle_1.pose"]
    assert (row.actor, said(row.verdict.text), row.change) == (
        "rover",
        "Accepted",
        "0.00, 0.00 m → 0.00, 3.00 m",
    )
    assert row.reason == "Newer pose outweighs the record"


@pytest.mark.parametrize("kind", Event.__args__, ids=lambda kind: kind.__struct_config__.tag)
def test_every_kind_of_event_has_its_line_and_its_panels(kind: type) -> None:
    assert kind in _LINES
    tag = kind.__struct_config__.tag
    assert tag in _OF or tag in ("episode.opened", "episode.ended")
    assert "audit" in panels_of(tag)


def test_every_event_of_a_long_episode_reads_as_a_line() -> None:
    for recorded in WHOLE.events:
        assert line_of(recorded).subject
