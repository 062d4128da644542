/** Everything by keyboard. No single key approves, and no key does anything while somebody types. */

import { showKeys } from "./parts.js";
import { addCommands, press } from "./palette.js";
import { backToLive, step, stepMark } from "./timeline/cursor.js";

/** To the next mark of a kind; with Shift, to the one before. @type {Record<string, string>} */
const KINDS = { p: "plan", r: "replan", f: "failure", d: "delivery", o: "operator" };
const NAMES = { plan: "plan", replan: "replan", failure: "failure", delivery: "delivery", operator: "operator’s act" };
const TABS = ["memory", "context", "exchange", "frames", "log", "audit"];

export function startKeys() {
  addCommands(commands);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const done = act(event);
    if (done) event.preventDefault();
  });
}

/** @param {KeyboardEvent} event @returns {boolean} whether the key meant something */
function act(event) {
  if (event.key === "Escape") return escape(event);
  if (event.shiftKey && event.key.toLowerCase() === "h") return hold();
  if (event.key === "?") return (showKeys(), true);
  if (document.querySelector("dialog[open]")) return false;
  const isArrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
  if (isArrow && /** @type {Element} */ (event.target).closest(".map-view, .scroll, .tabs, .probe")) return false;
  const way = { ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1 }[
    event.key.length === 1 ? event.key.toLowerCase() : event.key
  ];
  if (way !== undefined) return event.shiftKey && isArrow ? stepMark(way) : step(way);
  if (/^[1-6]$/.test(event.key)) return openTab(TABS[Number(event.key) - 1]);
  if (event.key === "q") return openQueue();
  const kind = KINDS[event.key.toLowerCase()];
  if (kind !== undefined) return stepMark(event.shiftKey ? -1 : 1, kind);
  if (event.key === " " && !/** @type {Element} */ (event.target).closest("button, a, summary, select, label")) return play();
  return false;
}

/** Close what is open, else go back to live. @param {KeyboardEvent} event */
function escape(event) {
  const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector("details.menu[open]"));
  if (menu) return ((menu.open = false), true);
  const sheet = /** @type {HTMLElement | null} */ (document.querySelector("[data-close-sheet]"));
  if (sheet) return (sheet.click(), true);
  if (document.querySelector("dialog[open]")) return false;
  return event.target instanceof Element && backToLive();
}

function play() {
  const button = /** @type {HTMLElement | null} */ (document.querySelector("[data-play], #tl-pause"));
  button?.click();
  return button !== null;
}

/** What the keys do and what the page's buttons do, by name. No approval is among them. */
function commands() {
  const jumps = Object.entries(KINDS).flatMap(([key, kind]) =>
    [1, -1].map((way) => ({
      label: `${way > 0 ? "Next" : "Previous"} ${NAMES[/** @type {keyof typeof NAMES} */ (kind)]}`,
      keys: way > 0 ? key.toUpperCase() : `Shift ${key.toUpperCase()}`,
      run: () => void stepMark(way, kind),
    })),
  );
  return [
    ...press("#stop form[data-hold] button", "Hold the robot", "Shift H"),
    ...press("[data-live]", "Back to live", "Esc"),
    { label: "Go to the plan", run: () => focus("plan-h") },
    ...TABS.flatMap((name, place) => press(`#tab-${name}`, `Open ${name}`, String(place + 1))),
    ...press("#tab-table", "Open table"),
    ...press("#tab-demonstration", "Open demonstration"),
    ...jumps,
    ...press("[data-play]", "Play the replay from here", "Space"),
    ...press("[data-map=fit]", "Map: fit the site"),
    ...press("[data-map=follow]", "Map: follow the robot"),
    ...press("[data-map=in]", "Map: zoom in"),
    ...press("[data-map=out]", "Map: zoom out"),
    ...press("[data-zoom=in]", "Timeline: zoom in"),
    ...press("[data-zoom=out]", "Timeline: zoom out"),
    ...press("[data-zoom=all]", "Timeline: whole episode"),
    ...press("#tl-abort", "Abort the episode…"),
  ];
}

/** @param {string} id */
function focus(id) {
  const found = document.getElementById(id);
  found?.setAttribute("tabindex", "-1");
  found?.focus();
}

function hold() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("#stop form[data-hold]"));
  form?.requestSubmit();
  return form !== null;
}

/** @param {string} name */
function openTab(name) {
  const tab = document.getElementById(`tab-${name}`);
  tab?.click();
  return tab !== null;
}

function openQueue() {
  const queue = /** @type {HTMLElement | null} */ (document.querySelector("#queue summary"));
  queue?.click();
  queue?.focus();
  return queue !== null;
}

/** @param {KeyboardEvent} event */
function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  return target.matches("textarea, select, input:not([type=radio], [type=checkbox])") || target.isContentEditable;
}
