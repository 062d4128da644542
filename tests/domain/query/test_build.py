"""The query as values: the same facts that the blocks tell, for a planner that computes."""

from backend.domain.execution.budgets import Budgets
from backend.domain.execution.outcome import Result
from backend.domain.query.build import query_of
from backend.domain.query.query import Query
from tests.domain.scripted import Scripted, collect, opened, step


def query(script: Scripted) -> Query:
    assert script.state.request is not None
    return query_of(script.state, script.state.request)


def test_a_query_exposes_what_was_retrieved_and_nothing_else() -> None:
    script = Scripted(opened(budgets=Budgets(steps=50)))
    script.tick(evidence=())
    first = query(script)

    assert first.facts.exposed == ()
    assert (first.decision, first.attempt, first.facts.steps_left) == (1, 1, 50)
    assert first.facts.cause == "First plan of the mission"
    assert first.size == sum(block.size for block in first.blocks)


def test_what_is_held_and_spent() -> None:
    script = Scripted(opened(policy="auto", budgets=Budgets(steps=50)))
    script.see("can_1", 3, 4)
    script.answer(*collect("can_1"))
    script.see("can_2", 4, 4)
    for _ in range(3):
        script.end(moves=4)
    script.end(Result.FAILED, "dropped", held=None)

    facts = query(script).facts
    assert facts.held is None
    assert facts.steps_left == 50 - 13
    assert {record.id for record in facts.exposed} == {"can_1", "can_2"}


def test_what_the_search_found_no_way_to() -> None:
    script = Scripted(opened(policy="auto"))
    script.tick()
    script.answer(step("explore", cell=(1.0, 2.0)))
    script.end(Result.FAILED, "unreachable")

    assert query(script).facts.unreachable == {(1, 2)}


def test_an_unbounded_mission_has_no_steps_left_to_count() -> None:
    script = Scripted(opened())
    script.tick()

    assert query(script).facts.steps_left is None
