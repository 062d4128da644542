/** Moving the replay cursor: the page is fetched at another seq and morphed, so that a step costs no reload. */

/** @type {any} */
const htmx = /** @type {any} */ (globalThis).htmx;

/** The marks, in order; the timeline island keeps them. @type {{seq: number, kind: string}[]} */
let marks = [];
/** What a person did is a mark of the kind `operator`, or one of these. */
const OPERATORS = ["operator", "rejected", "hold"];

/** @param {{seq: number, kind: string}[]} known */
export function setMarks(known) {
  marks = known;
}

export function startCursor() {
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const target = /** @type {Element} */ (event.target);
    const link = target.closest("a[data-step], a[data-live]");
    if (link === null) return;
    event.preventDefault();
    const step = link.getAttribute("data-step");
    go(step === null ? null : Number(step));
  });
  addEventListener("popstate", () => location.reload());
}

/** The replayed seq, or null when live. */
export function cursor() {
  const at = timeline()?.dataset.at;
  return at === undefined ? null : Number(at);
}

/** @param {number | null} seq Null goes back to live. */
export function go(seq) {
  const line = timeline();
  if (line === null || seq === cursor()) return;
  const tab = document.getElementById("evidence")?.dataset.tab;
  const asked = new URLSearchParams();
  if (tab && tab !== "memory") asked.set("tab", tab);
  if (seq !== null) asked.set("at", String(seq));
  if (seq !== null && document.getElementById("evidence")?.dataset.known) asked.set("view", "known");
  const address = asked.size ? `${line.dataset.page}?${asked}` : String(line.dataset.page);
  if (cursor() === null) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  htmx.ajax("GET", address, { source: "#timeline", target: "#console", swap: "morph", select: "#console" });
}

export function backToLive() {
  if (cursor() === null) return false;
  go(null);
  return true;
}

/** One event on or back. From live, back is the newest event itself. @param {number} way */
export function step(way) {
  const line = timeline();
  if (line === null) return false;
  const at = cursor();
  const head = Number(line.dataset.head);
  if (at === null) {
    if (way < 0) go(Number(line.dataset.seq));
    return way < 0;
  }
  go(Math.min(head, Math.max(1, at + way)));
  return true;
}

/** To the mark before or after, of a kind if one is named. @param {number} way @param {string} [kind] */
export function stepMark(way, kind = "") {
  const from = cursor() ?? Number.POSITIVE_INFINITY;
  const is = (/** @type {{kind: string}} */ mark) =>
    kind === "" || mark.kind === kind || (kind === "operator" && OPERATORS.includes(mark.kind));
  const found =
    way < 0 ? marks.findLast((mark) => mark.seq < from && is(mark)) : marks.find((mark) => mark.seq > from && is(mark));
  if (found !== undefined) go(found.seq);
  return true;
}

function timeline() {
  return document.getElementById("timeline");
}
