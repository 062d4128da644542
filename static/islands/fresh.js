/**
 * A plan that has just come cannot be approved by the click, or the key, that was meant for what stood there before:
 * for LOOK_MS its Approve is off. The server would take it, for its digests are right; only the person was not asked.
 */

const LOOK_MS = 800;

let shown = grant()?.action ?? "";
let until = 0;

export function startFresh() {
  document.body.addEventListener("htmx:afterSwap", guard);
}

function guard() {
  const form = grant();
  if (form === null) {
    shown = "";
    return;
  }
  if (form.action !== shown) {
    shown = form.action;
    until = performance.now() + LOOK_MS;
  }
  const button = form.querySelector("button");
  if (button === null || button.disabled || performance.now() >= until) return;
  button.disabled = true;
  button.dataset.fresh = "";
  release(button);
}

/** Timers may come early, so the clock is asked. @param {HTMLButtonElement} button */
function release(button) {
  const left = until - performance.now();
  if (left > 0) {
    setTimeout(() => release(button), Math.ceil(left));
    return;
  }
  if (button.dataset.fresh === undefined) return;
  delete button.dataset.fresh;
  if (document.documentElement.classList.contains("is-cut")) button.dataset.cut = "";
  else button.disabled = false;
}

function grant() {
  return /** @type {HTMLFormElement | null} */ (document.querySelector("form.grant"));
}
