/** The part of the episode that the timeline shows: all of it, or a stretch that one has zoomed to. Pure arithmetic. */

/** @typedef {{from_s: number, span_s: number}} Window */

const LEAST_S = 5;

/** @param {number} whole_s @returns {Window} */
export function whole(whole_s) {
  return { from_s: 0, span_s: whole_s };
}

/** @param {Window} window @param {number} whole_s */
export function isWhole(window, whole_s) {
  return window.from_s <= 0 && window.span_s >= whole_s;
}

/** Closer or further, so that what stands at `at_s` stays there. @param {Window} window @param {number} factor @param {number} at_s @param {number} whole_s */
export function zoomed(window, factor, at_s, whole_s) {
  const span_s = Math.min(whole_s, Math.max(LEAST_S, window.span_s * factor));
  const share = (at_s - window.from_s) / window.span_s;
  return within({ from_s: at_s - share * span_s, span_s }, whole_s);
}

/** @param {Window} window @param {number} by_s @param {number} whole_s */
export function panned(window, by_s, whole_s) {
  return within({ from_s: window.from_s + by_s, span_s: window.span_s }, whole_s);
}

/** The same stretch, moved until `at_s` is in it. @param {Window} window @param {number} at_s @param {number} whole_s */
export function showing(window, at_s, whole_s) {
  const { from_s, span_s } = window;
  if (at_s >= from_s && at_s <= from_s + span_s) return window;
  return within({ from_s: at_s - 0.9 * span_s, span_s }, whole_s);
}

/** @param {Window} window @param {number} whole_s */
function within({ from_s, span_s }, whole_s) {
  return { from_s: Math.max(0, Math.min(whole_s - span_s, from_s)), span_s };
}
