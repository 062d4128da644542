"""Reads what the evaluation's pages show. Figures are made once for a run as it stands, and kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from backend.domain.annotations.annotation import Annotation
from backend.domain.command.intents import COMMANDING
from backend.domain.hindsight.labels import labels_of
from backend.evaluation.choices import compared_method
from backend.evaluation.comparison import compare_runs, shares_cell
from backend.evaluation.errors import WrongStudy
from backend.evaluation.export import csv_lines, json_lines
from backend.evaluation.rebuild import Place
from backend.evaluation.replays import Replays
from backend.evaluation.summary import Summary, summarise
from backend.evaluation.tabletop_figures import figures_of
from backend.evaluation.trajectory import trajectory_of
from backend.studies.addresses import Recorded, address, compare_address
from backend.studies.cells import PAGE, Beside, cell_page, name_of
from backend.studies.comparison import compare_page
from backend.studies.memory import SEEDS_DRAWN
from backend.studies.paths import Walked, beside, paths_page
from backend.studies.report import report_page
from backend.studies.runs import READ, progress_of, run_list
from backend.studies.starting import Spawn, begin, go_on, may_go_on, offered, study_of
from backend.usecases.recordings import Recordings
from backend.usecases.results import Results, Run
from backend.web.errors import Malformed, NotThere
from backend.web.pages.chrome import Chrome, User
from backend.web.pages.evaluation import (
    CellPage,
    ComparePage,
    PathsPage,
    Progress,
    RunList,
    RunPage,
    StartForm,
)
from backend.web.pages.parts import FieldError, Notice

FIRST_STUDY = "memory:all"
Annotated = Callable[[Sequence[str]], Mapping[str, Sequence[Annotation]]]
KEPT = 16
"""Summaries that are kept, the ones asked for last."""


class StudyDesk:
    """For any number of threads. `clock_s`: epoch seconds on the database's clock."""

    def __init__(
        self,
        results: Results,
        recordings: Recordings,
        replays: Replays,
        *,
        version: str,
        clock_s: Callable[[], float],
        spawn: Spawn,
        annotated: Annotated = lambda _: {},
    ) -> None:
        """`annotated`: what people wrote beside episodes, by episode."""
        self._results = results
        self._recordings = recordings
        self._replays = replays
        self._version = version
        self._clock_s = clock_s
        self._spawn = spawn
        self._annotated = annotated
        self._lock = threading.Lock()
        self._summaries: OrderedDict[tuple[int, int, str], Summary] = OrderedDict()

    def runs(self) -> RunList:
        return run_list(self._results.runs(limit=READ), self._version, self._clock_s())

    def start_form(
        self, name: str = "", seeds: str = "100", errors: tuple[FieldError, ...] = ()
    ) -> StartForm:
        studies = tuple([replace(each, chosen=each.value == (name or FIRST_STUDY)) for each in offered()])
        return StartForm(studies=studies, seeds=seeds, errors=errors)

    def start(self, name: str, seeds: str, by: str) -> int | FieldError:
        """The number of a run that a process of its own plays. Raises TooLate while another is under way."""
        study = study_of(name, seeds.strip())
        if isinstance(study, FieldError):
            return study
        return begin(study, by, self._results, self._version, self._clock_s(), self._spawn).id

    def go_on(self, run: int) -> None:
        """Raises NotThere, and TooLate where it cannot."""
        go_on(self._run(run), self._results, self._version, self._clock_s(), self._spawn)

    def report(self, chrome: Chrome, run: int, compared: str | None) -> RunPage:
        """Raises NotThere, and Malformed for a method that the run lacks."""
        found = self._run(run)
        try:
            method = compared_method(compared, found.study) if found.study.arms else ""
        except WrongStudy as error:
            raise Malformed(error.message, remedy=error.remedy) from None
        summary = self._summary(found, method)
        seeds = {
            cell.arm: list(islice(self._results.episodes(run, arm=cell.arm), SEEDS_DRAWN))
            for cell in (summary.cells if found.study.kind in ("memory", "arena") else ())
        }
        others = [
            each for each in self._results.runs(limit=READ) if each.id != run and shares_cell(found, each)
        ]
        return report_page(
            chrome,
            summary,
            seeds,
            method=method,
            others=others,
            version=self._version,
            progress=self._progress(found, chrome.user),
            table=figures_of(found, self._results, method) if found.study.kind == "tabletop" else None,
            recorded=self._recorded(found),
        )

    def progress(self, run: int, user: User) -> Progress | None:
        """None once it is finished."""
        return self._progress(self._run(run), user)

    def cell(self, chrome: Chrome, run: int, arm: int, page: int) -> CellPage:
        found = self._cell(run, arm)
        recorded = self._recorded(found)
        rows = self._results.failures_first(run, arm, offset=page * PAGE, limit=PAGE)
        return cell_page(
            chrome,
            found,
            arm,
            rows,
            page=page,
            total=self._results.count(run, arm),
            version=self._version,
            addresses=[address(Place(run, arm, row.seed), recorded) for row in rows],
            beside=self._beside(found, arm, [row.seed for row in rows], recorded),
            labelled=self._labelled(arm, recorded),
        )

    def _labelled(self, arm: int, recorded: Recorded) -> Mapping[int, Mapping[str, int]]:
        """By seed, the labels that people gave its episode. What is only played again has no annotations."""
        seeds = {each.episode: place.seed for place, each in recorded.items() if place.arm == arm}
        found = self._annotated([*seeds]) if seeds else {}
        return {seeds[episode]: labels for episode, each in found.items() if (labels := labels_of(each))}

    def _beside(self, run: Run, arm: int, seeds: Sequence[int], recorded: Recorded) -> Beside | None:
        """The first of the other methods of the row, as far as it has played these seeds."""
        other = next((index for index in beside(run, arm) if index != arm), None)
        if other is None:
            return None
        there = {seed for seed in seeds if self._results.episode(run.id, other, seed) is not None}
        addresses = [
            compare_address(*[address(Place(run.id, index, seed), recorded) for index in (arm, other)])
            if seed in there
            else ""
            for seed in seeds
        ]
        return Beside(run.study.arms[other].method, addresses)

    def paths(self, chrome: Chrome, run: int, arm: int, seed: int) -> PathsPage:
        """Raises NotThere where no method has an episode of this seed yet."""
        found = self._cell(run, arm)
        walked = list(self._walked(found, beside(found, arm), seed))
        if not walked:
            raise NotThere(
                f"Run {run} has no episode of seed {seed} in {name_of(found.study.arms[arm])}",
                text=f"Its seeds go from {found.study.first_seed} on, {found.study.seeds} of them.",
                remedy="Choose one of those, or wait until it was played.",
            )
        return paths_page(chrome, found, arm, seed, walked)

    def compare(self, chrome: Chrome, first: int, second: int) -> ComparePage:
        ours, theirs = self._run(first), self._run(second)
        try:
            compared = compare_runs((ours, self._results), (theirs, self._results))
        except WrongStudy:
            compared = []
        return compare_page(chrome, ours, theirs, compared, version=self._version, now_s=self._clock_s())

    def export(self, run: int, as_csv: bool) -> Iterable[str]:
        """The run's episodes line by line, read as they are taken."""
        found = self._run(run)
        if found.unreadable:
            raise NotThere(
                f"Version {self._version} cannot read what run {run} measured",
                text=f"Version {found.code_version} wrote it.",
                remedy="Export it with that version.",
            )
        return (csv_lines if as_csv else json_lines)(found, self._results.episodes(run))

    def _progress(self, run: Run, user: User | None) -> Progress | None:
        now_s = self._clock_s()
        may = user is not None and user.role in COMMANDING and may_go_on(run, self._version, now_s)
        return progress_of(run, self._version, now_s, may_go_on=may)

    def _run(self, run: int) -> Run:
        found = self._results.run(run)
        if found is None:
            raise NotThere(f"There is no evaluation run {run}", remedy="The list names the runs there are.")
        return found

    def _cell(self, run: int, arm: int) -> Run:
        found = self._run(run)
        if not 0 <= arm < len(found.study.arms):
            raise NotThere(
                f"Run {run} has no cell {arm}",
                text=f"Its cells are 0 to {len(found.study.arms) - 1}." if found.study.arms else "",
                remedy="The run's page leads to each.",
            )
        return found

    def _summary(self, run: Run, method: str) -> Summary:
        """Of a run that goes on: as it stands now, made anew when more is there."""
        key = run.id, run.done, method
        with self._lock:
            known = self._summaries.pop(key, None) or summarise(run, self._results, method)
            self._summaries[key] = known
            while len(self._summaries) > KEPT:
                self._summaries.popitem(last=False)
        return known

    def _recorded(self, run: Run) -> Recorded:
        """What a model planned has its journal kept; all else is played again."""
        if run.study.kind not in ("planner", "tabletop"):
            return {}
        return {Place(run.id, each.arm, each.seed): each for each in self._recordings.all(run.id)}

    def _walked(self, run: Run, arms: Iterable[int], seed: int) -> Iterator[Walked]:
        recorded = self._recorded(run)
        found = {index: self._results.episode(run.id, index, seed) for index in arms}
        rows = {index: row for index, row in found.items() if row is not None}
        places = [Place(run.id, index, seed) for index in rows]
        self._replays.begin(place for place in places if place not in recorded)
        for place, (index, row) in zip(places, rows.items(), strict=True):
            arm = run.study.arms[index]
            opens = address(place, recorded)
            if place in recorded:
                yield Walked(index, arm, row, recorded[place].trajectory, opens)
                continue
            rebuilt = self._replays.get(place)
            notice = _otherwise(arm.method, rebuilt.evaluated.differs)
            yield Walked(index, arm, row, trajectory_of(rebuilt.events), opens, notice)


def _otherwise(method: str, differs: tuple[tuple[str, str, str], ...]) -> Notice | None:
    if not differs:
        return None
    told = ", ".join(f"{name.replace('_', ' ')} {now}, stored {stored}" for name, stored, now in differs)
    return Notice(
        icon="warn",
        tone="caution",
        title=f"{method}: this version does not give what was measured.",
        text=f"The way drawn is what it gives now: {told}.",
    )
