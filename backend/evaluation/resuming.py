"""Whether an interrupted run may go on: only with the code that began it."""

from __future__ import annotations

from backend.domain.digests import digest
from backend.evaluation.errors import MixedCode
from backend.usecases.results import Results, Run, Study


def resumable(results: Results, study: Study, version: str) -> Run | None:
    """The unfinished run of this very study that is to go on, or None where one has to be started.

    Raises MixedCode where the newest run of the study was begun by other code and never finished.
    """
    run = results.unfinished(study, version)
    if run is not None:
        return run
    newest = next((each for each in results.runs() if each.digest == digest(study)), None)
    if newest is None or newest.finished_utc is not None:
        return None
    raise MixedCode(
        f"Run {newest.id} of this study stopped at {newest.done} of {study.episodes} episodes. Other code"
        f" played them ({newest.code_version}, and this is {version}): in one table they would not compare.",
        remedy="Start anew with --fresh, or go on with the code that began it.",
    )
