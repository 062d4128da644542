/** Everything by keyboard. No single key approves, and no key does anything while somebody types. */

import { showKeys } from "./parts.js";
import { backToLive, step, stepMark } from "./timeline/cursor.js";

const TABS = ["memory", "context", "exchange", "frames", "log", "audit"];

export function startKeys() {
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
  if (isArrow && /** @type {Element} */ (event.target).closest(".map-view, .scroll, .tabs")) return false;
  const way = { ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1 }[
    event.key.length === 1 ? event.key.toLowerCase() : event.key
  ];
  if (way !== undefined) return event.shiftKey && isArrow ? stepMark(way) : step(way);
  if (/^[1-6]$/.test(event.key)) return openTab(TABS[Number(event.key) - 1]);
  return false;
}

/** Close what is open, else go back to live. @param {KeyboardEvent} event */
function escape(event) {
  const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector("#menu[open]"));
  if (menu) return ((menu.open = false), true);
  const sheet = /** @type {HTMLElement | null} */ (document.querySelector("[data-close-sheet]"));
  if (sheet) return (sheet.click(), true);
  if (document.querySelector("dialog[open]")) return false;
  return event.target instanceof Element && backToLive();
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

/** @param {KeyboardEvent} event */
function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  return target.matches("textarea, select, input:not([type=radio], [type=checkbox])") || target.isContentEditable;
}
