"""The report history: whole, in order, and shared between states rather than copied."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import Source
from backend.domain.memory.reports import PAGE, Report, Reports


def report(number: int) -> Report:
    evidence = Evidence(
        cls="can", pose=Pose(float(number), 0.0), confidence=0.9, source=Source.AERIAL, stamp_s=float(number)
    )
    return Report(f"can_{number}", evidence)


def history(count: int) -> Reports:
    reports = Reports()
    for number in range(count):
        reports = reports.followed_by(report(number))
    return reports


@given(st.integers(min_value=0, max_value=3 * PAGE + 1))
def test_every_report_is_there_once_and_in_order(count: int) -> None:
    assert list(history(count)) == [report(number) for number in range(count)]


def test_what_is_added_later_leaves_an_earlier_history_alone() -> None:
    earlier = history(PAGE - 1)

    later = earlier.followed_by(report(PAGE)).followed_by(report(PAGE + 1))

    assert len(list(earlier)) == PAGE - 1
    assert len(list(later)) == PAGE + 1


def test_full_pages_are_shared_so_that_adding_copies_one_page_at_most() -> None:
    earlier, later = history(5 * PAGE), history(5 * PAGE).followed_by(report(0))

    again = later.followed_by(report(1))

    assert len(again.last) <= PAGE
    assert all(a is b for a, b in zip(later.pages, again.pages, strict=True))
    assert earlier.pages == later.pages
