"""Leases by the database's clock: one holder at a time, rising epochs, a clear word on who holds what."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, RowMapping

from backend.persistence.connect import reading
from backend.persistence.errors import LeaseTaken, UnknownEpisode
from backend.persistence.heads import head_of, order_episode, runnerless, unwanted
from backend.persistence.journal import SqlJournal
from backend.persistence.leases import Lease, claim, release, renew
from backend.usecases.ports import LostLease
from tests.persistence.episodes import fill, new_episode
from tests.support.drill import Drill, whole


def test_each_claim_takes_an_epoch_above_the_last(engine: Engine) -> None:
    episode = new_episode(engine)

    epochs = [claim(engine, episode, [], "runner").epoch for _ in range(3)]

    assert epochs == [1, 2, 3]


def test_a_lease_that_has_not_run_out_keeps_others_out_and_says_who_holds_it(engine: Engine) -> None:
    episode = new_episode(engine)
    claim(engine, episode, [], "runner-1", ttl_s=60)

    with pytest.raises(LeaseTaken, match=r"is run by runner-1.*ends in 60 s") as caught:
        claim(engine, episode, [], "runner-2")

    assert caught.value.field == "episode"


def test_a_lease_that_ran_out_is_free_and_its_holder_fenced(engine: Engine) -> None:
    episode, first = overtaken(engine)

    with pytest.raises(LostLease):
        renew(engine, first)
    with pytest.raises(LostLease):
        SqlJournal(engine, first).append(Drill(episode).events)


def test_a_robot_obeys_one_episode_at_a_time(engine: Engine) -> None:
    first, second = new_episode(engine), new_episode(engine)
    robot = f"rover of {first}"
    claim(engine, first, [robot], "runner-1")

    with pytest.raises(LeaseTaken, match=f"commanded by episode {first}") as caught:
        claim(engine, second, [robot], "runner-2")

    assert caught.value.field == "robot"
    assert head(engine, second)["epoch"] == 0, "nothing of the claim is kept"


def test_a_robot_s_epoch_rises_from_episode_to_episode(engine: Engine) -> None:
    """A bridge that remembers the highest epoch must take the next episode's runner for the newer."""
    first, second = new_episode(engine), new_episode(engine)
    robot = f"rover of {first}"
    leases = [claim(engine, first, [robot], "runner-1") for _ in range(4)]
    release(engine, leases[-1])

    assert claim(engine, second, [robot], "runner-2").epoch == leases[-1].epoch + 1


def test_a_robot_taken_by_another_episode_ends_the_first_one_s_lease(engine: Engine) -> None:
    first, second = new_episode(engine), new_episode(engine)
    robot = f"rover of {first}"
    lease = claim(engine, first, [robot], "runner-1", ttl_s=0)
    claim(engine, second, [robot], "runner-2")

    with pytest.raises(LostLease):
        renew(engine, lease)
    with pytest.raises(LostLease):
        SqlJournal(engine, lease).append(Drill(first).events)


def test_renewing_moves_the_end(engine: Engine) -> None:
    episode = new_episode(engine)
    lease = claim(engine, episode, [f"rover of {episode}"], "runner", address="ws://127.0.0.1:1", ttl_s=30)

    renewed = renew(engine, lease, ttl_s=300)

    assert renewed.expires_s > lease.expires_s + 200
    assert renewed.epoch == lease.epoch
    assert head(engine, episode)["address"] == "ws://127.0.0.1:1"
    SqlJournal(engine, lease).append(Drill(episode).events)


def test_what_is_given_back_is_free_at_once_and_writes_no_more(engine: Engine) -> None:
    episode = new_episode(engine)
    lease = claim(engine, episode, [f"rover of {episode}"], "runner-1")

    release(engine, lease)

    with pytest.raises(LostLease):
        SqlJournal(engine, lease).append(Drill(episode).events)
    claim(engine, episode, [f"rover of {episode}"], "runner-2")


def test_a_late_release_takes_nothing_from_the_successor(engine: Engine) -> None:
    episode, first = overtaken(engine)

    release(engine, first)

    with pytest.raises(LeaseTaken):
        claim(engine, episode, [], "runner-3")


def test_of_ten_claimants_at_once_one_holds_episode_and_robots(engine: Engine) -> None:
    episode, start = new_episode(engine), threading.Barrier(10)
    robots = [f"{letter} of {episode}" for letter in "abc"]

    def try_to_claim(n: int) -> Lease | None:
        start.wait()
        try:
            return claim(engine, episode, robots[:: 1 if n % 2 else -1], f"runner-{n}")
        except LeaseTaken:
            return None

    with ThreadPoolExecutor(10) as pool:
        held = [lease for lease in pool.map(try_to_claim, range(10)) if lease is not None]

    assert len(held) == 1
    assert head(engine, episode)["holder"] == held[0].holder
    assert renew(engine, held[0]).epoch == 1


def test_an_episode_that_nobody_ordered_cannot_be_claimed(engine: Engine) -> None:
    with pytest.raises(UnknownEpisode, match="There is no episode nowhere"):
        claim(engine, "nowhere", [], "runner")


def test_what_wants_a_runner_is_listed_until_it_has_one_or_has_ended(engine: Engine) -> None:
    waiting, held, ended, dropped = (new_episode(engine) for _ in range(4))
    claim(engine, held, [], "runner", ttl_s=60)
    fill(engine, ended, whole(ended).commits)
    release_all(engine, ended)
    unwanted(engine, dropped)

    listed = {order.episode: order for order in runnerless(engine)}

    assert waiting in listed
    assert not {held, ended, dropped} & listed.keys()
    assert listed[waiting].request == {"mission": "drill"}
    assert listed[waiting].ordered_by == "ada"


def test_an_order_keeps_any_json(engine: Engine) -> None:
    request = {"mission": "x", "seed": 2**40, "policy": None, "robots": ["r"], "naïve": "⚓"}
    order_episode(engine, "json", request, "ada")

    (order,) = [order for order in runnerless(engine) if order.episode == "json"]

    assert order.request == request


def overtaken(engine: Engine) -> tuple[str, Lease]:
    """An episode, and the lease of the runner before its present one."""
    episode = new_episode(engine)
    first = claim(engine, episode, [f"rover of {episode}"], "runner-1", ttl_s=0)
    claim(engine, episode, [f"rover of {episode}"], "runner-2")
    return episode, first


def release_all(engine: Engine, episode: str) -> None:
    row = head(engine, episode)
    robots = (f"robot of {episode}",)
    release(
        engine, Lease(episode=episode, robots=robots, holder=row["holder"], epoch=row["epoch"], expires_s=0.0)
    )


def head(engine: Engine, episode: str) -> RowMapping:
    with reading(engine) as connection:
        return head_of(connection, episode)
