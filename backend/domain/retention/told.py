"""What is stored, what rules would let go, and what went."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.retention.room import Room
from backend.domain.retention.rules import Ruling


class Preview(Struct, frozen=True, kw_only=True):
    """`digest`: of exactly what goes. `pictures`: that no episode which stays shows; `bytes`: with them."""

    rulings: tuple[Ruling, ...]
    digest: str
    episodes: int
    pictures: int
    bytes: int


class Gone(Struct, frozen=True, kw_only=True):
    """What went. `pictures_wait`: a runner is at work, so that pictures go when it is done."""

    episodes: tuple[str, ...]
    pictures: int
    bytes: int
    pictures_wait: bool


class MissionUse(Struct, frozen=True, kw_only=True):
    """`bytes`: of its episodes in the database, and of the pictures that they show."""

    mission: str
    episodes: int
    bytes: int
    picture_bytes: int


class Usage(Struct, frozen=True, kw_only=True):
    """`kinds`: (name, bytes). `unnamed`: pictures that no episode shows, how many and their bytes.
    `is_measured`: the database said how large each table is; else it is told as one."""

    kinds: tuple[tuple[str, int], ...]
    missions: tuple[MissionUse, ...]
    pictures: int
    unnamed: tuple[int, int]
    room: Room
    is_measured: bool
