/**
 * While the server is out of reach the page says so, dims and hatches what it shows, and takes no command but HOLD.
 * Nothing goes blank.
 */

import { html, icon } from "./dom.js";
import { count } from "./figures.js";

/** @typedef {import("./live.js").Health} Health */

let isCut = false;

/** @param {Health} health */
export function showHealth(health) {
  isCut = health.state !== "open";
  document.documentElement.classList.toggle("is-cut", isCut);
  applyCut();
  const told = document.getElementById("link-state");
  if (told === null) return;
  told.hidden = !isCut;
  if (isCut) told.replaceChildren(icon("stale"), html("span", {}, sentence(health)));
}

/** After a swap there are new buttons. */
export function applyCut() {
  for (const control of document.querySelectorAll("button[data-command]")) {
    if (isCut && !control.hasAttribute("disabled")) {
      control.setAttribute("disabled", "");
      control.setAttribute("data-cut", "");
    } else if (!isCut && control.hasAttribute("data-cut")) {
      control.removeAttribute("disabled");
      control.removeAttribute("data-cut");
    }
  }
}

export function watchCommands() {
  document.addEventListener(
    "click",
    (event) => {
      const link = /** @type {Element} */ (event.target).closest("a[data-command]");
      if (link && isCut) event.preventDefault(), event.stopPropagation();
    },
    true,
  );
  document.body.addEventListener("htmx:afterSettle", applyCut);
}

/** @param {Health} health */
function sentence(health) {
  if (health.why !== undefined) return health.why;
  return `Reconnecting, try ${health.tries}. Nothing was lost, resuming at seq ${count(health.seq)}`;
}
