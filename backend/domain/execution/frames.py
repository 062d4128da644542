"""What an action's recording left behind: frames by reference, and which of them the planner is shown."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.execution.deprojection import Calibration
from backend.domain.plans.plan import Watch


class Frame(Struct, frozen=True, kw_only=True):
    """A stored picture: content address, size in pixels, camera, and the world step it was taken at.

    `share` is the share of watched pixels that differ from the frame kept before (0 to 1),
    None where nothing was watched.
    """

    sha256: str
    width_px: int
    height_px: int
    camera: str
    step: int
    share: float | None = None
    returned: bool = False


class WatchedFrames(Struct, frozen=True, kw_only=True):
    """`frames[0]` is the view before the action. `withheld` counts recorded frames that were not returned."""

    camera: str
    watch: Watch | None
    frames: tuple[Frame, ...]
    withheld: int


class View(Struct, frozen=True, kw_only=True):
    """What a camera saw right after an action, or before the first one.

    `depth_sha256`: a stored picture of the same size, 16 bits a pixel, millimetres; None where depth is not
    measured.
    """

    frame: Frame
    depth_sha256: str | None = None
    calibration: Calibration | None = None
