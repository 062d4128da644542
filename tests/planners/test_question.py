"""What is asked: the query's blocks word for word, pictures where they belong, ids that exist now."""

import pytest
from msgspec.structs import replace

from backend.domain.execution.frames import Frame
from backend.domain.plans.catalogue import Catalogue, Skill
from backend.domain.query.parts import block_of
from backend.domain.query.query import Query
from backend.planners.question import Question, ids_of, instructions_for, question_of
from tests.planners.samples import first_query, queries

FRAME = Frame(sha256="ab" * 32, width_px=512, height_px=512, camera="front", step=8, returned=True)


def with_frame(query: Query) -> Query:
    return replace(query, blocks=(*query.blocks, block_of("frames", "One returned.", (FRAME,))))


def test_every_block_is_sent_word_for_word_under_its_name() -> None:
    query = first_query()

    question = question_of(query)

    assert question.parts == tuple(f"# {block.name}\n{block.text}" for block in query.blocks)
    assert {"goal", "robot", "rules", "records"} <= {block.name for block in query.blocks}


def test_a_picture_follows_its_block() -> None:
    question = question_of(with_frame(first_query()))

    assert question.parts[-2:] == ("# frames\nOne returned.", FRAME)
    assert question.pictures == (FRAME,)


def test_the_reply_may_name_what_was_exposed_or_is_held_and_nothing_else() -> None:
    query = first_query()
    held = query.facts.exposed[0]
    ids = ids_of(replace(query, facts=replace(query.facts, exposed=query.facts.exposed[1:3], held=held)))

    assert ids.entities == (query.facts.exposed[1].id, query.facts.exposed[2].id, held.id)
    assert ids.stations == tuple(station.id for station in query.facts.site.stations)
    assert ids.frames == (query.facts.site.frame_id,)


@pytest.mark.parametrize(
    ("change", "same"),
    [
        pytest.param({}, True, id="asked again"),
        pytest.param({"decision": 7, "attempt": 2}, True, id="another decision, the same question"),
        pytest.param({"blocks": first_query().blocks[:-1]}, False, id="a block less"),
        pytest.param({"blocks": with_frame(first_query()).blocks}, False, id="a picture more"),
        pytest.param(
            {"catalogue": Catalogue(skills=first_query().catalogue.skills[:2])}, False, id="other skills"
        ),
    ],
)
def test_the_digest_tells_questions_apart(change: dict[str, object], same: bool) -> None:
    asked, again = question_of(first_query()), question_of(replace(first_query(), **change))

    assert (asked.digest == again.digest) is same


def test_questions_of_an_episode_all_differ() -> None:
    digests = [question_of(query).digest for query in queries()]

    assert len(set(digests)) == len(digests) > 5


def test_the_manner_of_collecting_is_told_to_robots_that_can() -> None:
    arm = Catalogue(skills=(Skill(name="move", description=""),))

    assert "To collect an object" in instructions_for(first_query().catalogue)
    assert "To collect an object" not in instructions_for(arm)
    assert "explore cells" not in instructions_for(arm)


def test_a_picture_counts_by_its_content() -> None:
    same = replace(FRAME, camera="wrist", step=99)

    assert asked(FRAME).digest == asked(same).digest
    assert asked(FRAME).digest != asked(replace(FRAME, sha256="cd" * 32)).digest


def asked(frame: Frame) -> Question:
    return Question(instructions="", parts=(frame,), schema_name="plan", schema={})
