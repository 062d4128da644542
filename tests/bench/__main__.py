"""`make bench`: the numbers that the docs quote, measured here and now."""

import argparse
import json
import platform

import numpy as np

from tests.bench import ros, tab, tabletop_speed
from tests.bench.arena import arena
from tests.bench.console import Frames, console
from tests.bench.episodes import shares, speed
from tests.bench.gating import POINTS, gating
from tests.bench.retrieval import RECORDS, SETTINGS, retrieval
from tests.bench.seek import LENGTHS, Seeks, seeks

METHODS = ("attention", "unfiltered")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON document in place of the lines")
    parser.add_argument("--console", action="store_true", help="the console in a browser alone")
    parser.add_argument("--seek", action="store_true", help="going back in long episodes alone")
    parser.add_argument(
        "--tab", action="store_true", help="a tab left open for 50,000 events, alone; minutes"
    )
    parser.add_argument("--ros", action="store_true", help="a ROS robot's latencies alone; a minute")
    arguments = parser.parse_args()
    as_json = arguments.json
    if arguments.tab:
        found_tab = tab.tab()
        print(json.dumps(tab.built(found_tab), indent=2) if as_json else tab.told(found_tab))
        return
    if arguments.ros:
        late = ros.latencies()
        print(json.dumps(ros.built(late), indent=2) if as_json else ros.told(late))
        return
    if arguments.console:
        frames = console()
        print(json.dumps(frames._asdict(), indent=2) if as_json else _told(frames))
        return
    if arguments.seek:
        sought = [seeks(events) for events in LENGTHS]
        rows = [each._asdict() for each in sought]
        print(json.dumps(rows, indent=2) if as_json else "\n".join(map(_sought, sought)))
        return
    speeds = {method: speed("dn-14", method) for method in METHODS}
    parts = {method: shares("dn-14", method) for method in METHODS}
    found = retrieval()
    physics = arena()
    if as_json:
        document = {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "episodes": {method: speeds[method]._asdict() | parts[method]._asdict() for method in METHODS},
            "retrieval": {"records": RECORDS, **found._asdict()},
            "gating": gating()._asdict(),
            "arena": physics._asdict(),
            "tabletop": tabletop_speed.tabletop()._asdict(),
            "console": console()._asdict(),
            "seek": [seeks(events)._asdict() for events in LENGTHS],
        }
        print(json.dumps(document, indent=2))
        return
    print(f"Python {platform.python_version()}, numpy {np.__version__}; processor time on one core")
    for method in METHODS:
        of, part = speeds[method], parts[method]
        print(
            f"DN-14 {method:10} {of.per_s:6.1f} episodes a second, {of.yardsticks:4.1f} yardsticks each: "
            f"retrieval {part.retrieval:5.1%}, arbitration {part.arbitration:5.1%}, the rest {part.rest:5.1%}"
        )
    print(
        f"Arena, attention: {physics.times_real:.0f} times real time on one core without pictures,"
        f" {physics.yardsticks:.2f} yardsticks a second of its time"
    )
    print(
        f"Best {SETTINGS.k} of {RECORDS:,} records: {found.ours_ms:.2f} ms, bare numpy {found.bare_ms:.2f}, "
        f"ratio {found.ratio:.2f}; arrays made in {found.columns_ms:.0f} ms"
    )
    print(tabletop_speed.told(tabletop_speed.tabletop()))
    gated = gating()
    print(
        f"Gating of {gated.frames} frames of {gated.edge_px} px at {len(POINTS)} points: "
        f"{gated.ours_ms:.2f} ms, {gated.whole_ms:.1f} where whole frames are compared; "
        f"{gated.withheld} withheld"
    )
    print(_told(console()))
    for events in LENGTHS:
        print(_sought(seeks(events)))


def _told(frames: Frames) -> str:
    return (
        f"Map of {frames.entities:,} entities, poses at {frames.rate_hz:.0f} Hz: "
        f"{frames.per_s:.1f} frames a second, 99 of 100 within {frames.slowest_ms:.0f} ms, "
        f"page busy {frames.busy:.0%}; {frames.panned_per_s:.1f} while it is dragged; "
        f"first paint after {frames.paint_ms:.0f} ms"
    )


def _sought(found: Seeks) -> str:
    return (
        f"Any moment of {found.events:,} events: its page in {found.median_ms:.0f} ms, "
        f"95 of 100 within {found.p95_ms:.0f} ms ({found.worked_p95_ms:.0f} ms of the processor); "
        f"first opened in {found.opened_s:.1f} s"
    )


if __name__ == "__main__":
    main()
