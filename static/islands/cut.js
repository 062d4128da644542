/**
 * While the server is out of reach the page says so, dims and hatches what it shows, and takes no command but HOLD.
 * Nothing goes blank.
 */

import { html, icon, write } from "./dom.js";
import { count } from "./figures.js";

/** @typedef {import("./live.js").Health} Health */

/** By close code of the live socket. @type {Record<number, string>} */
const WHY = {
  4400: "This page asks for events in a way that the server does not know. Load it again.",
  4401: "You are signed out. What you typed is kept.",
  4403: "This page was opened from another address than the server’s own.",
  4404: "There is no such episode any more.",
};
const SIGNED_OUT = 4401;

let isCut = false;

/** @param {Health} health */
export function showHealth(health) {
  showCut(health.state === "open" ? "" : sentence(health));
  if (health.code !== SIGNED_OUT) return;
  const next = encodeURIComponent(location.pathname + location.search);
  document.getElementById("link-state")?.append(html("a", { href: `/signin?next=${next}` }, "Sign in"));
}

/** @param {string} words Why nothing fresh comes; empty when it does. */
export function showCut(words) {
  isCut = words !== "";
  document.documentElement.classList.toggle("is-cut", isCut);
  applyCut();
  const told = document.getElementById("link-state");
  if (told === null) return;
  told.hidden = !isCut;
  const said = told.querySelector("span");
  if (said && isCut && told.childElementCount === 2) write(said, words);
  else told.replaceChildren(icon("stale"), html("span", {}, words));
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
      if (link && isCut) (event.preventDefault(), event.stopPropagation());
    },
    true,
  );
  document.body.addEventListener("htmx:afterSettle", applyCut);
}

/** @param {Health} health */
function sentence(health) {
  if (health.code !== undefined) return WHY[health.code];
  return `Reconnecting, try ${health.tries}. Nothing was lost, resuming at seq ${count(health.seq)}`;
}
