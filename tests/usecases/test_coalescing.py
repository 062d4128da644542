"""Repetitions are said once a second with their number; what tells something new passes at once."""

from __future__ import annotations

from msgspec.structs import replace

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import EntityRecord, Source, Status
from backend.domain.memory.store import Memory
from backend.usecases.coalescing import Said, coalesce

METRIC = Metric(kind="euclidean", length_m=1.0, tolerance_m=0.05)
SEEN = Evidence(
    cls="can", pose=Pose(1.0, 1.0), confidence=0.9, source=Source.ONBOARD, stamp_s=0.0, entity="can_01"
)
RECORD = EntityRecord(
    id="can_01",
    cls="can",
    pose=Pose(1.0, 1.0),
    confidence=0.9,
    status=Status.OBSERVED,
    stamp_s=0.0,
    source=Source.ONBOARD,
    order=1,
    class_seq=1,
    pose_seq=1,
    status_seq=1,
    belief_seq=1,
)
KNOWN = Memory(records={"can_01": RECORD}, revision=1)


class Camera:
    """Sees the same things `count` times, `every_s` apart, and remembers what was passed on."""

    def __init__(self, memory: Memory = KNOWN) -> None:
        self.memory = memory
        self.said: dict[tuple[str, str], Said] = {}
        self.passed: list[tuple[float, Evidence, int]] = []

    def sees(self, met_s: float, *pieces: Evidence) -> Camera:
        told = coalesce(self.said, pieces, self.memory, METRIC, met_s)
        self.said = dict(told.said)
        self.passed += [(met_s, piece, n) for piece, n in zip(told.evidence, told.times, strict=True)]
        return self


def test_repetitions_pass_once_a_second_with_how_often_they_were_said() -> None:
    camera = Camera()
    for tick in range(31):
        camera.sees(tick / 10, replace(SEEN, stamp_s=tick / 10))

    assert [(met_s, times) for met_s, _, times in camera.passed] == [
        (0.0, 1),
        (1.0, 10),
        (2.0, 10),
        (3.0, 10),
    ]
    assert camera.passed[-1][1].stamp_s == 3.0


def test_nothing_is_lost_when_the_source_falls_silent() -> None:
    camera = Camera().sees(0.0, SEEN).sees(0.2, SEEN).sees(0.4, SEEN)
    assert len(camera.passed) == 1

    camera.sees(1.1)

    assert [times for _, _, times in camera.passed] == [1, 2]


def test_what_was_kept_back_goes_before_what_is_new() -> None:
    moved = replace(SEEN, pose=Pose(2.0, 1.0))
    camera = Camera().sees(0.0, SEEN).sees(0.1, SEEN).sees(0.2, moved)

    assert [(piece.pose.x_m, times) for _, piece, times in camera.passed] == [(1.0, 1), (1.0, 1), (2.0, 1)]


def test_each_source_and_each_entity_counts_for_itself() -> None:
    other = replace(SEEN, entity="can_02")
    aerial = replace(SEEN, source=Source.AERIAL)
    memory = Memory(records={"can_01": RECORD, "can_02": replace(RECORD, id="can_02")})

    assert len(Camera(memory).sees(0.0, SEEN, other, aerial).passed) == 3


def passes(second: Evidence, since: Memory = KNOWN, before: Memory = KNOWN) -> bool:
    camera = Camera(before).sees(0.0, SEEN)
    camera.memory = since
    return len(camera.sees(0.1, second).passed) == 2


def test_what_could_change_a_field_passes_at_once() -> None:
    assert passes(replace(SEEN, pose=Pose(1.2, 1.0)))
    assert passes(replace(SEEN, confidence=0.75))
    assert passes(replace(SEEN, cls="bottle"))
    assert not passes(replace(SEEN, pose=Pose(1.03, 1.0), confidence=0.83))


def test_a_record_that_has_moved_since_makes_an_old_claim_news() -> None:
    """Another source moved the record: saying the old place again is no repetition any more."""
    moved = Memory(records={"can_01": replace(RECORD, pose=Pose(3.0, 3.0), pose_seq=7)}, revision=7)

    assert passes(SEEN, moved)


def test_what_was_refused_is_refused_again_while_its_record_stays_as_it_was() -> None:
    """A detector that is wrong thirty times a second is told of once."""
    elsewhere = Memory(records={"can_01": replace(RECORD, pose=Pose(3.0, 3.0))}, revision=1)
    lost = Memory(records={"can_01": replace(RECORD, status=Status.LOST)}, revision=1)

    assert not passes(SEEN, elsewhere, elsewhere)
    assert not passes(SEEN, lost, lost)
    assert not passes(SEEN, Memory(), Memory())


def test_the_first_sighting_after_a_loss_is_news() -> None:
    lost = Memory(records={"can_01": replace(RECORD, status=Status.LOST, status_seq=7)}, revision=7)

    assert passes(SEEN, lost)


def test_creep_within_tolerance_adds_up() -> None:
    """Each sighting lies within tolerance of the one before; the fourth no longer of what was passed on."""
    camera = Camera()
    for tick in range(5):
        camera.sees(tick / 10, replace(SEEN, pose=Pose(1.0 + 0.02 * tick, 1.0)))

    assert [piece.pose.x_m for _, piece, _ in camera.passed] == [1.0, 1.04, 1.06]


def test_an_id_less_sighting_is_coalesced_with_the_record_that_it_is_about() -> None:
    assert not passes(replace(SEEN, entity=None))
