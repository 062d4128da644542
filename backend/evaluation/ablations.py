"""What the paper leaves to be ablated (section V-A): one question each, as arms over the same seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.memory.configuration import AttentionSettings, Weights
from backend.evaluation.arms import arm
from backend.usecases.results import Arm

Parameters = Mapping[str, int | float]


class Ablation(Struct, frozen=True, kw_only=True):
    """`axis` says what varies.

    `x` gives each arm its place on it and `lines` the line that it is a point of, in the order of `arms`.
    `seeds` suffice for an answer; long missions need fewer and take longer. `is_named`: the places are no
    quantities, but variants side by side.
    """

    name: str
    question: str
    axis: str
    arms: tuple[Arm, ...]
    x: tuple[float, ...]
    lines: tuple[str, ...]
    seeds: int = 100
    is_named: bool = False


def ablation(name: str) -> Ablation:
    return _MADE[name]()


def _k() -> Ablation:
    short = [(k, _tuned(f"K {k}", k=k)) for k in (1, 2, 3, 4, 6, 8, 11, 14)]
    return _along("k", "How many records does the planner have to see?", "K", short)


def _threshold() -> Ablation:
    values = (0.0, 0.3, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9)
    arms = [(value, _tuned(f"threshold {value:g}", threshold=value)) for value in values]
    return _along("threshold", "Which remote reports are worth believing?", "Acceptance threshold", arms)


def _decay() -> Ablation:
    arms = [
        (value, _tuned(f"decay {value:g}", decay_s=value))
        for value in (1.0, 2.0, 4.5, 9.0, 18.0, 36.0, 72.0, 288.0)
    ]
    return _along("decay", "How fast should belief fade, in score and arbitration?", "Decay, steps", arms)


def _weights() -> Ablation:
    arms = [
        (value, _tuned(f"aerial weight {value:g}", weights=Weights(aerial=value)))
        for value in (0.2, 0.4, 0.6, 0.8, 1.0)
    ]
    return _along(
        "weights", "How much less is the drone to be trusted than the robot?", "Aerial weight", arms
    )


def _factors() -> Ablation:
    """Each factor of the score alone, and all; and what arbitration does with the threshold away."""
    alone = [
        _tuned(f"without {factor}", off=(factor,)) for factor in ("weight", "confidence", "decay", "distance")
    ]
    none = _tuned("without any", off=("weight", "confidence", "decay", "distance"))
    small = [
        replace(each, variant=f"K 4, {each.variant}", memory=_with(each, k=4)) for each in (*alone, none)
    ]
    arms = [
        _tuned("as published"),
        *alone,
        none,
        _tuned("without threshold", threshold=0.0),
        _tuned("K 4", k=4),
        *small,
    ]
    question = "Which factor of the score carries the result?"
    return replace(_along("factors", question, "Variant", enumerate(arms)), is_named=True)


def _tolerance() -> Ablation:
    arms = [
        (value, replace(_published(method), variant=f"tolerance {value:g} cells", tolerance_m=value))
        for value in (0.0, 1.0, 2.0, 3.0)
        for method in ("attention", "unfiltered")
    ]
    return _along("tolerance", "What if small moves are taken for none?", "Pose tolerance, cells", arms)


def _latency() -> Ablation:
    arms = _scenarios("latency", (0, 2, 4, 8, 16), ("unfiltered", "attention"))
    return _along("latency", "How late may reports come?", "Latency, steps", arms)


def _relocation() -> Ablation:
    arms = _scenarios(
        "relocation", (0.0, 0.0125, 0.025, 0.05, 0.1), ("static", "unfiltered", "attention", "oracle")
    )
    return _along("relocation", "How much may move behind the robot's back?", "Relocations a step", arms)


def _false_reports() -> Ablation:
    arms = _scenarios("false_report", (0.0, 0.15, 0.3, 0.45, 0.6), ("unfiltered", "attention"))
    return _along("false-reports", "How many reports may be false?", "Share of false reports", arms)


def _length() -> Ablation:
    """As crowded a floor as DN-14's, as many steps a container and cell of its side."""
    arms = [
        (count, replace(_published(method), variant=f"{count} containers", parameters=long_mission(count)))
        for count in (14, 28, 50, 100, 200)
        for method in ("unfiltered", "attention")
    ]
    question = "Does the context stay flat as missions grow?"
    return replace(_along("length", question, "Containers", arms), seeds=20)


