"""The messages in an MCAP file: Foxglove's own where it has one, as JSON, and ours for what it has none for.

Names and fields are those of https://docs.foxglove.dev/docs/sdk/schemas; only what is written is described.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

TIME: Schema = {
    "type": "object",
    "title": "time",
    "properties": {"sec": {"type": "integer"}, "nsec": {"type": "integer"}},
}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}


def _object(title: str, **properties: Schema) -> Schema:
    return {"type": "object", "title": title, "properties": properties}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


VECTOR = _object("foxglove.Vector3", x=NUMBER, y=NUMBER, z=NUMBER)
QUATERNION = _object("foxglove.Quaternion", x=NUMBER, y=NUMBER, z=NUMBER, w=NUMBER)
POSE = _object("foxglove.Pose", position=VECTOR, orientation=QUATERNION)
COLOR = _object("foxglove.Color", r=NUMBER, g=NUMBER, b=NUMBER, a=NUMBER)
CUBE = _object("foxglove.CubePrimitive", pose=POSE, size=VECTOR, color=COLOR)
WORDS = _object(
    "foxglove.TextPrimitive",
    pose=POSE,
    billboard=FLAG,
    font_size=NUMBER,
    scale_invariant=FLAG,
    color=COLOR,
    text=TEXT,
)
KEY_VALUE = _object("foxglove.KeyValuePair", key=TEXT, value=TEXT)
ENTITY = _object(
    "foxglove.SceneEntity",
    timestamp=TIME,
    frame_id=TEXT,
    id=TEXT,
    lifetime=TIME,
    frame_locked=FLAG,
    metadata=_list(KEY_VALUE),
    cubes=_list(CUBE),
    texts=_list(WORDS),
)
DELETION = _object("foxglove.SceneEntityDeletion", timestamp=TIME, type=WHOLE, id=TEXT)

SCHEMAS: Mapping[str, Schema] = {
    "foxglove.PoseInFrame": _object("foxglove.PoseInFrame", timestamp=TIME, frame_id=TEXT, pose=POSE),
    "foxglove.SceneUpdate": _object(
        "foxglove.SceneUpdate", deletions=_list(DELETION), entities=_list(ENTITY)
    ),
    "foxglove.CompressedImage": _object(
        "foxglove.CompressedImage",
        timestamp=TIME,
        frame_id=TEXT,
        data={"type": "string", "contentEncoding": "base64"},
        format=TEXT,
    ),
    "foxglove.Log": _object(
        "foxglove.Log", timestamp=TIME, level=WHOLE, message=TEXT, name=TEXT, file=TEXT, line=WHOLE
    ),
    "quarterdeck.Plan": _object(
        "quarterdeck.Plan",
        number=WHOLE,
        author=TEXT,
        rationale=TEXT,
        steps=_list(_object("quarterdeck.Step", skill=TEXT, arguments={"type": "object"})),
    ),
    "quarterdeck.Event": _object(
        "quarterdeck.Event",
        seq=WHOLE,
        met_s=NUMBER,
        utc=TEXT,
        kind=TEXT,
        actor=TEXT,
        event={"type": "object"},
    ),
}
