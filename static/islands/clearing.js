/**
 * "Area is clear" arms Release by a fetch of the card. A fetch that was asked for before knows nothing of it, and its
 * answer would disarm Release unseen: so what was said to be clear goes along with every later fetch of the card, and
 * an answer without it is not shown but asked for again. It lasts until the release, or until other stops are shown.
 */

import { changed } from "./panels.js";

/** The stops for which somebody said so, as the form names them. */
let cleared = "";

export function startClearing() {
  document.body.addEventListener("htmx:configRequest", (event) => {
    const { elt, verb, path, parameters } = /** @type {CustomEvent} */ (event).detail;
    if (named(elt) !== "") cleared = named(elt);
    else if (verb !== "get" && elt.closest("#plan") !== null) cleared = "";
    else if (elt.id === "plan" && cleared !== "" && !path.includes("cleared=")) parameters.cleared = cleared;
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    if (cleared === "" || detail.requestConfig.elt.id !== "plan") return;
    if (new URL(detail.xhr.responseURL).searchParams.get("cleared") === cleared) return;
    detail.shouldSwap = false;
    changed(["plan"]);
  });
  document.body.addEventListener("htmx:afterSwap", () => {
    const shown = document.querySelector("#plan .release form");
    if (shown === null || named(shown) !== cleared) cleared = "";
  });
}

/** @param {Element} form */
function named(form) {
  return /** @type {HTMLInputElement | null} */ (form.querySelector(":scope > input[name=cleared]"))?.value ?? "";
}
