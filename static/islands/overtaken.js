/**
 * What somebody opened in the panel must not be taken away again by an answer to something older: a panel that fetched
 * itself before, or an earlier click whose answer came later. Such an answer is dropped. In place of the panel's own,
 * what it has now is asked for.
 */

import { changed } from "./panels.js";

const PANEL = "evidence";

/** What was asked for last by a person. @type {XMLHttpRequest | null} */
let newest = null;

export function startOvertaken() {
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    if (isOpening(detail)) newest = detail.xhr;
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    const panel = document.getElementById(PANEL);
    if (panel === null) return;
    if (isOpening(detail)) {
      if (detail.xhr !== newest) detail.shouldSwap = false;
    } else if (detail.requestConfig.elt === panel && isOld(detail, panel)) {
      detail.shouldSwap = false;
      changed([PANEL]);
    }
  });
}

/** Whether somebody opens something in the panel by it. @param {any} detail */
function isOpening({ target, requestConfig }) {
  return target?.id === PANEL && requestConfig.verb === "get" && requestConfig.elt.id !== PANEL;
}

/** @param {any} detail @param {Element} panel */
function isOld({ requestConfig }, panel) {
  return requestConfig.verb === "get" && requestConfig.path !== panel.getAttribute("hx-get");
}
