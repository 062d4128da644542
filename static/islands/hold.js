/**
 * HOLD, louder: the form works alone; here its button says STOPPING at once, and a hold that did not reach the server
 * is tried again and said not to be confirmed. A repeated stop does no harm; one sent minutes late would surprise, so
 * it is given up after TRY_MS.
 */

import { html, icon, write } from "./dom.js";

const AGAIN_MS = 1000;
const TRY_MS = 10_000;

/** By form address: when HOLD was pressed. @type {Map<string, number>} */
const pressed = new Map();

export function startHold() {
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const form = formOf(event);
    if (form === null) return;
    if (!pressed.has(form.action)) pressed.set(form.action, Date.now());
    say(form, "STOPPING", "not confirmed", true);
  });
  for (const kind of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.body.addEventListener(kind, (event) => {
      const form = formOf(event);
      if (form !== null) missed(form);
    });
  }
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const form = formOf(event);
    const { xhr } = /** @type {CustomEvent} */ (event).detail;
    if (form === null || xhr.status >= 400) return;
    if (pressed.delete(form.action)) tell(null);
  });
}

/** @param {HTMLFormElement} form */
function missed(form) {
  const since = pressed.get(form.action) ?? Date.now();
  if (Date.now() - since < TRY_MS) {
    tell(["Hold is not confirmed.", "The server did not take it. Trying again. Use the robot’s own stop if you must."]);
    setTimeout(() => retry(form), AGAIN_MS);
    return;
  }
  pressed.delete(form.action);
  say(form, "HOLD", "not confirmed", false);
  tell(["Hold was not sent.", "The server is out of reach. Press HOLD again, or use the robot’s own stop."]);
}

/** The form may have been drawn anew meanwhile. @param {HTMLFormElement} form */
function retry(form) {
  const forms = /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-hold]"));
  const now = [...forms].find((each) => each.action === form.action);
  if (now && pressed.has(form.action)) now.requestSubmit();
}

/** @param {HTMLFormElement} form @param {string} word @param {string} note @param {boolean} isPending */
function say(form, word, note, isPending) {
  form.querySelector(".hold")?.classList.toggle("is-pending", isPending);
  const place = form.querySelector(".hold-word");
  if (place === null) return;
  if (form.classList.contains("in-list")) write(place, word);
  else place.replaceChildren(word, html("small", {}, note));
}

/** @param {[string, string] | null} words */
function tell(words) {
  const place = document.getElementById("notice");
  if (place === null) return;
  if (words === null) return place.replaceChildren();
  const [title, text] = words;
  const told = html("p", {}, html("b", {}, title), " ", html("span", {}, text));
  place.replaceChildren(html("div", { class: "notice is-alarm", role: "alert" }, icon("bad"), told));
}

/** @param {Event} event @returns {HTMLFormElement | null} */
function formOf(event) {
  const { requestConfig, elt: told } = /** @type {CustomEvent} */ (event).detail;
  const elt = requestConfig?.elt ?? told;
  return elt instanceof HTMLFormElement && elt.dataset.hold !== undefined ? elt : null;
}
