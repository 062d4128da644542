"""Where each robot's bridge listens now: a file in the robot's folder, readable by its owner alone.

The file holds the token that the bridge asks for. It goes when the bridge is started anew, and comes back
with it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from backend.bridge.channel import Address
from backend.usecases.ports import BridgeUnreachable

TOKEN_VARIABLE = "QUARTERDECK_BRIDGE_TOKEN"
"""What a bridge process reads its token from."""
_FILE = "address.json"


def robot_home(home: Path, robot: str) -> Path:
    """The folder of one robot: ledger, lock and address of its bridge."""
    return home / "robots" / robot


def announce(folder: Path, address: Address) -> None:
    written = folder / f".{_FILE}"
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(address._asdict(), file)
    written.replace(folder / _FILE)


def withdraw(folder: Path) -> None:
    (folder / _FILE).unlink(missing_ok=True)


def find_bridge(folder: Path) -> Address:
    """Raises BridgeUnreachable while no bridge of this robot is ready."""
    try:
        return Address(**json.loads((folder / _FILE).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        raise BridgeUnreachable(f"no bridge of robot {folder.name} is running here") from None
