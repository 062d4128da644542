"""Whether the ROS master is there, asked with a time limit, before rospy is imported and ever after.

rospy retries for ever without a master, and never registers again with one that was restarted.
"""

from __future__ import annotations

import http.client
import xmlrpc.client
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

PROBE_S = 1.0
CALLER = "/quarterdeck_probe"


class MasterGone(Exception):
    """The master does not answer, or is another one; the text says which."""


class _Limited(xmlrpc.client.Transport):
    def make_connection(self, host: Any) -> http.client.HTTPConnection:
        connection = super().make_connection(host)
        connection.timeout = PROBE_S
        return connection


def master_pid(uri: str) -> int:
    """Raises MasterGone within about a second."""
    return int(ask(uri, "getPid", CALLER))


def node_address(uri: str, node: str) -> str:
    """Where a node of this name is registered; empty where none is. Raises MasterGone."""
    try:
        return str(ask(uri, "lookupNode", CALLER, node))
    except LookupError:
        return ""


def publishers(uri: str) -> dict[str, list[str]]:
    """Who publishes each topic. Raises MasterGone."""
    return {topic: list(nodes) for topic, nodes in ask(uri, "getSystemState", CALLER)[0]}


def is_alive(node_uri: str) -> bool:
    """Whether the node that registered this address still answers."""
    try:
        master_pid(node_uri)
    except MasterGone:
        return False
    return True


def ask(uri: str, method: str, *arguments: Any) -> Any:
    """A call of master or node. Raises MasterGone, and LookupError where it answers no."""
    try:
        with xmlrpc.client.ServerProxy(uri, transport=_Limited()) as master:
            code, problem, value = getattr(master, method)(*arguments)
    except (OSError, http.client.HTTPException, xmlrpc.client.Error, ValueError, TypeError) as error:
        raise MasterGone(f"No ROS master answers at {uri}: {error}.") from None
    if code != 1:
        raise LookupError(problem)
    return value
