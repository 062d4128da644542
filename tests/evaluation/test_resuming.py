"""Which interrupted run goes on: the newest of this very study, and only with the code that began it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from backend.bootstrap import code_version, evaluation_version
from backend.evaluation.arms import arm
from backend.evaluation.errors import MixedCode
from backend.evaluation.resuming import resumable
from backend.rig import digest_of_sources
from backend.usecases.results import Study
from backend.usecases.results_in_memory import MemoryResults

STUDY = Study(kind="memory", name="s-6", arms=(arm("s-6", "static"),), first_seed=0, seeds=2)
OURS, THEIRS = "1.0+aaa", "1.0+bbb"


def test_a_study_that_never_ran_is_started() -> None:
    assert resumable(MemoryResults(), STUDY, OURS) is None


def test_what_this_code_left_unfinished_goes_on() -> None:
    results = MemoryResults()
    run = results.start(STUDY, OURS)

    assert resumable(results, STUDY, OURS) == run


def test_what_other_code_left_unfinished_is_refused_by_its_number() -> None:
    results = MemoryResults()
    run = results.start(STUDY, THEIRS)

    with pytest.raises(MixedCode, match=rf"Run {run.id} of this study stopped at 0 of 2 episodes.*--fresh"):
        resumable(results, STUDY, OURS)


def test_what_this_code_left_goes_on_although_other_code_came_after() -> None:
    results = MemoryResults()
    run = results.start(STUDY, OURS)
    results.start(STUDY, THEIRS)

    assert resumable(results, STUDY, OURS) == run


def test_what_is_finished_or_another_study_s_is_in_nobody_s_way() -> None:
    results = MemoryResults()
    results.start(STUDY, THEIRS)
    results.finish(results.start(STUDY, THEIRS).id)
    results.start(replace(STUDY, seeds=3), THEIRS)

    assert resumable(results, STUDY, OURS) is None


def test_the_version_tells_the_code_from_the_release() -> None:
    version, _, code = evaluation_version().partition("+")

    assert version == code_version()
    assert len(code) == 12
    assert evaluation_version() == f"{version}+{code}"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    root = tmp_path / "domain"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "rules.py").write_text("K = 8\n")
    (root / "rules.py").write_text("N = 1\n")
    return root


CHANGES: dict[str, Callable[[Path], object]] = {
    "a number": lambda root: (root / "memory" / "rules.py").write_text("K = 9\n"),
    "a new file": lambda root: (root / "more.py").touch(),
    "a file less": lambda root: (root / "rules.py").unlink(),
    "a name": lambda root: (root / "rules.py").rename(root / "rule.py"),
    "what lies where": lambda root: (root / "rules.py").rename(root / "memory" / "more.py"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_any_change_of_the_sources_gives_another_digest(
    sources: Path, change: Callable[[Path], object]
) -> None:
    before = digest_of_sources([sources])

    change(sources)

    assert digest_of_sources([sources]) != before


def test_what_is_no_source_and_where_it_is_installed_change_nothing(sources: Path, tmp_path: Path) -> None:
    before = digest_of_sources([sources])
    (sources / "rules.pyc").write_bytes(b"\0")
    (sources / "notes.txt").touch()
    (tmp_path / "elsewhere").mkdir()
    moved = sources.rename(tmp_path / "elsewhere" / "domain")

    assert digest_of_sources([moved]) == before
