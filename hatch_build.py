"""Build hook: a wheel carries what is not Python; an editable install reads it from the checkout."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = ("alembic.ini", "frontend", "migrations", "missions", "static")


class ShipAssets(BuildHookInterface):
    """Places what `backend.assets.asset` looks for into the wheel's `backend/_data`."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        for name in SHIPPED:
            source = Path(self.root) / name
            if source.exists():
                build_data["force_include"][str(source)] = f"backend/_data/{name}"
