"""YAML as people write it, read into a value: one clear error for whatever a file gets wrong, naming file,
field and remedy.
"""

from __future__ import annotations

import difflib
import re
from typing import Any, TypeVar

import msgspec
import yaml
from msgspec import Struct
from msgspec.inspect import (
    BoolType,
    FloatType,
    IntType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

LARGEST_BYTES = 100_000
LONGEST_PROBLEM = 300
UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
WORDS = {
    IntType: "a whole number",
    FloatType: "a number",
    StrType: "a text",
    BoolType: "true or false",
    NoneType: "null",
    VarTupleType: "a list",
}

Value = TypeVar("Value", bound=Struct)


class WrittenError(Exception):
    """A mission or site cannot be had. `file` and `field` say where, `remedy` what would be right."""

    def __init__(self, file: str, field: str, problem: str, remedy: str) -> None:
        if len(problem) > LONGEST_PROBLEM:
            problem = f"{problem[:LONGEST_PROBLEM]}…"
        place = f"{file}: {field}" if field else file
        super().__init__(f"{place} {problem}. {remedy}")
        self.file = file
        self.field = field
        self.problem = problem
        self.remedy = remedy


def read_fields(text: bytes, file: str, what: str) -> dict[str, Any]:
    """The top-level fields by name. `file`: what errors call it; `what`: "a mission". Raises WrittenError."""
    if len(text) > LARGEST_BYTES:
        raise WrittenError(
            file, "", f"has {len(text)} bytes", f"{what.capitalize()} takes at most {LARGEST_BYTES}."
        )
    try:
        raw = yaml.safe_load(text.decode())
    except RecursionError:
        raise WrittenError(
            file, "", "is nested too deeply", f"{what.capitalize()} needs five levels."
        ) from None
    except (yaml.YAMLError, ValueError) as error:  # a date or number that is none is a ValueError
        raise WrittenError(file, "", f"is no YAML: {_where(error)}", "Mend it there.") from None
    if not isinstance(raw, dict):
        raise WrittenError(file, "", "holds no fields", "Write them as `name: value`, a line each.")
    return {str(name): value for name, value in raw.items()}


def read_value(written: dict[str, Any], struct: type[Value], file: str, what: str) -> Value:
    """The value that the fields make, every text in it fit for journal and page. Raises WrittenError."""
    refuse_unknown(written, struct, "", file, what)
    try:
        value = msgspec.convert(written, struct)
    except msgspec.ValidationError as error:
        raise of_wrong_type(str(error), file, struct) from None
    except UnicodeEncodeError:
        raise WrittenError(file, "", "holds half a character", "Write whole Unicode characters.") from None
    refuse_unwritable(msgspec.to_builtins(value), "", file)
    return value


def refuse_unknown(value: Any, struct: type, path: str, file: str, what: str) -> None:
    """msgspec lets unknown fields pass; in a file they are misspellings. `what`: "a mission"."""
    info = type_info(struct)
    if not isinstance(info, StructType) or not isinstance(value, dict):
        return
    known = {field.encode_name: field.type for field in info.fields}
    for name, inner in value.items():
        if name not in known:
            close = difflib.get_close_matches(str(name), known, n=1)
            guess = f"Did you mean {close[0]}? " if close else ""
            raise WrittenError(
                file, f"{path}{name}", f"is no field of {what}", f"{guess}Known: {', '.join(known)}."
            )
        for part in _parts(known[name]):
            if isinstance(part, StructType):
                refuse_unknown(inner, part.cls, f"{path}{name}.", file, what)
            if isinstance(part, VarTupleType) and isinstance(part.item_type, StructType):
                for index, item in enumerate(inner if isinstance(inner, list) else ()):
                    refuse_unknown(item, part.item_type.cls, f"{path}{name}[{index}].", file, what)


def of_wrong_type(told: str, file: str, struct: type) -> WrittenError:
    """msgspec says `Expected `float`, got `str` - at `$.world.tick_s``; an operator is told what to write
    there.
    """
    problem, _, path = told.partition(" - at ")
    field = path.strip("`").removeprefix("$").lstrip(".")
    if problem.startswith("Object missing"):
        missing = problem.split("`")[1]
        return WrittenError(file, f"{field}.{missing}".lstrip("."), "is missing", "Add it.")
    return WrittenError(file, field, f"is wrong: {problem[0].lower()}{problem[1:]}", _wanted(field, struct))


def _wanted(field: str, struct: type) -> str:
    of: Any = type_info(struct)
    for name in field.partition("[")[0].split("."):
        structs = [part for part in _parts(of) if isinstance(part, StructType)]
        fields = {each.encode_name: each.type for struct in structs for each in struct.fields}
        of = fields.get(name, of)
    for part in _parts(of):
        if isinstance(part, LiteralType):
            return f"Choose one of {', '.join(str(value) for value in part.values)}."
    words = [WORDS[type(part)] for part in _parts(of) if type(part) in WORDS]
    return f"Write {' or '.join(words) or 'fields'}."


def refuse_unwritable(value: Any, path: str, file: str) -> None:
    """No journal or page takes these."""
    if isinstance(value, dict):
        for name, inner in value.items():
            refuse_unwritable(inner, f"{path}.{name}".lstrip("."), file)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            refuse_unwritable(inner, f"{path}[{index}]", file)
    elif isinstance(value, str) and UNWRITABLE.search(value):
        raise WrittenError(file, path, "holds NUL or half a character", "Write whole Unicode characters.")


def _parts(of: Type) -> tuple[Type, ...]:
    return of.types if isinstance(of, UnionType) else (of,)


def _where(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f"line {mark.line + 1}: {problem}" if mark is not None else str(problem)
