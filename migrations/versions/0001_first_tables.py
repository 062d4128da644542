"""The first tables: journal, inbox, leases, derived tables, telemetry, accounts, plain tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("utc", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("before", sa.Text),
        sa.Column("after", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_table(
        "documents",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("utc", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("kind", "name", name="pk_documents"),
    )
    op.create_table(
        "heads",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("chain", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("expires_s", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("episode", name="pk_heads"),
    )
    op.create_table(
        "robots",
        sa.Column("robot", sa.Text, nullable=False),
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("expires_s", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("robot", name="pk_robots"),
    )
    op.create_table(
        "users",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("utc", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_users"),
    )
    op.create_table(
        "annotations",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("utc", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_annotations_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_annotations"),
    )
    op.create_index("ix_annotations_episode_seq", "annotations", ["episode", "seq"])
    op.create_table(
        "approvals",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("approval_id", sa.Text, nullable=False),
        sa.Column("change", sa.Text, nullable=False),
        sa.Column("plan_number", sa.Integer),
        sa.Column("first_step", sa.Integer),
        sa.Column("last_step", sa.Integer),
        sa.Column("pins", sa.Text),
        sa.Column("pins_digest", sa.Text),
        sa.Column("expires_s", sa.Double),
        sa.Column("by", sa.Text),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("cause", sa.Text),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_approvals_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("episode", "seq", name="pk_approvals"),
    )
    op.create_table(
        "entity_audit",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("entity", sa.Text, nullable=False),
        sa.Column("field", sa.Text),
        sa.Column("old", sa.Text),
        sa.Column("new", sa.Text),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("source", sa.Text),
        sa.Column("sensed_by", sa.Text),
        sa.Column("stamp_s", sa.Double),
        sa.Column("confidence", sa.Double),
        sa.Column("times", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_entity_audit_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("episode", "seq", "n", name="pk_entity_audit"),
    )
    op.create_index("ix_entity_audit_episode_entity", "entity_audit", ["episode", "entity"])
    op.create_table(
        "entity_records",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("entity", sa.Text, nullable=False),
        sa.Column("created_order", sa.Integer, nullable=False),
        sa.Column("cls", sa.Text, nullable=False),
        sa.Column("x_m", sa.Double, nullable=False),
        sa.Column("y_m", sa.Double, nullable=False),
        sa.Column("yaw_rad", sa.Double, nullable=False),
        sa.Column("frame_id", sa.Text, nullable=False),
        sa.Column("confidence", sa.Double, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("stamp_s", sa.Double, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("class_seq", sa.Integer, nullable=False),
        sa.Column("pose_seq", sa.Integer, nullable=False),
        sa.Column("status_seq", sa.Integer, nullable=False),
        sa.Column("belief_seq", sa.Integer, nullable=False),
        sa.Column("failed_pose", sa.Text),
        sa.Column("failed_s", sa.Double),
        sa.Column("supported", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_entity_records_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("episode", "entity", name="pk_entity_records"),
    )
    op.create_table(
        "episodes",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("updated_utc", sa.Text, nullable=False),
        sa.Column("mission", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("world", sa.Text, nullable=False),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("robot", sa.Text, nullable=False),
        sa.Column("planner", sa.Text, nullable=False),
        sa.Column("memory", sa.Text, nullable=False),
        sa.Column("policy", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("code_version", sa.Text, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("need_rank", sa.Integer, nullable=False),
        sa.Column("need", sa.Text, nullable=False),
        sa.Column("conn", sa.Text),
        sa.Column("outcome", sa.Text),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("delivered", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
        sa.Column("money_usd", sa.Double, nullable=False),
        sa.Column("context_units", sa.Integer, nullable=False),
        sa.Column("replans", sa.Integer, nullable=False),
        sa.Column("stale_visits", sa.Integer, nullable=False),
        sa.Column("plans", sa.Integer, nullable=False),
        sa.Column("dispatches", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_episodes_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("episode", name="pk_episodes"),
    )
    op.create_index("ix_episodes_need_rank", "episodes", ["need_rank"])
    op.create_table(
        "events",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("payload_digest", sa.Text, nullable=False),
        sa.Column("meta", sa.Text),
        sa.Column("utc", sa.Text, nullable=False),
        sa.Column("chain", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("redacted", sa.Text),
        sa.ForeignKeyConstraint(["episode"], ["heads.episode"], name="fk_events_episode", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("episode", "seq", name="pk_events"),
    )
    op.create_table(
        "exchanges",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("api", sa.Text, nullable=False),
        sa.Column("request_digest", sa.Text, nullable=False),
        sa.Column("input_tokens", sa.Integer),
        sa.Column("cached_tokens", sa.Integer),
        sa.Column("output_tokens", sa.Integer),
        sa.Column("reasoning_tokens", sa.Integer),
        sa.Column("total_tokens", sa.Integer),
        sa.Column("cost_usd", sa.Double),
        sa.Column("latency_s", sa.Double),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_exchanges_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("episode", "seq", name="pk_exchanges"),
    )
    op.create_table(
        "execution_log",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("dispatch_id", sa.Text, nullable=False),
        sa.Column("skill", sa.Text, nullable=False),
        sa.Column("command", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("started_s", sa.Double, nullable=False),
        sa.Column("ended_s", sa.Double, nullable=False),
        sa.Column("measured", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_execution_log_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("episode", "seq", name="pk_execution_log"),
    )
    op.create_table(
        "frames",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("dispatch_id", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("width_px", sa.Integer, nullable=False),
        sa.Column("height_px", sa.Integer, nullable=False),
        sa.Column("camera", sa.Text, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("share", sa.Double),
        sa.Column("returned", sa.Boolean, nullable=False),
        sa.Column("watch", sa.Text),
        sa.ForeignKeyConstraint(["episode"], ["heads.episode"], name="fk_frames_episode", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("episode", "seq", "n", name="pk_frames"),
    )
    op.create_table(
        "intents",
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("intent_id", sa.Text, nullable=False),
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("stopping", sa.Boolean, nullable=False),
        sa.Column("not_after_s", sa.Double, nullable=False),
        sa.Column("put_s", sa.Double, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("applied", sa.Boolean),
        sa.Column("code", sa.Text),
        sa.Column("message", sa.Text),
        sa.Column("remedy", sa.Text),
        sa.Column("settled_seq", sa.Integer),
        sa.Column("settled_s", sa.Double),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_intents_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("position", name="pk_intents"),
        sa.UniqueConstraint("episode", "intent_id", name="uq_intents_episode_intent_id"),
    )
    op.create_index("ix_intents_episode_status", "intents", ["episode", "status"])
    op.create_table(
        "notes",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["episode"], ["heads.episode"], name="fk_notes_episode", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("episode", "seq", name="pk_notes"),
    )
    op.create_table(
        "orders",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("ordered_by", sa.Text, nullable=False),
        sa.Column("utc", sa.Text, nullable=False),
        sa.Column("wanted", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["episode"], ["heads.episode"], name="fk_orders_episode", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("episode", name="pk_orders"),
    )
    op.create_table(
        "plans",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("change", sa.Text, nullable=False),
        sa.Column("author", sa.Text),
        sa.Column("steps", sa.Text),
        sa.Column("rationale", sa.Text),
        sa.Column("digest", sa.Text),
        sa.Column("based_on_seq", sa.Integer),
        sa.Column("target", sa.Text),
        sa.Column("dependencies", sa.Text),
        sa.Column("findings", sa.Text),
        sa.Column("cause", sa.Text),
        sa.Column("message", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["episode"], ["heads.episode"], name="fk_plans_episode", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("episode", "seq", name="pk_plans"),
    )
    op.create_table(
        "retrievals",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("entity", sa.Text, nullable=False),
        sa.Column("score", sa.Double, nullable=False),
        sa.Column("weight", sa.Double, nullable=False),
        sa.Column("confidence", sa.Double, nullable=False),
        sa.Column("decay", sa.Double, nullable=False),
        sa.Column("nearness", sa.Double, nullable=False),
        sa.Column("distance_m", sa.Double, nullable=False),
        sa.Column("age_s", sa.Double, nullable=False),
        sa.Column("rank", sa.Integer),
        sa.Column("left_out", sa.Text),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_retrievals_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("episode", "seq", "n", name="pk_retrievals"),
    )
    op.create_table(
        "snapshots",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("state_version", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_snapshots_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("episode", "seq", "state_version", name="pk_snapshots"),
    )
    op.create_table(
        "telemetry",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("robot", sa.Text, nullable=False),
        sa.Column("met_s", sa.Double, nullable=False),
        sa.Column("utc", sa.Text, nullable=False),
        sa.Column("x_m", sa.Double, nullable=False),
        sa.Column("y_m", sa.Double, nullable=False),
        sa.Column("yaw_rad", sa.Double, nullable=False),
        sa.Column("frame_id", sa.Text, nullable=False),
        sa.Column("speed_m_s", sa.Double),
        sa.Column("held", sa.Text),
        sa.Column("extra", sa.Text),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_telemetry_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("episode", "robot", "met_s", name="pk_telemetry"),
    )
    op.create_table(
        "tokens",
        sa.Column("token_digest", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created_s", sa.Double, nullable=False),
        sa.Column("expires_s", sa.Double, nullable=False),
        sa.Column("used_s", sa.Double),
        sa.ForeignKeyConstraint(["user"], ["users.name"], name="fk_tokens_user", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_digest", name="pk_tokens"),
    )
    op.create_index("ix_tokens_user", "tokens", ["user"])
