/**
 * The marks by keyboard: one of them is a stop of the tab key, arrows go to the next in that direction, Enter pins its
 * card. So a site with thousands of entities is one stop, and each of them can be reached.
 */

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** What lies aside counts as so much farther. */
const ASIDE = 2.5;

/** @typedef {{key: string, x: number, y: number}} Reachable */

/**
 * @param {HTMLElement} view
 * @param {{all: () => Reachable[], focus: (key: string) => void, press: (key: string) => void}} told
 */
export function startReach(view, told) {
  view.addEventListener("keydown", (event) => {
    const mark = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".map-mark.is-told"));
    if (mark === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = mark.dataset.mark ?? "";
    const way = WAYS[event.key];
    if (way === undefined && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (way === undefined) return told.press(key);
    const next = nearest(told.all(), key, way);
    if (next !== null) told.focus(next);
  });
  view.addEventListener("focusin", (event) => {
    const mark = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".map-mark.is-told"));
    if (mark !== null) stop(view, mark);
  });
}

/** Where the tab key stops: at what was focused last, else at the foremost. @param {HTMLElement} view @param {HTMLElement | null} [mark] */
export function stop(view, mark = null) {
  const marks = /** @type {NodeListOf<HTMLElement>} */ (view.querySelectorAll(".map-mark.is-told"));
  const known = [...marks].find((each) => each.tabIndex === 0);
  const chosen = mark ?? known ?? view.querySelector(".map-mark.is-told:has(.is-target)") ?? marks[0];
  for (const each of marks) if ((each.tabIndex === 0) !== (each === chosen)) each.tabIndex = each === chosen ? 0 : -1;
}

/** @param {Reachable[]} all @param {string} from @param {[number, number]} way */
export function nearest(all, from, [wayX, wayY]) {
  const here = all.find((each) => each.key === from);
  if (here === undefined) return null;
  let best = null;
  let least = Number.POSITIVE_INFINITY;
  for (const each of all) {
    const ahead = (each.x - here.x) * wayX + (each.y - here.y) * wayY;
    const aside = Math.abs((each.x - here.x) * wayY) + Math.abs((each.y - here.y) * wayX);
    if (each.key === from || ahead <= 0 || aside > 2 * ahead) continue;
    const distance = ahead + ASIDE * aside;
    if (distance < least) [best, least] = [each.key, distance];
  }
  return best;
}
