"""Evaluation: runs, a run's figures, a cell's episodes, ways side by side, two runs compared, results as
files; and the start of a run. Nothing here commands a robot.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from starlette.responses import Response, StreamingResponse

from backend.domain.command.intents import COMMANDING
from backend.web.console import Console
from backend.web.errors import NotThere
from backend.web.pages.environment import url
from backend.web.pages.evaluation import RunsPage, StartForm
from backend.web.pages.parts import FieldError
from backend.web.responses import html, see, wants_fragment

LARGEST = 2**31 - 1
Number = Annotated[int, Path(ge=0, le=LARGEST)]


def _run_number(run: str) -> int:
    """Whatever is written there, it names no run or one: raises NotThere."""
    if not (run.isascii() and run.isdecimal()) or len(run) > 10 or int(run) > LARGEST:
        raise NotThere(
            f"There is no evaluation run “{run[:40]}”", remedy="The list names the runs there are."
        )
    return int(run)


RunNumber = Annotated[int, Depends(_run_number)]
Asked = Annotated[int, Query(ge=0, le=LARGEST)]
Field = Annotated[str, Form(max_length=200)]
Method = Annotated[str, Query(max_length=40)]
REFRESH = {"HX-Refresh": "true"}


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/evaluation")
    studies = console.deps.studies

    @routes.get("")
    def runs(request: Request) -> Response:
        return page(request, studies.start_form())

    def page(request: Request, form: StartForm, status: int = 200) -> Response:
        may = console.user(request).role in COMMANDING
        shown = console.chrome(request, "Evaluation")
        return console.html(RunsPage(chrome=shown, runs=studies.runs(), start=form if may else None), status)

    @routes.post("")
    def start(request: Request, study: Field = "", seeds: Field = "") -> Response:
        """A run in a process of its own, one at a time. Not for viewers."""
        begun = studies.start(study, seeds, console.user(request).name)
        if isinstance(begun, FieldError):
            return page(request, studies.start_form(study, seeds, (begun,)), 422)
        return see(url("evaluation", begun))

    @routes.post("/{run}/continuation")
    def go_on(run: RunNumber) -> Response:
        """Have a run that stands still go on. Not for viewers."""
        studies.go_on(run)
        return see(url("evaluation", run))

    @routes.get("/list")
    def fragment(request: Request) -> Response:
        """The list alone, fetched again each two seconds while a run goes on."""
        return console.html(studies.runs()) if wants_fragment(request.headers) else see(url("evaluation"))

    @routes.get("/compare")
    def compare(request: Request, first: Asked, second: Asked) -> Response:
        """The second run minus the first."""
        title = f"Run {second} beside run {first}"
        return console.html(studies.compare(console.chrome(request, title), first, second))

    @routes.get("/{run}")
    def show(
        request: Request, run: RunNumber, compare: Annotated[str, Query(max_length=40)] = ""
    ) -> Response:
        """`compare`: the method whose differences from the others are told."""
        return console.html(studies.report(console.chrome(request, f"Run {run}"), run, compare or None))

    @routes.get("/{run}/progress")
    def progress(request: Request, run: RunNumber, waiting: bool = False) -> Response:
        """How far it is; once it is finished the page is loaded again, for its figures are others then, and
        where the page is `waiting` for a first figure, once there is one.
        """
        if not wants_fragment(request.headers):
            return see(url("evaluation", run))
        going = studies.progress(run, console.user(request))
        if going is None or (waiting and going.has_begun):
            return Response(headers=REFRESH)
        return html(console.environment, going)

    @routes.get("/{run}/episodes.csv")
    def as_csv(run: RunNumber) -> Response:
        return _file(console, run, as_csv=True)

    @routes.get("/{run}/episodes.jsonl")
    def as_json_lines(run: RunNumber) -> Response:
        return _file(console, run, as_csv=False)

    @routes.get("/{run}/cells/{arm}")
    def cell(request: Request, run: RunNumber, arm: Number, page: Asked = 0) -> Response:
        title = f"Cell {arm} of run {run}"
        return console.html(studies.cell(console.chrome(request, title), run, arm, page))

    @routes.get("/{run}/cells/{arm}/paths")
    def paths(request: Request, run: RunNumber, arm: Number, seed: Asked) -> Response:
        title = f"Ways of seed {seed}, run {run}"
        return console.html(studies.paths(console.chrome(request, title), run, arm, seed))

    return routes


def _file(console: Console, run: int, *, as_csv: bool) -> Response:
    ending, media = ("csv", "text/csv") if as_csv else ("jsonl", "application/jsonl")
    name = f"evaluation-run-{run}.{ending}"
    return StreamingResponse(
        iter(console.deps.studies.export(run, as_csv)),
        media_type=media,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
