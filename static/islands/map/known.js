/** What is known now, over what was believed: a cross where a thing was, tied to where memory had it. */

import { svg } from "../dom.js";
import { around } from "./marks.js";

/**
 * @typedef {import("./ground.js").Point} Point
 * @typedef {{entity: string, place: Point | null, believed: Point | null, label: string, spoken: string, is_certain: boolean}} KnownMark
 */

const ARM_PX = 6;

/** Those that have a place to be drawn at; none where nothing is asked for, or it did not come. @param {string} source @returns {Promise<KnownMark[]>} */
export async function fetchKnown(source) {
  if (source === "") return [];
  try {
    const answer = await fetch(source);
    if (!answer.ok) return [];
    const { marks } = await answer.json();
    return marks.filter((/** @type {KnownMark} */ mark) => mark.place !== null || mark.believed !== null);
  } catch {
    return [];
  }
}

/** @param {KnownMark} mark @param {import("./view.js").View} view */
export function knownMark({ entity, place, believed, is_certain }, view) {
  const classes = ["known-mark", !is_certain && "is-unsure", place === null && "is-nowhere"].filter(Boolean).join(" ");
  return around(
    svg(
      "g",
      { class: classes },
      place !== null && believed !== null ? tie(view.pixel(place), view.pixel(believed)) : null,
      svg("circle", { class: "ring", r: 12 }),
      place === null
        ? svg("text", { class: "ent-sub", x: 0, y: -18, "text-anchor": "middle" }, "not here")
        : svg("path", { d: `M0-${ARM_PX}V${ARM_PX}M-${ARM_PX} 0H${ARM_PX}` }),
      place !== null && believed === null
        ? svg("text", { class: "ent-sub", x: 0, y: 20, "text-anchor": "middle" }, entity)
        : null,
    ),
  );
}

/** From the cross to where it was believed, in pixels. @param {{x: number, y: number}} here @param {{x: number, y: number}} there */
function tie(here, there) {
  const x = there.x - here.x;
  const y = there.y - here.y;
  if (Math.hypot(x, y) < 2 * ARM_PX) return null;
  return svg("path", { class: "known-tie", d: `M0 0 ${x.toFixed(1)} ${y.toFixed(1)}` });
}
