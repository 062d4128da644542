"""Message, action and service classes by name: installed ones, or made of an action's own definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

HEADER = "std_msgs/Header header\n"
GOAL_ID = "actionlib_msgs/GoalID goal_id\n"
STATUS = "actionlib_msgs/GoalStatus status\n"
BASIC = {
    "bool", "byte", "char", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float32", "float64", "string", "time", "duration",
}  # fmt: skip
RULE = "=" * 80


class TypeMissing(Exception):
    """A type is neither installed nor defined; the text names it and says what to do."""


class ActionTypes(NamedTuple):
    """The classes of what is published and heard."""

    goal: Any
    result: Any
    feedback: Any


def message_class(name: str) -> Any:
    """Raises TypeMissing."""
    import roslib.message

    try:
        found = roslib.message.get_message_class(name)
    except (ImportError, ValueError, AttributeError):
        found = None
    if found is None:
        raise TypeMissing(f"Type {name} is not installed beside rospy: install its package.")
    return found


def service_class(name: str) -> Any:
    """Raises TypeMissing."""
    import roslib.message

    try:
        found = roslib.message.get_service_class(name)
    except (ImportError, ValueError, AttributeError):
        found = None
    if found is None:
        raise TypeMissing(f"Service type {name} is not installed beside rospy: install its package.")
    return found


def action_types(name: str, definitions: dict[str, str]) -> ActionTypes:
    """Of the action `package/Name`. `definitions`: texts of `.action` files by name. Raises TypeMissing."""
    if name not in definitions:
        parts = [message_class(name + part) for part in ("ActionGoal", "ActionResult", "ActionFeedback")]
        return ActionTypes(*parts)
    package, _, short = name.partition("/")
    texts = split_action(definitions[name])
    made = _generated(package, short, texts)
    return ActionTypes(*[made[f"{name}Action{part}"] for part in ("Goal", "Result", "Feedback")])


def split_action(text: str) -> list[str]:
    """Goal, result and feedback of a `.action` file. Raises TypeMissing."""
    parts: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip() == "---":
            parts.append([])
        else:
            parts[-1].append(line)
    if len(parts) != 3:
        raise TypeMissing("An action's definition has three parts, with --- between them.")
    return ["\n".join(part) for part in parts]


def _generated(package: str, short: str, texts: list[str]) -> dict[str, Any]:
    from genpy.dynamic import generate_dynamic

    made: dict[str, Any] = {}
    for part, text, extra in zip(("Goal", "Result", "Feedback"), texts, (GOAL_ID, STATUS, STATUS)):
        inner = f"{package}/{short}{part}"
        whole = f"{HEADER}{extra}{inner} {part.lower()}\n"
        needed = _dependencies(text, package) | _dependencies(HEADER + extra, package)
        blocks = [
            whole,
            *[f"MSG: {name}\n{_text_of(name)}" for name in sorted(needed)],
            f"MSG: {inner}\n{text}",
        ]
        try:
            made.update(generate_dynamic(f"{package}/{short}Action{part}", f"\n{RULE}\n".join(blocks)))
        except Exception as error:  # genpy raises its own, unnamed kinds for what it cannot parse
            raise TypeMissing(f"The definition of {package}/{short} cannot be used: {error}") from None
    return made


def _dependencies(text: str, package: str) -> set[str]:
    """Every type that a definition names, and those that these name."""
    found: set[str] = set()
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if len(words) < 2 or "=" in words[0]:
            continue
        name = words[0].partition("[")[0]
        if name in BASIC:
            continue
        if name == "Header":
            name = "std_msgs/Header"
        if "/" not in name:
            name = f"{package}/{name}"
        if name not in found:
            found.add(name)
            found |= _dependencies(_text_of(name), name.partition("/")[0])
    return found


def _text_of(name: str) -> str:
    """A message's own definition, without those of the types it uses."""
    return str(message_class(name)._full_text).partition(f"\n{RULE}")[0]
