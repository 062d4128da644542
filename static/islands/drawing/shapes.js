/** What is drawn: outlines and stations as shapes in metres, and new ones in the middle of what is seen. */

import { svg } from "../dom.js";

/**
 * @typedef {import("./start.js").Drawn} Drawn
 * @typedef {import("./start.js").Chosen} Chosen
 * @typedef {import("../map/ground.js").Rect} Rect
 * @typedef {import("../map/ground.js").Point} Point
 */

/** A new region takes this share of what is seen. */
const SHARE = 0.25;

/** @param {Drawn} drawn @param {Chosen | null} chosen */
export function shapes({ regions }, chosen) {
  return regions.map(({ polygon_m, restricted }, index) => {
    const isChosen = chosen?.kind === "regions" && chosen.index === index;
    const classes = ["outline", restricted && "is-restricted", isChosen && "is-chosen"].filter(Boolean).join(" ");
    return svg("polygon", { class: classes, points: polygon_m.map(([x, y]) => `${x},${-y}`).join(" ") });
  });
}

/** A square in the middle. @param {Drawn} drawn @param {Rect} rect */
export function aRegion({ regions }, [x, y, width, height]) {
  const half = (Math.min(width, height) * SHARE) / 2;
  const [midX, midY] = [x + width / 2, y + height / 2];
  const corners = [
    [midX - half, midY - half],
    [midX + half, midY - half],
    [midX + half, midY + half],
    [midX - half, midY + half],
  ];
  const names = regions.map(({ name }) => name);
  return { name: free("region", names), restricted: false, polygon_m: corners.map(([x, y]) => [tidy(x), tidy(y)]) };
}

/** @param {Drawn} drawn @param {Rect} rect */
export function aStation({ stations }, [x, y, width, height]) {
  const ids = stations.map(({ id }) => id);
  return { id: free("station", ids), x_m: tidy(x + width / 2), y_m: tidy(y + height / 2), yaw_rad: 0, accepts: [] };
}

/** To the centimetre. @param {number} metres */
export function tidy(metres) {
  return Math.round(metres * 100) / 100;
}

/** @param {Point} a @param {Point} b @returns {Point} */
export function between([ax, ay], [bx, by]) {
  return [tidy((ax + bx) / 2), tidy((ay + by) / 2)];
}

/** The first of its kind that no other is called. @param {string} kind @param {string[]} taken */
function free(kind, taken) {
  let number = taken.length + 1;
  while (taken.includes(`${kind}_${number}`)) number += 1;
  return `${kind}_${number}`;
}
