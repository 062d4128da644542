"""What an episode of a surrogate is played on: the drawn table, or the simulated one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from backend.domain.execution.outcome import Measured, Result, Tool
from backend.domain.plans.plan import Step

Picture = NDArray[np.uint8]
Recorded = list[tuple[int, Picture]]
Drawing = Callable[[], bytes]
"""A picture, drawn as PNG once it is asked for."""


class Scene(Protocol):
    """`step`: of the world. `ended`: status and reason of the verdict, None before."""

    name: str
    instruction: str

    @property
    def step(self) -> int: ...

    @property
    def tool(self) -> Tool: ...

    @property
    def opening_m(self) -> float: ...

    @property
    def ended(self) -> tuple[str, str] | None: ...

    def film(self) -> list[Drawing]: ...

    def view(self) -> bytes: ...

    def carry_out(self, step: Step, records: bool) -> tuple[Result, Measured, Recorded]:
        """`Recorded`: with the view before; nothing where it does not record."""
