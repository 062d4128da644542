"""Leases: which runner may write an episode and command its robots, and until when. All by the database's
clock.

Each claim takes an epoch above every earlier one of the episode and of its robots, so that a bridge can tell
a runner from its successor whichever episode either belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Engine, select, update
from sqlalchemy.engine import RowMapping

from backend.persistence.connect import now_s, reading, writing
from backend.persistence.errors import LeaseTaken
from backend.persistence.heads import locked_head
from backend.persistence.statements import insert_missing
from backend.persistence.tables.journal import heads, robots
from backend.usecases.ports import LostLease

TTL_S = 10.0


class Lease(Struct, frozen=True, kw_only=True):
    """The right to write one episode and command its robots, until `expires_s` on the database's clock."""

    episode: str
    robots: tuple[str, ...]
    holder: str
    epoch: int
    expires_s: float


def claim(
    engine: Engine,
    episode: str,
    robot_names: Sequence[str],
    holder: str,
    *,
    address: str = "",
    ttl_s: float = TTL_S,
) -> Lease:
    """Takes the episode and its robots under a new epoch, which fences every earlier runner.

    `address` is where the runner's socket listens. Raises LeaseTaken while another holder's lease on any of
    them has not run out, UnknownEpisode.
    """
    names = tuple(sorted(set(robot_names)))
    with writing(engine) as connection:
        head = locked_head(connection, episode)
        held = _locked_robots(connection, names)
        clock_s = now_s(connection)
        _refuse_if_taken(head, held, episode, holder, clock_s)
        epoch = 1 + max([head["epoch"], *(robot["epoch"] for robot in held.values())])
        lease = Lease(episode=episode, robots=names, holder=holder, epoch=epoch, expires_s=clock_s + ttl_s)
        _write(connection, lease, address)
        return lease


def commander_of(engine: Engine, robot: str) -> str | None:
    """The episode whose lease on the robot has not run out."""
    with reading(engine) as connection:
        held = (robots.c.robot == robot) & (robots.c.expires_s > now_s(connection))
        return connection.execute(select(robots.c.episode).where(held)).scalar()


def renew(engine: Engine, lease: Lease, *, ttl_s: float = TTL_S) -> Lease:
    """The lease with a later end. Raises LostLease when it ran out or someone else holds any of it."""
    with writing(engine) as connection:
        head = locked_head(connection, lease.episode)
        held = _locked_robots(connection, lease.robots)
        clock_s = now_s(connection)
        rows = [head, *held.values()]
        if any(row["epoch"] != lease.epoch or row["expires_s"] <= clock_s for row in rows):
            raise LostLease(
                f"The lease of {lease.holder} on episode {lease.episode} ran out or was taken over."
            )
        renewed = replace(lease, expires_s=clock_s + ttl_s)
        _write(connection, renewed, head["address"])
        return renewed


def release(engine: Engine, lease: Lease) -> None:
    """Ends the lease now; nothing happens where it is no longer this runner's."""
    with writing(engine) as connection:
        locked_head(connection, lease.episode)
        _locked_robots(connection, lease.robots)
        for table in (heads, robots):
            mine = (table.c.episode == lease.episode) & (table.c.epoch == lease.epoch)
            connection.execute(update(table).where(mine).values(expires_s=0.0))


def _locked_robots(connection: Connection, names: Sequence[str]) -> dict[str, RowMapping]:
    """In order of name, so that two claimants never wait for each other."""
    if not names:
        return {}
    free = [{"robot": name, "episode": "", "epoch": 0, "expires_s": 0.0} for name in names]
    connection.execute(insert_missing(connection, robots), free)
    query = select(robots).where(robots.c.robot.in_(names)).order_by(robots.c.robot)
    rows = connection.execute(query.with_for_update()).mappings()
    return {row["robot"]: row for row in rows}


def _refuse_if_taken(
    head: RowMapping, held: dict[str, RowMapping], episode: str, holder: str, clock_s: float
) -> None:
    if head["holder"] != holder and head["expires_s"] > clock_s:
        left_s = head["expires_s"] - clock_s
        raise LeaseTaken(
            f"Episode {episode} is run by {head['holder']}.",
            field="episode",
            remedy=f"Wait: unless renewed, its lease ends in {left_s:.0f} s.",
        )
    for name, robot in held.items():
        if robot["episode"] != episode and robot["expires_s"] > clock_s:
            raise LeaseTaken(
                f"Robot {name} is commanded by episode {robot['episode']}.",
                field="robot",
                remedy="End that episode, or name another robot.",
            )


def _write(connection: Connection, lease: Lease, address: str) -> None:
    values: dict[str, Any] = {"epoch": lease.epoch, "expires_s": lease.expires_s}
    mine = update(heads).where(heads.c.episode == lease.episode)
    connection.execute(mine.values(holder=lease.holder, address=address, **values))
    if lease.robots:
        theirs = update(robots).where(robots.c.robot.in_(lease.robots))
        connection.execute(theirs.values(episode=lease.episode, **values))
