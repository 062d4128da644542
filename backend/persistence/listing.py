"""The list of episodes: what needs a person first."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, and_, case, func, or_, select
from sqlalchemy.engine import RowMapping

from backend.persistence.connect import now_s
from backend.persistence.errors import UnknownEpisode
from backend.persistence.tables.episodes import episodes, orders
from backend.persistence.tables.journal import heads
from backend.persistence.tables.studies import studies, study_recordings
from backend.usecases.reading import EpisodeSummary, Evaluated

RUNNERLESS_RANK = 3
_RUNNERLESS = "No runner holds this episode"

_first = (
    select(study_recordings.c.episode, func.min(study_recordings.c.run).label("run"))
    .group_by(study_recordings.c.episode)
    .subquery()
)
_measured = (
    select(
        study_recordings.c.episode,
        study_recordings.c.run,
        study_recordings.c.arm,
        study_recordings.c.seed,
        studies.c.code_version.label("by"),
    )
    .join(_first, (_first.c.episode == study_recordings.c.episode) & (_first.c.run == study_recordings.c.run))
    .join(studies, studies.c.id == study_recordings.c.run)
    .subquery()
)
"""Episodes whose journal an evaluation recorded, by the first run that did; one that repeats it adds none."""

Show = Literal["all", "need", "running", "ended"]


def summaries(
    connection: Connection, *, show: Show = "all", search: str = "", limit: int = 100, offset: int = 0
) -> list[EpisodeSummary]:
    """`search` is looked for in id, mission, title, robot and planner, whatever the case. Episodes that an
    evaluation recorded stand in its pages.
    """
    clock_s = now_s(connection)
    query = _query(clock_s).where(_measured.c.run.is_(None), *_shown(show, clock_s))
    if search:
        columns = (
            heads.c.episode,
            episodes.c.mission,
            episodes.c.title,
            episodes.c.robot,
            episodes.c.planner,
        )
        query = query.where(or_(*(column.icontains(search, autoescape=True) for column in columns)))
    query = query.order_by(
        _rank(clock_s).desc(),
        episodes.c.outcome.isnot(None),
        func.coalesce(episodes.c.updated_utc, orders.c.utc).desc(),
        heads.c.episode,
    )
    rows = connection.execute(query.limit(limit).offset(offset)).mappings()
    return [_summary(row) for row in rows]


def summary(connection: Connection, episode: str) -> EpisodeSummary:
    """Raises UnknownEpisode."""
    query = _query(now_s(connection)).where(heads.c.episode == episode)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise UnknownEpisode(
            f"There is no episode {episode}.", field="episode", remedy="Run: quarterdeck episodes list"
        )
    return _summary(row)


def _query(clock_s: float) -> Select[Any]:
    derived = [column for column in episodes.columns if column.name not in ("episode", "seq", "need_rank")]
    return (
        select(
            heads.c.episode,
            heads.c.seq,
            heads.c.content,
            case((heads.c.expires_s > clock_s, heads.c.holder), else_="").label("held_by"),
            case((heads.c.expires_s > clock_s, heads.c.address), else_="").label("address"),
            orders.c.ordered_by,
            orders.c.utc.label("ordered_utc"),
            orders.c.request,
            _rank(clock_s).label("need_rank"),
            *(
                column.label(f"measured_{column.name}")
                for column in _measured.columns
                if column.name != "episode"
            ),
            *derived,
        )
        .join(orders, orders.c.episode == heads.c.episode)
        .outerjoin(episodes, episodes.c.episode == heads.c.episode)
        .outerjoin(_measured, _measured.c.episode == heads.c.episode)
    )


def _rank(clock_s: float) -> ColumnElement[int]:
    """An episode that has begun, has not ended and that nobody runs needs someone, whatever it said last."""
    stored = func.coalesce(episodes.c.need_rank, 0)
    return case((_runnerless(clock_s) & (stored < RUNNERLESS_RANK), RUNNERLESS_RANK), else_=stored)


def _runnerless(clock_s: float) -> ColumnElement[bool]:
    return and_(heads.c.seq > 0, episodes.c.outcome.is_(None), heads.c.expires_s <= clock_s)


def _shown(show: Show, clock_s: float) -> list[ColumnElement[bool]]:
    if show == "need":
        return [_rank(clock_s) > 0]
    if show == "running":
        return [episodes.c.outcome.is_(None)]
    return [episodes.c.outcome.isnot(None)] if show == "ended" else []


def _summary(row: RowMapping) -> EpisodeSummary:
    values = {name: row[name] for name in row if row[name] is not None and not name.startswith("measured_")}
    values["request"] = msgspec.json.decode(row["request"])
    if row["need_rank"] == RUNNERLESS_RANK and not row["held_by"] and not row["need"]:
        values["need"] = _RUNNERLESS
    return EpisodeSummary(evaluated=_evaluated(row), **values)


def _evaluated(row: RowMapping) -> Evaluated | None:
    if row["measured_run"] is None:
        return None
    return Evaluated(
        run=row["measured_run"],
        arm=row["measured_arm"],
        seed=row["measured_seed"],
        title=row["title"] or "",
        measured_by=row["measured_by"],
        rebuilt_by="",
    )
