"""The second way of a hold: straight to the bridge, beside the inbox, by the process that was asked to."""

from __future__ import annotations

import json

from msgspec import Struct
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from backend.bridge.channel import LARGEST_MESSAGE, Address
from backend.usecases.ports import BridgeRefused, BridgeUnreachable
from robot_bridge import contract

STOP_WITHIN_S = 1.0


class DirectStop(Struct, frozen=True, kw_only=True):
    """What the bridge said at once: the stop is in force, and whether the robot stood still already."""

    latched: bool
    standstill: bool


def stop_directly(
    address: Address, stop_id: str, actor: str, *, within_s: float = STOP_WITHIN_S
) -> DirectStop:
    """Latch a stop at the bridge. The same id again changes nothing.

    Raises BridgeUnreachable when no answer came in time (it may be stopped all the same), BridgeRefused.
    """
    headers = {"Authorization": f"Bearer {address.token}"} if address.token else None
    try:
        with connect(
            address.url,
            additional_headers=headers,
            open_timeout=within_s,
            close_timeout=0.1,
            max_size=LARGEST_MESSAGE,
            compression=None,
            proxy=None,
        ) as connection:
            connection.send(json.dumps({"op": "stop", "id": 1, "stop_id": stop_id, "actor": actor}))
            reply = contract.check_reply("stop", contract.read(connection.recv(timeout=within_s)))
    except (OSError, WebSocketException, TimeoutError, contract.ContractError) as error:
        raise BridgeUnreachable(
            f"The bridge did not confirm the stop within {within_s:g} s: {error}."
        ) from error
    if not reply["ok"]:
        fault = reply["error"]
        raise BridgeRefused(fault["code"], f"{fault['field']} {fault['problem']}. {fault['remedy']}")
    return DirectStop(latched=reply["latched"], standstill=reply["standstill"])
