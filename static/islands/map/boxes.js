/** Boxes in pixels of the view: what a mark, a plate or a name covers. */

/** About how wide a letter of a name is. */
export const LETTER_PX = 7.3;
const WAYPOINTS = 12;

/** Of many waypoints some, the last among them: their numbers say what lies between. @param {any[]} waypoints */
export function some(waypoints) {
  const every = Math.ceil(waypoints.length / WAYPOINTS);
  return waypoints.filter((_, index) => index % every === 0 || index === waypoints.length - 1);
}

/** Upper left. @param {[number, number][]} polygon @returns {[number, number]} */
export function corner(polygon) {
  return [Math.min(...polygon.map(([x]) => x)), Math.max(...polygon.map(([, y]) => y))];
}

/** @param {import("./labels.js").Box} one @param {import("./labels.js").Box} other */
export function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** @param {{x: number, y: number}} point @param {string} name @param {{x: number, y: number, anchor: string}} spot */
export function nameBox({ x, y }, name, spot) {
  const width = LETTER_PX * name.length;
  const left = x + spot.x - ({ start: 0, middle: width / 2, end: width }[spot.anchor] ?? 0);
  return { left, top: y + spot.y - 12, right: left + width, bottom: y + spot.y + 4 };
}

/** @param {{x: number, y: number}} point */
export function pick({ x, y }) {
  return { x, y };
}

/** @param {{x: number, y: number}} point @param {number} halfWidth @param {number} halfHeight */
export function box({ x, y }, halfWidth, halfHeight) {
  return { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight };
}
