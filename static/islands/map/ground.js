/** What does not move: free space, walls, regions, the metre grid. Drawn once for each revision. */

import { svg } from "../dom.js";

/**
 * @typedef {[number, number, number, number]} Rect x, y, width, height in metres, y up.
 * @typedef {[number, number]} Point
 * @typedef {{name: string, polygon: Point[], is_restricted: boolean}} Region
 * @typedef {{revision: string, bounds: Rect, grid_m: number, free: Rect[], walls: Rect[], regions: Region[]}} Ground
 */

/** A layer that covers the bounds: its user units are metres, y down. @param {Rect} bounds @param {string} name */
export function sheet([x, y, width, height], name) {
  return svg("svg", {
    class: `map-base ${name}`,
    viewBox: `${x} ${-y - height} ${width} ${height}`,
    "aria-hidden": "true",
  });
}

/** @param {Ground} ground */
export function drawGround(ground) {
  const [x, y, width, height] = ground.bounds;
  const base = sheet(ground.bounds, "map-ground");
  const free = path(ground.free);
  base.append(
    svg(
      "defs",
      {},
      svg(
        "pattern",
        {
          id: "map-metre",
          width: ground.grid_m,
          height: ground.grid_m,
          patternUnits: "userSpaceOnUse",
          x,
          y: -y - height,
        },
        svg("path", { class: "grid-line", d: `M${ground.grid_m} 0H0V${ground.grid_m}` }),
      ),
      svg("clipPath", { id: "map-free" }, svg("path", { d: free })),
    ),
    svg("path", { class: "free", d: free }),
    svg(
      "g",
      { "clip-path": "url(#map-free)" },
      svg("g", { "data-layer": "regions" }, ...ground.regions.map(region)),
      svg("rect", { x, y: -y - height, width, height, fill: "url(#map-metre)" }),
    ),
    svg("path", { class: "occ", d: path(ground.walls) }),
  );
  return base;
}

/** @param {Region} region */
function region({ polygon, is_restricted }) {
  const points = polygon.map(([x, y]) => `${x},${-y}`).join(" ");
  return svg("polygon", { class: is_restricted ? "regions is-restricted" : "regions", points });
}

/** @param {Rect[]} rects */
function path(rects) {
  return rects.map(([x, y, width, height]) => `M${x} ${-y}h${width}v${-height}h${-width}z`).join("");
}
