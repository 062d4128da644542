"""What one person sent to an episode lately, found without reading all that was ever sent to it."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_index("ix_intents_episode_actor_put_s", "intents", ["episode", "actor", "put_s"])
