/** What does not move: free space, walls, regions, the metre grid. Drawn once for each revision. */

import { svg } from "../dom.js";

/**
 * @typedef {[number, number, number, number]} Rect x, y, width, height in metres, y up.
 * @typedef {[number, number]} Point
 * @typedef {{name: string, polygon: Point[], is_restricted: boolean}} Region
 * @typedef {{revision: string, bounds: Rect, grid_m: number, free: Rect[], walls: Rect[], regions: Region[], floor?: Floor | null}} Ground
 * @typedef {{occupied: string, known: string, place: Point, yaw_rad: number, width_m: number, height_m: number}} Floor
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
      svg("clipPath", { id: "map-free" }, svg("path", { d: free }), ground.floor ? floorRect(ground.floor, {}) : null),
    ),
    svg("path", { class: "free", d: free }),
    svg("path", { class: "occ", d: path(ground.walls) }),
    ground.floor ? floor(ground.floor) : "",
    svg(
      "g",
      { "clip-path": "url(#map-free)" },
      svg("g", { "data-layer": "regions" }, ...ground.regions.map(region)),
      svg("rect", { x, y: -y - height, width, height, fill: "url(#map-metre)" }),
    ),
  );
  return base;
}

/** The surveyed floor, each kind painted through its picture; what is unknown is left as it was. @param {Floor} floor */
function floor(floor) {
  const { width_m: width, height_m: height } = floor;
  const size = { x: 0, y: -height, width, height };
  const masks = [floor.known, floor.occupied].map((href, index) =>
    svg(
      "mask",
      { id: `map-floor-${index}`, maskUnits: "userSpaceOnUse", ...size },
      svg("image", { href, preserveAspectRatio: "none", ...size }),
    ),
  );
  return svg(
    "g",
    { "data-layer": "floor" },
    svg(
      "g",
      { transform: turned(floor) },
      ...masks,
      svg("rect", { class: "floor-free", mask: "url(#map-floor-0)", ...size }),
      svg("rect", { class: "floor-occupied", mask: "url(#map-floor-1)", ...size }),
    ),
  );
}

/** @param {Floor} floor @param {Record<string, unknown>} attributes */
function floorRect(floor, attributes) {
  const { width_m: width, height_m: height } = floor;
  return svg("rect", { x: 0, y: -height, width, height, transform: turned(floor), ...attributes });
}

/** Its lower left corner is the origin of its own axes. @param {Floor} floor */
function turned({ place: [x, y], yaw_rad }) {
  return `translate(${x} ${-y}) rotate(${((-yaw_rad * 180) / Math.PI).toFixed(4)})`;
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
