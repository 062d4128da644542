/**
 * Panels fetch themselves again when they are told `qd:NAME`. Here names are gathered, so that a burst of events costs
 * one fetch each, and a fetch that failed is asked for again until it has succeeded: a panel is never left behind.
 */

import { isPointing } from "./pointing.js";

const EVIDENCE = new Set(["table", "demonstration", "memory", "context", "exchange", "frames", "log", "audit"]);
const ALL = ["bar", "map", "plan", "evidence", "timeline"];
/** They are fetched again on their own account, and so is what failed of them. */
const RETRIED = [...ALL, "queue", "episodes"];
const GATHER_MS = 60;
const RETRY_MS = 1000;
const WAIT_MS = 250;

/** @type {Set<string>} */
const named = new Set();
let timer = 0;

/** @param {Iterable<string>} names */
export function changed(names) {
  for (const name of names) named.add(EVIDENCE.has(name) ? "evidence" : name);
  if (timer === 0) timer = setTimeout(tell, GATHER_MS);
}

export function allChanged() {
  changed(ALL);
}

/** Ask again for what could not be fetched. @param {string} name */
export function failed(name) {
  setTimeout(() => changed([name]), RETRY_MS);
}

export function watchFailures() {
  for (const kind of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.body.addEventListener(kind, (event) => {
      const { elt, xhr, requestConfig } = /** @type {CustomEvent} */ (event).detail;
      const isLost = kind !== "htmx:responseError" || xhr.status >= 500;
      if (isLost && requestConfig.verb === "get" && RETRIED.includes(elt.id)) failed(elt.id);
    });
  }
}

function tell() {
  timer = 0;
  const waits = isPointing() && named.delete("evidence");
  const names = [...named];
  named.clear();
  if (waits) {
    named.add("evidence");
    timer = setTimeout(tell, WAIT_MS);
  }
  for (const name of names) document.body.dispatchEvent(new CustomEvent(`qd:${name}`));
}
