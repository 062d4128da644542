/**
 * Where names stand, and marks that share a place: decided in pixels, again after each zoom.
 *
 * Greedy: the names that matter most choose first, each the place that covers least of what is there already.
 */

/**
 * @typedef {import("./marks.js").Spot} Spot
 * @typedef {{id: string, x: number, y: number, radius: number, width: number, lines: number, weight: number}} Named
 * @typedef {{left: number, top: number, right: number, bottom: number}} Box
 */

/** How much of a name stands left of its spot. @type {Record<string, number>} */
const SHARE = { start: 0, middle: 0.5, end: 1 };
const LINE_PX = 13;
const TOGETHER_PX = 6;
const ASIDE_PX = 11;

/** @param {Named[]} named @param {Box[]} taken @param {Box} view @returns {Map<string, Spot>} */
export function placeLabels(named, taken, view) {
  const full = [...taken, ...named.map(around)];
  /** @type {Map<string, Spot>} */
  const chosen = new Map();
  for (const one of [...named].sort((a, b) => b.weight - a.weight)) {
    const own = around(one);
    const others = full.filter((box) => box.left !== own.left || box.top !== own.top);
    const spots = beside(one);
    const costs = spots.map((spot) => cost(label(one, spot), others, view));
    const spot = spots[costs.indexOf(Math.min(...costs))];
    chosen.set(one.id, spot);
    full.push(label(one, spot));
  }
  return chosen;
}

/** Right, left, below and above a mark, off it. @param {Named} one @returns {Spot[]} */
function beside({ radius, lines }) {
  return [
    { x: radius + 2, y: 4, anchor: "start" },
    { x: -radius - 2, y: 4, anchor: "end" },
    { x: 0, y: radius + 15, anchor: "middle" },
    { x: 0, y: -radius - 5 - (lines - 1) * LINE_PX, anchor: "middle" },
  ];
}

/**
 * Marks within a few pixels of each other are drawn in a ring around their place.
 * @param {{id: string, x: number, y: number}[]} marks
 */
export function spread(marks) {
  /** @type {{x: number, y: number, ids: string[]}[]} */
  const groups = [];
  for (const { id, x, y } of marks) {
    const group = groups.find((each) => Math.hypot(each.x - x, each.y - y) < TOGETHER_PX);
    if (group) group.ids.push(id);
    else groups.push({ x, y, ids: [id] });
  }
  /** @type {Map<string, {x: number, y: number}>} */
  const aside = new Map();
  for (const { ids } of groups) {
    ids.forEach((id, index) => {
      const turn = (2 * Math.PI * index) / ids.length - Math.PI / 4;
      const radius = ids.length === 1 ? 0 : ASIDE_PX + 2 * ids.length;
      aside.set(id, { x: Math.round(radius * Math.cos(turn)), y: Math.round(radius * Math.sin(turn)) });
    });
  }
  return aside;
}

/** @param {Named} one @param {Spot} spot @returns {Box} */
export function label({ x, y, width, lines }, spot) {
  const left = x + spot.x - width * SHARE[spot.anchor];
  const top = y + spot.y - 10;
  return { left, top, right: left + width, bottom: top + lines * LINE_PX };
}

/** @param {Box} box @param {Box[]} taken @param {Box} view */
function cost(box, taken, view) {
  const outside =
    Math.max(0, view.left - box.left) +
    Math.max(0, box.right - view.right) +
    Math.max(0, view.top - box.top) +
    Math.max(0, box.bottom - view.bottom);
  return taken.reduce((sum, other) => sum + overlap(box, other), 40 * outside);
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** @param {Named} one @returns {Box} */
function around({ x, y, radius }) {
  return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
}
