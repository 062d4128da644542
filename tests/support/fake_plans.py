"""A sensible plan from the text of a query, as a model would read it: the nearest record, brought home."""

import re
from collections.abc import Mapping
from typing import Any

RECORD = re.compile(
    r"^(\S+): class (\S+), pose \(([-+\d.e]+), ([-+\d.e]+)\) m,"
    r" confidence ([\d.]+), status (observed|reconsider)",
    re.MULTILINE,
)
STATION = re.compile(r"^Station (\S+) at \(.*?\) m takes (?!a class not settled)(.+)$", re.MULTILINE)
ROBOT = re.compile(r"^Robot .*? at \(([-+\d.e]+), ([-+\d.e]+)\) m$", re.MULTILINE)
HOLDING = re.compile(r"^Holding: (\S+?)(?:,? \(?(?:of )?class ([^\s)]+)\)?)?$", re.MULTILINE)
MAP = re.compile(r"^Map: (\d+) by (\d+) cells", re.MULTILINE)


class Reader:
    """Remembers which class an object has, for a held one is no longer among the records."""

    def __init__(self) -> None:
        self._classes: dict[str, str] = {}
        self._searched = 0

    def reply_to(self, text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        """A whole reply that fits `schema`; no step where the text and the skills offered allow none."""
        self._classes |= {entity: cls for entity, cls, *_ in RECORD.findall(text)}
        stations = {
            cls: station for station, takes in STATION.findall(text) for cls in re.split(r"\W+", takes)
        }
        held = HOLDING.search(text)
        if held is not None and held[1] != "nothing":
            entity, cls = held[1], held[2] or self._classes.get(held[1], "")
            return self._reply(f"{entity} is held.", self._carry(entity, stations.get(cls, "")), schema)
        target = self._nearest(text, stations)
        if target is None:
            return self._reply("Nothing is known that could be collected.", [self._search(text)], schema)
        steps = [
            ("navigate", {"to": target}),
            ("approach", {"target": target}),
            ("grasp", {"target": target}),
            *self._carry(target, stations[self._classes[target]]),
        ]
        return self._reply(f"{target} is the nearest by distance over confidence.", steps, schema)

    def _nearest(self, text: str, stations: Mapping[str, str]) -> str | None:
        robot = ROBOT.search(text)
        x0, y0 = (float(robot[1]), float(robot[2])) if robot else (0.0, 0.0)
        costs = {
            entity: (1 + abs(float(x) - x0) + abs(float(y) - y0)) / max(float(confidence), 0.01)
            for entity, cls, x, y, confidence, _ in RECORD.findall(text)
            if cls in stations
        }
        return min(costs, key=lambda entity: (costs[entity], entity), default=None)

    def _carry(self, entity: str, station: str) -> list[tuple[str, dict[str, Any]]]:
        return [("navigate", {"to": station}), ("deliver", {"object": entity, "station": station})]

    def _search(self, text: str) -> tuple[str, dict[str, Any]]:
        """One cell after another, row by row."""
        size = MAP.search(text)
        width, height = (int(size[1]), int(size[2])) if size else (1, 1)
        number = self._searched
        self._searched += 1
        return "explore", {"cell": {"x": number % width, "y": number // width % height}}

    def _reply(
        self, why: str, steps: list[tuple[str, dict[str, Any]]], schema: Mapping[str, Any]
    ) -> dict[str, Any]:
        offered = forms(schema)
        return {
            "rationale": why,
            "note": why,
            "steps": [written(offered[skill], given) for skill, given in steps if skill in offered],
        }


def forms(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Skill -> the form of its step, from the schema that came with the request."""
    items = schema.get("properties", {}).get("steps", {}).get("items", {})
    every = items.get("anyOf", [items])
    return {form["properties"]["skill"]["const"]: form for form in every if "properties" in form}


def written(form: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """A step in that form: every argument is there, those not given as null."""
    names = form["properties"]["arguments"]["properties"]
    skill = form["properties"]["skill"]["const"]
    return {"skill": skill, "arguments": {name: given.get(name) for name in names}, "watch": None}
