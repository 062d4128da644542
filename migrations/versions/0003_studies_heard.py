"""Who started an evaluation run, and when episodes of it were last stored."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for name in ("started_by", "heard_utc"):
        op.add_column("studies", sa.Column(name, sa.Text, nullable=False, server_default=""))
