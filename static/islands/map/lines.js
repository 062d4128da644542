/** Where a robot was, where the plan goes, and what moved: drawn in metres above the ground. */

import { svg } from "../dom.js";
import { sheet } from "./ground.js";

/**
 * @typedef {import("./ground.js").Point} Point
 * @typedef {{legs: Point[][], waypoints: {place: Point, label: string}[], asks: boolean}} Route
 */

const FADES = 4;

/** @param {any} data MapData */
export function drawLines(data) {
  const lines = sheet(data.ground.bounds, "map-lines");
  const head = svg("path", { class: "moved-head", d: "M0 0 6 3 0 6z" });
  const size = { viewBox: "0 0 6 6", refX: 5, refY: 3, markerWidth: 5, markerHeight: 5, orient: "auto" };
  lines.append(svg("defs", {}, svg("marker", { id: "map-arrow", ...size }, head)));
  for (const { trail: way, is_commanded } of data.robots) lines.append(is_commanded ? trail(way) : drawFresh(way, false));
  if (data.route) lines.append(route(data.route));
  for (const { was, place } of data.entities) {
    if (!was || !place) continue;
    const [from, to] = [was, shorter(was, place)];
    lines.append(svg("path", { class: "moved", d: through([from, to]), "marker-end": "url(#map-arrow)" }));
  }
  return lines;
}

/** What was driven since the map was drawn. @param {Point[]} points @param {boolean} isCommanded */
export function drawFresh(points, isCommanded) {
  return svg("path", { class: isCommanded ? "trail" : "trail is-other", "data-layer": "trail", d: through(points) });
}

/** The newest part is the darkest. @param {Point[]} points */
function trail(points) {
  const group = svg("g", { class: "trails", "data-layer": "trail" });
  const legs = points.length - 1;
  for (let fade = 0; fade < FADES; fade += 1) {
    const from = Math.floor((legs * fade) / FADES);
    const to = Math.floor((legs * (fade + 1)) / FADES);
    if (to > from) group.append(svg("path", { class: `trail t${fade}`, d: through(points.slice(from, to + 1)) }));
  }
  return group;
}

/** @param {Route} route */
function route({ legs, asks }) {
  const paths = legs.map((leg) => svg("path", { d: through(leg) }));
  return svg("g", { class: asks ? "route" : "route is-quiet", "data-layer": "route" }, ...paths);
}

/** @param {Point[]} points */
function through(points) {
  return points.map(([x, y], index) => `${index ? "L" : "M"}${x} ${-y}`).join("");
}

/** Stop short of the mark. @param {Point} from @param {Point} to @returns {Point} */
function shorter([x, y], [toX, toY]) {
  return [x + (toX - x) * 0.75, y + (toY - y) * 0.75];
}
