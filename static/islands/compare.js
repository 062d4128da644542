/**
 * The comparison's cursor: by key, by pointer along the timelines, or played. The page is fetched at its new place and
 * morphed; the address holds the place, so that it can be sent to somebody.
 */

import { write } from "./dom.js";
import { met } from "./figures.js";

/** @type {any} */
const htmx = /** @type {any} */ (globalThis).htmx;

const LOOK_MS = 100;
/** How long a step or a delivery is shown at single speed. */
const STAY_S = 1;

let timer = 0;
let since = 0;
let from = 0;
/** What a drag or playing wants to see, while another place is still on its way. @type {string | null} */
let wanted = null;

document.addEventListener("click", clicked);
document.addEventListener("keydown", pressed);
document.addEventListener("pointerdown", grabbed);
document.getElementById("cmp-speed")?.addEventListener("change", begin);
document.body.addEventListener("htmx:afterSettle", settled);
document.body.addEventListener("htmx:responseError", stop);
document.body.addEventListener("htmx:sendError", stop);
addEventListener("popstate", () => location.reload());

/** @param {string} href */
function go(href) {
  if (document.querySelector("#compare.htmx-request") !== null) {
    wanted = href;
    return;
  }
  history.replaceState(null, "", href);
  htmx.ajax("GET", href, { source: "#compare", target: "#compare", swap: "morph", select: "#compare" });
}

function settled() {
  document.getElementById("cmp-play")?.setAttribute("aria-pressed", String(timer !== 0));
  reveal();
  if (wanted === null) return;
  const next = wanted;
  wanted = null;
  if (next !== location.pathname + location.search) go(next);
}

/** The difference at the cursor, in its list; the page itself stays where it is. */
function reveal() {
  const current = document.querySelector(".cmp-partings [aria-current]");
  const list = current?.parentElement;
  if (!current || !list) return;
  const [inner, outer] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/** @param {MouseEvent} event */
function clicked(event) {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-play-both]")) return toggle();
  const link = target.closest("a[data-go]");
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  stop();
  go(String(link.getAttribute("href")));
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  if (document.querySelector("dialog[open], details[open]") !== null) return;
  const target = /** @type {Element} */ (event.target);
  if (event.key === " " && !target.closest("button, a, summary, select, label")) {
    event.preventDefault();
    return toggle();
  }
  const way = { ArrowLeft: "before", ArrowRight: "after" }[event.key];
  if (way === undefined) return;
  const link = document.getElementById(event.shiftKey ? `cmp-parting-${way}` : `cmp-${way}`);
  event.preventDefault();
  stop();
  if (link instanceof HTMLAnchorElement) go(String(link.getAttribute("href")));
}

/** Press anywhere on the timelines and move: the flag follows, and the page goes there on release. @param {PointerEvent} down */
function grabbed(down) {
  const target = /** @type {Element} */ (down.target);
  const lanes = target.closest(".cmp-lanes");
  if (lanes === null || down.button !== 0 || target.closest("a, button, select")) return;
  down.preventDefault();
  stop();
  const box = /** @type {Element} */ (document.querySelector(".cmp-head")).getBoundingClientRect();
  const placeOf = (/** @type {PointerEvent} */ event) =>
    rounded(last() * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  const over = new AbortController();
  const { signal } = over;
  const move = (/** @type {PointerEvent} */ event) => flag(placeOf(event));
  const up = (/** @type {PointerEvent} */ event) => {
    over.abort();
    go(address(placeOf(event)));
  };
  // A finger that turns out to scroll the page gives the cursor back.
  const cancel = () => {
    over.abort();
    flag(here());
  };
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", up, { signal });
  addEventListener("pointercancel", cancel, { signal });
  move(down);
}

/** Draws the cursor where it will be. @param {number} at */
function flag(at) {
  const head = document.getElementById("cmp-head");
  head?.setAttribute("x", `${last() > 0 ? (100 * at) / last() : 0}%`);
  write(head?.querySelector("text") ?? null, words(at).toUpperCase());
}

function toggle() {
  if (timer !== 0) return stop();
  begin();
  timer = setInterval(look, LOOK_MS);
  settled();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  settled();
}

function begin() {
  from = here();
  since = performance.now();
}

/** By mission time at its pace; by step and delivery one after the other. What cannot be drawn in time is left out. */
function look() {
  const pace = by() === "time" ? 1 : 1 / STAY_S;
  const speed = Number(/** @type {HTMLSelectElement} */ (document.getElementById("cmp-speed")).value);
  const at = rounded(Math.min(last(), from + ((performance.now() - since) / 1000) * pace * speed));
  if (document.querySelector("#compare.htmx-request") === null && at > here()) go(address(at));
  if (here() >= last()) stop();
}

/** @param {number} at */
function rounded(at) {
  return by() === "time" ? Math.round(10 * at) / 10 : Math.floor(at + 0.5);
}

/** @param {number} at */
function words(at) {
  return by() === "time" ? met(at) : `${by() === "step" ? "Step" : "Delivery"} ${at}`;
}

/** @param {number} at */
function address(at) {
  return `${lanes().dataset.address}&at=${at}`;
}

/** @param {KeyboardEvent} event */
function isTyping(event) {
  return /** @type {Element} */ (event.target).closest("textarea, select, input:not([type=radio], [type=checkbox])") !== null;
}

function here() {
  return Number(lanes().dataset.at);
}

function last() {
  return Number(lanes().dataset.last);
}

function by() {
  return lanes().dataset.by;
}

function lanes() {
  return /** @type {HTMLElement} */ (document.getElementById("cmp-lanes"));
}
