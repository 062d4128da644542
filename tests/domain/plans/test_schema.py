"""The schema stays inside what strict mode takes, whatever the catalogue, and lets well-formed plans pass."""

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.plans.catalogue import ArgumentType, Catalogue, Skill
from backend.domain.plans.schema import MAX_ENUM_VALUES, Ids, Schema, reply_schema
from tests.domain.plans.samples import MOBILE, collection, step, takes, written
from tests.domain.plans.strategies import catalogues, ids, steps_for

KNOWN = Ids(("can_1", "can_2"), ("station_metal", "station_plastic"))
ALLOWED = {
    "type", "properties", "required", "additionalProperties", "items",
    "anyOf", "enum", "const", "description",
}  # fmt: skip


@given(catalogues, ids)
def test_every_schema_stays_inside_the_strict_subset(catalogue: Catalogue, known: Ids) -> None:
    schema = reply_schema(catalogue, known)

    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    parts = list(parts_of(schema))
    for part in parts:
        assert set(part) <= ALLOWED
        assert ("anyOf" in part) != ("type" in part)
        if part.get("type") == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False
        if "anyOf" in part:
            assert len(part["anyOf"]) > 1
        if "enum" in part:
            assert part["enum"]
            assert len(set(part["enum"])) == len(part["enum"])
    assert sum(len(part.get("properties", ())) for part in parts) <= 5000
    assert sum(len(part.get("enum", ())) + ("const" in part) for part in parts) <= MAX_ENUM_VALUES
    assert depth(schema) <= 10


@given(st.data(), catalogues, ids)
def test_well_formed_steps_pass(data: st.DataObject, catalogue: Catalogue, known: Ids) -> None:
    steps = data.draw(steps_for(catalogue, known))
    reply = written(steps, catalogue)
    for each, made in zip(reply["steps"], steps, strict=True):
        drop_unreferable(each["arguments"], catalogue.skill(made.skill), known)

    jsonschema.validate(reply, reply_schema(catalogue, known))


def drop_unreferable(arguments: dict[str, Any], skill: Skill | None, known: Ids) -> None:
    """An optional argument that could name nothing is not in the schema, so a model cannot write its null."""
    assert skill is not None
    declared = reply_schema(Catalogue(skills=(skill,)), known)["properties"]["steps"]["items"]["properties"]
    for name in set(arguments) - set(declared["arguments"]["properties"]):
        assert arguments.pop(name) is None


def test_a_collection_passes() -> None:
    jsonschema.validate(written(collection("can_1", "station_metal")), reply_schema(MOBILE, KNOWN))


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param((step("navigate", to="can_9"),), id="an entity that is not there"),
        pytest.param((step("navigate", to="station_glass"),), id="a station that is not there"),
        pytest.param((step("grasp", target="station_metal"),), id="a station for an entity"),
        pytest.param((step("fly", to="can_1"),), id="a skill that is not there"),
        pytest.param((step("navigate", target="can_1"),), id="another skill's argument"),
        pytest.param((step("explore", cell="can_1"),), id="a text for a cell"),
        pytest.param((step("navigate", to="can_1", speed=3),), id="one argument too many"),
    ],
)
def test_what_cannot_be_written(steps: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(written(steps), reply_schema(MOBILE, KNOWN))


def test_a_skill_that_could_refer_to_nothing_is_left_out() -> None:
    schema = reply_schema(MOBILE, Ids((), ("station_metal",)))

    offered = [
        form["properties"]["skill"]["const"] for form in schema["properties"]["steps"]["items"]["anyOf"]
    ]

    assert offered == ["navigate", "explore"]


def test_with_no_usable_skill_only_the_empty_plan_can_be_written() -> None:
    schema = reply_schema(Catalogue(skills=()), Ids())

    jsonschema.validate(written(()), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(written((step("explore", cell=(1.0, 1.0)),)), schema)


def test_ids_beyond_the_providers_limit_become_plain_strings() -> None:
    many = Ids(tuple(f"can_{number}" for number in range(MAX_ENUM_VALUES)), ("station_metal",))

    schema = reply_schema(MOBILE, many)

    assert sum(len(part.get("enum", ())) for part in parts_of(schema)) < 10
    jsonschema.validate(written(collection("can_7", "station_metal")), schema)


def test_an_argument_of_type_watch_is_the_step_s_own_watch() -> None:
    skill = Skill(name="wait", description="", arguments=(takes("watch", ArgumentType.WATCH),))

    form = reply_schema(Catalogue(skills=(skill,), cameras=("front",)), Ids())["properties"]["steps"]["items"]

    assert form["properties"]["arguments"]["properties"] == {}
    assert form["properties"]["watch"]["anyOf"][1]["properties"]["camera"]["enum"] == ["front"]


def parts_of(schema: Schema) -> Iterator[Schema]:
    yield schema
    for child in children(schema):
        yield from parts_of(child)


def children(schema: Schema) -> list[Schema]:
    nested = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    return [*nested, schema["items"]] if "items" in schema else nested


def depth(schema: Schema) -> int:
    below = max(map(depth, children(schema)), default=0)
    return below + (schema.get("type") in ("object", "array"))
