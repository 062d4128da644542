"""Hypothesis strategies: any catalogue, the ids of any moment, and steps that fit them."""

from typing import Any

from hypothesis import strategies as st

from backend.domain.geometry import Pose
from backend.domain.plans.catalogue import Argument, ArgumentType, Catalogue, Skill
from backend.domain.plans.plan import Step, Value, Watch
from backend.domain.plans.schema import Ids, is_usable, proper_arguments, takes_watch

names = st.text("abcdefgh_", min_size=1, max_size=6)
ids = st.builds(
    Ids,
    entities=st.lists(names, unique=True, max_size=8).map(tuple),
    stations=st.lists(names, unique=True, max_size=3).map(tuple),
)
numbers = st.floats(-1e6, 1e6)
_TYPES = [kind for kind in ArgumentType if kind is not ArgumentType.MOVES]
"""The parts of a sequence are skills of the catalogue themselves: they have tests of their own."""


def arguments_of(name: str) -> st.SearchStrategy[Argument]:
    return st.builds(
        Argument,
        name=st.just(name),
        types=st.lists(st.sampled_from(_TYPES), unique=True, min_size=1, max_size=4).map(tuple),
        required=st.booleans(),
        description=st.sampled_from(["", "what it is for"]),
        choices=st.lists(names, unique=True, max_size=3).map(tuple),
    )


def skills_of(name: str) -> st.SearchStrategy[Skill]:
    arguments = st.lists(names, unique=True, max_size=3).flatmap(
        lambda chosen: st.tuples(*map(arguments_of, chosen))
    )
    return st.builds(
        Skill,
        name=st.just(name),
        description=st.sampled_from(["", "does something"]),
        arguments=arguments,
        may_watch=st.booleans(),
    )


catalogues = st.builds(
    Catalogue,
    skills=st.lists(names, unique=True, max_size=3).flatmap(
        lambda chosen: st.tuples(*map(skills_of, chosen))
    ),
    cameras=st.lists(names, unique=True, max_size=2).map(tuple),
)


@st.composite
def steps_for(draw: Any, catalogue: Catalogue, known: Ids) -> tuple[Step, ...]:
    """Steps with arguments of the types the catalogue declares: no valid plans, but well-formed ones."""
    usable = [skill for skill in catalogue.skills if is_usable(skill, known)]
    if not usable:
        return ()
    chosen = draw(st.lists(st.sampled_from(usable), max_size=5))
    return tuple(draw(_steps_of(skill, catalogue, known)) for skill in chosen)


@st.composite
def _steps_of(draw: Any, skill: Skill, catalogue: Catalogue, known: Ids) -> Step:
    arguments: dict[str, Value] = {}
    for argument in proper_arguments(skill):
        values = _values_of(argument, known)
        if values and (argument.required or draw(st.booleans())):
            arguments[argument.name] = draw(st.one_of(values))
    watch = None
    if takes_watch(skill) and draw(st.booleans()):
        points = draw(st.one_of(st.just("all"), st.lists(st.tuples(numbers, numbers), max_size=9).map(tuple)))
        watch = Watch(points, draw(st.sampled_from(catalogue.cameras)) if catalogue.cameras else "")
    return Step(skill.name, arguments, watch)


def _values_of(argument: Argument, known: Ids) -> list[st.SearchStrategy[Value]]:
    cells = st.tuples(st.integers(-99, 99), st.integers(-99, 99)).map(lambda cell: tuple(map(float, cell)))
    forms: dict[ArgumentType, st.SearchStrategy[Value] | None] = {
        ArgumentType.ENTITY: st.sampled_from(known.entities) if known.entities else None,
        ArgumentType.STATION: st.sampled_from(known.stations) if known.stations else None,
        ArgumentType.CELL: cells,
        ArgumentType.POSE: st.builds(Pose, numbers, numbers, numbers, st.sampled_from(known.frames)),
        # A cell wins where an argument may be either: tests write a pair of whole numbers then.
        ArgumentType.PIXEL: cells if ArgumentType.CELL in argument.types else st.tuples(numbers, numbers),
        ArgumentType.PHRASE: st.sampled_from(argument.choices) if argument.choices else names,
        ArgumentType.INTEGER: st.integers(-99, 99),
        ArgumentType.NUMBER: st.one_of(st.integers(-99, 99), numbers),
        ArgumentType.CHECK: st.just("height_m >= 0.05"),
        ArgumentType.WATCH: None,
    }
    return [values for kind in argument.types if (values := forms[kind]) is not None]
