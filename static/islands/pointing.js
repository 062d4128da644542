/** A list never reorders under the pointer: while it moves over rows they wait, but never long enough to be old. */

const REST_MS = 1000;
const AT_MOST_MS = 2500;

let moved = -REST_MS;
let began = 0;

export function startPointing() {
  document.addEventListener("pointermove", (event) => {
    if (!(event.target instanceof Element) || event.target.closest(".evidence tbody") === null) return;
    const now = performance.now();
    if (now - moved > REST_MS) began = now;
    moved = now;
  });
}

/** Is somebody about to click a row? */
export function isPointing() {
  const now = performance.now();
  return now - moved < REST_MS && now - began < AT_MOST_MS;
}
