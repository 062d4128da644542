"""Where an evaluation's episodes open, each and two side by side."""

from __future__ import annotations

from collections.abc import Mapping

from backend.evaluation.rebuild import Place
from backend.usecases.recordings import Recording
from backend.web.pages.environment import url

Recorded = Mapping[Place, Recording]
"""Episodes whose journals were kept, under names of their own; every other is played again."""


def name_of_episode(place: Place, recorded: Recorded) -> str:
    return recorded[place].episode if place in recorded else place.name


def address(place: Place, recorded: Recorded) -> str:
    return url("episodes", name_of_episode(place, recorded))


def compare_address(left: str, right: str) -> str:
    """Of two episodes, named as their own pages' addresses end."""
    return url("compare", left=left.rpartition("/")[2], right=right.rpartition("/")[2])
