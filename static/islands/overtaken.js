/**
 * A panel that fetched itself before somebody opened something else in it must not take that away again: an answer to
 * an address that the panel no longer has is dropped, and what it has now is asked for.
 */

import { changed } from "./panels.js";

export function startOvertaken() {
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    const panel = document.getElementById("evidence");
    if (panel === null || detail.requestConfig.elt !== panel || detail.requestConfig.verb !== "get") return;
    if (detail.requestConfig.path === panel.getAttribute("hx-get")) return;
    detail.shouldSwap = false;
    changed(["evidence"]);
  });
}
