"""A run started from the page: its row, then the command that plays it; one at a time, none too large."""

from __future__ import annotations

import pytest

from backend.evaluation.choices import memory_study
from backend.studies.runs import SILENT_S
from backend.studies.starting import offered, study_of
from backend.usecases.results import Study
from backend.web.errors import NotThere, TooLate
from backend.web.pages.chrome import User
from backend.web.pages.parts import FieldError
from tests.studies.stand import MARA, Stand

WATCHER = User(name="watcher", initials="WA", role="viewer")


@pytest.mark.parametrize("choice", offered(), ids=lambda choice: choice.value)
def test_every_study_that_is_offered_is_one(choice: object) -> None:
    assert isinstance(study_of(choice.value, "2"), Study)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "seeds", "field", "said"),
    [
        ("memory:moon-1", "5", "study", "“memory:moon-1” is no study."),
        ("", "5", "study", "“” is no study."),
        ("memory:all", "", "seeds", "The number of seeds is missing."),
        ("memory:all", "0", "seeds", "“0” is no such number."),
        ("memory:all", "-3", "seeds", "“-3” is no such number."),
        ("memory:all", "1001", "seeds", "“1001” is no such number."),
        ("memory:all", "1" * 5000, "seeds", f"“{'1' * 20}” is no such number."),
        ("memory:all", "٣", "seeds", "“٣” is no such number."),
        ("ablation:k", "many", "seeds", "“many” is no such number."),
    ],
)
def test_what_cannot_be_meant_is_said_at_its_field(name: str, seeds: str, field: str, said: str) -> None:
    stand = Stand()

    error = stand.desk.start(name, seeds, "mara")

    assert isinstance(error, FieldError)
    assert (error.field, error.message) == (field, said)
    assert (stand.results.runs(), stand.spawned) == ([], [])


def test_a_run_has_its_number_at_once_and_the_command_is_the_one_a_person_types() -> None:
    stand = Stand()

    number = stand.desk.start("memory:dn-14", " 7 ", "mara")

    [run] = stand.results.runs()
    assert (run.id, run.study, run.started_by) == (number, memory_study("dn-14", "all", 0, 7), "mara")
    assert stand.spawned == [["evaluate", "memory", "--scenario", "dn-14", "--method", "all", "--seeds", "7"]]


def test_one_at_a_time() -> None:
    stand = Stand()
    stand.desk.start("memory:s-6", "3", "mara")

    with pytest.raises(TooLate, match="Run 1 is under way"):
        stand.desk.start("ablation:k", "3", "ada")

    assert len(stand.spawned) == 1


def test_what_stood_still_goes_on_as_the_same_run() -> None:
    stand = Stand()
    number = stand.desk.start("memory:s-6", "3", "mara")
    assert isinstance(number, int)
    with pytest.raises(TooLate, match="cannot go on"):
        stand.desk.go_on(number)

    stand.now_s += SILENT_S + 1
    told = {user.name: stand.desk.progress(number, user) for user in (MARA, WATCHER)}
    stand.desk.go_on(number)
    again = stand.desk.start("memory:s-6", "3", "ada")

    assert {name: progress is not None and progress.may_go_on for name, progress in told.items()} == {
        "mara": True,
        "watcher": False,
    }
    assert again == number, "asked for anew it goes on as well"
    assert len(stand.spawned) == 3
    assert len({tuple(words) for words in stand.spawned}) == 1


def test_what_other_code_began_cannot_go_on_here() -> None:
    stand = Stand()
    run = stand.played(memory_study("s-6", "static", 0, 2), version="0.9", of=1)
    stand.now_s += SILENT_S + 1

    with pytest.raises(TooLate):
        stand.desk.go_on(run.id)
    with pytest.raises(NotThere):
        stand.desk.go_on(77)


def test_a_finished_run_does_not_go_on() -> None:
    stand = Stand()
    run = stand.played(memory_study("s-6", "static", 0, 1))

    with pytest.raises(TooLate):
        stand.desk.go_on(run.id)
