"""The tables. `DERIVED` are those that projections keep and that can be made again from the journal."""

from sqlalchemy import Table

from backend.persistence.tables.accounts import attempts, replies, sessions, tokens, users
from backend.persistence.tables.annotations import annotation_versions
from backend.persistence.tables.episodes import episodes, orders
from backend.persistence.tables.execution import execution_log, frames, notes, telemetry
from backend.persistence.tables.experiments import experiments
from backend.persistence.tables.inbox import intents
from backend.persistence.tables.journal import events, heads, robots, snapshots
from backend.persistence.tables.memory import entity_audit, entity_records, retrievals
from backend.persistence.tables.metadata import metadata
from backend.persistence.tables.people import acknowledgements, alarms, preferences
from backend.persistence.tables.plain import audit, document_versions
from backend.persistence.tables.plans import approvals, exchanges, plans
from backend.persistence.tables.search import search_heads, search_moments
from backend.persistence.tables.studies import studies, study_episodes, study_recordings

DERIVED: tuple[Table, ...] = (
    episodes,
    entity_records,
    entity_audit,
    retrievals,
    plans,
    approvals,
    exchanges,
    notes,
    execution_log,
    frames,
)

KEPT: tuple[Table, ...] = (
    heads,
    robots,
    events,
    snapshots,
    intents,
    orders,
    telemetry,
    users,
    tokens,
    sessions,
    attempts,
    replies,
    document_versions,
    annotation_versions,
    search_moments,
    search_heads,
    audit,
    studies,
    study_episodes,
    study_recordings,
    acknowledgements,
    alarms,
    preferences,
    experiments,
)

__all__ = ["DERIVED", "KEPT", "metadata"]