def _long_k() -> Ablation:
    """K where it could matter: a hundred containers."""
    arms = [
        (k, replace(_tuned(f"100 containers, K {k}", k=k), parameters=long_mission(100)))
        for k in (1, 2, 4, 8, 16, 32)
    ]
    return replace(_along("long-k", "Does K matter in a long mission?", "K", arms), seeds=20)


def _long_decay() -> Ablation:
    arms = [
        (
            value,
            replace(_tuned(f"100 containers, decay {value:g}", decay_s=value), parameters=long_mission(100)),
        )
        for value in (2.0, 9.0, 18.0, 72.0, 288.0)
    ]
    question = "Does decay matter in a long mission?"
    return replace(_along("long-decay", question, "Decay, steps", arms), seeds=20)


def _suppression() -> Ablation:
    """The paper's caution: all bottles are to come before any can, and near cans hide the far bottles."""
    calm = {**long_mission(40), "relocation": 0.0, "false_report": 0.0}
    arms = [
        (k, replace(_tuned(f"{name}, K {k}", k=k), parameters=calm, planner=planner, counts_misled=True))
        for planner, name in (("in_order", "in order"), ("lookahead", "one ahead"), ("policy", "nearest"))
        for k in SUPPRESSING_K
    ]
    arms += [
        (
            k,
            replace(
                each, variant=f"in order, K {k}, without distance", memory=_with(each, off=("distance",))
            ),
        )
        for k, each in arms[: len(SUPPRESSING_K)]
    ]
    question = "When is a distant record that a later subgoal needs left out?"
    made = replace(_along("suppression", question, "K", arms), seeds=40)
    return replace(made, lines=tuple([each.variant.replace(f", K {k:g}", "") for k, each in arms]))


SUPPRESSING_K = (2, 4, 8, 16, 40)

_MADE: dict[str, Callable[[], Ablation]] = {
    "k": _k,
    "threshold": _threshold,
    "decay": _decay,
    "weights": _weights,
    "factors": _factors,
    "tolerance": _tolerance,
    "latency": _latency,
    "relocation": _relocation,
    "false-reports": _false_reports,
    "length": _length,
    "long-k": _long_k,
    "long-decay": _long_decay,
    "suppression": _suppression,
}

ABLATIONS = tuple(_MADE)


def long_mission(containers: int) -> Parameters:
    """DN-14 for more containers: the floor as crowded, the budget as ample for each container and its way."""
    size = max(8, math.ceil(math.sqrt(containers * (64 - 2) / 14 + 2)))
    return {"containers": containers, "size": size, "budget": round(240 * containers / 14 * size / 8)}


def _along(name: str, question: str, axis: str, arms: Iterable[tuple[float, Arm]]) -> Ablation:
    pairs = list(arms)
    return Ablation(
        name=name,
        question=question,
        axis=axis,
        arms=tuple([each for _, each in pairs]),
        x=tuple([float(x) for x, _ in pairs]),
        lines=tuple([each.method for _, each in pairs]),
    )


def _published(method: str) -> Arm:
    return arm("dn-14", method)


def _tuned(variant: str, **settings: Any) -> Arm:
    base = _published("attention")
    return replace(base, variant=variant, memory=_with(base, **settings))


def _with(base: Arm, **settings: Any) -> Any:
    attention: AttentionSettings = replace(base.memory.attention, **settings)
    return replace(base.memory, attention=attention)


def _scenarios(
    parameter: str, values: tuple[float, ...], methods: tuple[str, ...]
) -> list[tuple[float, Arm]]:
    words = parameter.replace("_", " ")
    return [
        (value, replace(_published(method), variant=f"{words} {value:g}", parameters={parameter: value}))
        for value in values
        for method in methods
    ]
