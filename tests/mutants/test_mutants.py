"""The mutants' runner, tried on a small checkout with rules that are tested well, badly and not at all."""

from pathlib import Path

import pytest

from tests.mutants.__main__ import main
from tests.mutants.disarm import disarm, find_guard
from tests.mutants.rules import MutantsError, read_rules

GUARDS = '''\
"""Guards."""


def refuse_full(held: str | None) -> str | None:
    """One thing at a time."""
    if held is not None:
        return f"already holding {held}"
    return None


def refuse_far(distance_m: float) -> str | None: return "too far" if distance_m > 2.0 else None


def refuse_late(age_s: float) -> str | None:
    return "too late" if age_s > 10.0 else None
'''
TESTS = """\
from guards import refuse_far, refuse_full, refuse_late


def test_full():
    assert refuse_full("a bottle")


def test_far():
    assert not refuse_far(1.0)


def test_late():
    assert refuse_late(5.0)
"""
HEAD = "# Safety\n\n| Rule | Guard | Test | Note |\n|---|---|:-:|---|\n"
ROWS = {
    "S1": "| S1 One thing in the gripper | `guards.py:refuse_full` | `test_guards.py::test_full` | x |\n",
    "S2": "| **S2.** Nothing out of reach | `guards.py:refuse_far` | `test_guards.py::test_far` | x |\n",
    "S3": "| S3 Nothing late | `guards.py:refuse_late` | `test_guards.py::test_late` | x |\n",
    "S4": "| S4 Gone | `guards.py:refuse_gone` | `test_guards.py::test_full` | x |\n",
    "S5": "| S5 Untested | `guards.py:refuse_full` | `test_guards.py::test_absent` | x |\n",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "guards.py").write_text(GUARDS)
    (tmp_path / "test_guards.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "verdict", "code"),
    [("S1", "noticed", 0), ("S2", "survived", 1), ("S3", "unfit", 1), ("S4", "unfit", 1), ("S5", "unfit", 1)],
    ids=["tested guard", "useless test", "failing test", "missing guard", "missing test"],
)
def test_each_rule_gets_its_verdict(
    checkout: Path, capsys: pytest.CaptureFixture[str], name: str, verdict: str, code: int
) -> None:
    (checkout / "docs" / "safety.md").write_text(HEAD + ROWS[name])

    assert main(["--checkout", str(checkout), "--jobs", "1"]) == code
    assert capsys.readouterr().out.startswith(f"{name:4} {verdict:9}")
    assert (checkout / "guards.py").read_text() == GUARDS


def test_one_survivor_among_many_fails_the_run(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "docs" / "safety.md").write_text(HEAD + ROWS["S1"] + ROWS["S2"])

    assert main(["--checkout", str(checkout)]) == 1
    assert capsys.readouterr().out.endswith("2 rules disarmed in turn: 1 noticed, 1 not\n")


def test_a_rule_that_is_not_written_down_is_named(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "docs" / "safety.md").write_text(HEAD + ROWS["S1"])

    assert main(["--checkout", str(checkout), "S9"]) == 2
    assert "no rule S9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("# Safety\n\nTo be careful.\n", "has no table"),
        (HEAD + "| S1 | somewhere | `test_guards.py::test_full` | x |\n", r"safety.md:5: a row needs"),
        (HEAD + ROWS["S1"] + ROWS["S1"], "numbers two rules alike"),
    ],
    ids=["no table", "guard without a file", "a number twice"],
)
def test_a_malformed_document_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    document = tmp_path / "safety.md"
    document.write_text(text)

    with pytest.raises(MutantsError, match=complaint):
        read_rules(document)


def test_disarming_changes_the_body_alone() -> None:
    before, _, rest = GUARDS.partition('    """One thing at a time."""')
    after = rest[rest.index("\n\n\ndef refuse_far") :]

    assert disarm(GUARDS, "refuse_full") == f"{before}    return None{after}"


@pytest.mark.parametrize("guard", ["refuse_full", "refuse_far", "refuse_late"])
def test_a_disarmed_guard_refuses_nothing(guard: str) -> None:
    space: dict[str, object] = {}
    exec(disarm(GUARDS, guard), space)

    refuse = space[guard]
    assert callable(refuse)
    assert refuse(1e9) is None


def test_a_method_beside_text_outside_ascii_is_found() -> None:
    source = 'class Cell:\n    def refuse(self) -> str | None: return "≥ 2 m"  # né\n'

    assert (
        disarm(source, "Cell.refuse")
        == "class Cell:\n    def refuse(self) -> str | None: return None  # né\n"
    )


@pytest.mark.parametrize(
    "signature", ["def g():", "def g() -> bool:", "def g() -> None:"], ids=["unsaid", "bool", "only None"]
)
def test_a_guard_must_be_able_to_refuse_and_to_let_pass(signature: str) -> None:
    with pytest.raises(MutantsError, match="a guard returns its refusal, or None"):
        find_guard(f"{signature}\n    return None\n", "g")
