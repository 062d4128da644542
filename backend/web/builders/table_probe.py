"""A pixel of a camera's picture as a person names it, and the point in space that it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from backend.domain.execution.deprojection import Depth, Unseen, named_pixel, point_by_depth
from backend.domain.execution.frames import View
from backend.domain.plans.plan import PICTURE_PX
from backend.web.pages.parts import FieldError, Phrase, plain, strong_figure
from backend.web.pages.table import Probe

FIELDS = ("camera", "x_px", "y_px")
CENTRE = f"{PICTURE_PX // 2}"


class Asked(Struct, frozen=True, kw_only=True):
    """`pixel` None: nothing is asked, or not rightly."""

    camera: str
    x_px: str = CENTRE
    y_px: str = CENTRE
    pixel: tuple[float, float] | None = None
    said: Phrase = ()
    is_seen: bool = False
    errors: tuple[FieldError, ...] = ()

    @property
    def query(self) -> Mapping[str, str]:
        """What the panel is fetched again with; nothing where no pixel was named."""
        named = self.pixel is not None or self.errors
        return {"camera": self.camera, "x_px": self.x_px, "y_px": self.y_px} if named else {}


def probed(
    query: Mapping[str, str], views: tuple[View, ...], depth_of: Callable[[str], Depth | None]
) -> Asked:
    """`depth_of` reads a stored depth picture; None where it is missing or damaged."""
    cameras = [view.frame.camera for view in views]
    camera = query.get("camera", "")
    if camera not in cameras:
        return Asked(camera=cameras[0] if cameras else "")
    x_px, y_px = (query.get(name, "").strip()[:12] for name in ("x_px", "y_px"))
    wrong = (_wrong("x_px", x_px), _wrong("y_px", y_px))
    if errors := tuple(error for error in wrong if error is not None):
        return Asked(camera=camera, x_px=x_px, y_px=y_px, errors=errors)
    pixel = float(x_px), float(y_px)
    view = views[cameras.index(camera)]
    said, is_seen = _read(pixel, view, depth_of)
    return Asked(camera=camera, x_px=x_px, y_px=y_px, pixel=pixel, said=said, is_seen=is_seen)


def form_of(asked: Asked, views: tuple[View, ...]) -> Probe:
    return Probe(
        cameras=tuple((view.frame.camera, view.frame.camera == asked.camera) for view in views),
        x_px=asked.x_px,
        y_px=asked.y_px,
        said=asked.said,
        is_seen=asked.is_seen,
        errors=asked.errors,
    )


def _read(
    pixel: tuple[float, float], view: View, depth_of: Callable[[str], Depth | None]
) -> tuple[Phrase, bool]:
    if view.depth_sha256 is None or view.calibration is None:
        return (plain("This camera measured no depth, so that a pixel of it shows no point."),), False
    depth_mm = depth_of(view.depth_sha256)
    if depth_mm is None:
        return (plain("The stored depth picture is missing or damaged: restore it from a backup."),), False
    point = point_by_depth(pixel, depth_mm, view.calibration)
    if isinstance(point, Unseen):
        return (plain(f"{point.message} Point at something nearer."),), False
    column, row = named_pixel(pixel, depth_mm.shape[1], depth_mm.shape[0])
    x, y, z = (f"{round(value, 3) + 0.0:.3f}".replace("-", "−") for value in point)
    return (
        plain("x "),
        strong_figure(x),
        plain(" y "),
        strong_figure(y),
        plain(" z "),
        strong_figure(z),
        plain(f" m in map, {int(depth_mm[row, column])} mm from the {view.frame.camera} camera"),
    ), True


def _wrong(name: str, typed: str) -> FieldError | None:
    label = "x" if name == "x_px" else "y"
    try:
        value = float(typed)
    except ValueError:
        value = float("nan")
    if 0 <= value <= PICTURE_PX - 1:
        return None
    said = f"“{typed}” is no pixel." if typed else f"The pixel’s {label} is missing."
    return FieldError(field=name, message=said, remedy=f"Write 0 to {PICTURE_PX - 1}.")
