"""The two commands for the tabletop's tasks do what their pages quote them for."""

import sys

import pytest

from tests.bench import tabletop_notes, tabletop_truth


def test_a_script_that_knows_the_truth_is_told_with_what_it_solved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tabletop_truth", "--episodes", "2", "pattern-lock"])

    with pytest.raises(SystemExit) as ended:
        tabletop_truth.main()

    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("pattern-lock       2/2 solved, ")


def test_what_the_notes_quote_is_measured_where_the_rules_see_something() -> None:
    touched = tabletop_notes.measured("pattern-lock", 1)["touched"]

    assert len(touched) >= 2
    assert all(0.0 < each.height < 10.0 and 0.0 <= each.off <= 1.0 for each in touched)
