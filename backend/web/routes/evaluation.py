"""Evaluation: runs, a run's figures, a cell's episodes, ways side by side, two runs compared, results as
files. Reading alone: nothing here commands anything.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response, StreamingResponse

from backend.web.console import Console
from backend.web.pages.environment import url
from backend.web.pages.evaluation import RunsPage
from backend.web.responses import html, see, wants_fragment

LARGEST = 2**31 - 1
Number = Annotated[int, Path(ge=0, le=LARGEST)]
Asked = Annotated[int, Query(ge=0, le=LARGEST)]
REFRESH = {"HX-Refresh": "true"}


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/evaluation")
    studies = console.deps.studies

    @routes.get("")
    def runs(request: Request) -> Response:
        page = RunsPage(chrome=console.chrome(request, "Evaluation"), runs=studies.runs())
        return console.html(page)

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
    def show(request: Request, run: Number, compare: Annotated[str, Query(max_length=40)] = "") -> Response:
        """`compare`: the method whose differences from the others are told."""
        return console.html(studies.report(console.chrome(request, f"Run {run}"), run, compare or None))

    @routes.get("/{run}/progress")
    def progress(request: Request, run: Number) -> Response:
        """How far it is; once it is finished the page is loaded again, for its figures are others then."""
        if not wants_fragment(request.headers):
            return see(url("evaluation", run))
        going = studies.progress(run)
        return Response(headers=REFRESH) if going is None else html(console.environment, going)

    @routes.get("/{run}/episodes.csv")
    def as_csv(run: Number) -> Response:
        return _file(console, run, as_csv=True)

    @routes.get("/{run}/episodes.jsonl")
    def as_json_lines(run: Number) -> Response:
        return _file(console, run, as_csv=False)

    @routes.get("/{run}/cells/{arm}")
    def cell(request: Request, run: Number, arm: Number, page: Asked = 0) -> Response:
        title = f"Cell {arm} of run {run}"
        return console.html(studies.cell(console.chrome(request, title), run, arm, page))

    @routes.get("/{run}/cells/{arm}/paths")
    def paths(request: Request, run: Number, arm: Number, seed: Asked) -> Response:
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
