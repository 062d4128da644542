/**
 * Swaps change what differs and leave the rest: focus, open menus, scroll positions, and what a person has typed.
 *
 * Islands draw their own insides, so a swap goes round them. Typed text outlives the card it was typed in: it is kept
 * for the tab until the form it belongs to was accepted. A card that says what is wrong with it stays until the person
 * acts, or until it asks something else.
 */

/** @type {any} */
const idiomorph = /** @type {any} */ (globalThis).Idiomorph;

export function startMorph() {
  idiomorph.defaults.callbacks = {
    ...idiomorph.defaults.callbacks,
    beforeNodeMorphed: (/** @type {Node} */ old, /** @type {Node} */ fresh) =>
      !(old instanceof HTMLElement && old.dataset.island !== undefined) && !isBeingEdited(old, fresh),
    beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ node) =>
      !(name === "open" && node instanceof HTMLDetailsElement) && !(name === "value" && isTyped(node)),
  };
  document.addEventListener("input", (event) => {
    const field = /** @type {HTMLTextAreaElement} */ (event.target);
    if (field.dataset.draft !== undefined) sessionStorage.setItem(draftOf(field), field.value);
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const { requestConfig, xhr } = /** @type {CustomEvent} */ (event).detail;
    const form = requestConfig.elt;
    if (!(form instanceof HTMLFormElement) || form.dataset.clears === undefined || xhr.status >= 400) return;
    for (const field of fields(form)) sessionStorage.removeItem(draftOf(field));
    form.reset();
  });
  document.body.addEventListener("htmx:beforeSwap", keepErrors);
  document.body.addEventListener("htmx:afterSettle", restoreDrafts);
  restoreDrafts();
}

/** A fetch that an event brought knows nothing of what was refused: it would take the errors away unread. @param {Event} event */
function keepErrors(event) {
  const { detail } = /** @type {CustomEvent} */ (event);
  const shown = document.getElementById("plan");
  if (shown === null || detail.requestConfig.elt !== shown || detail.requestConfig.verb !== "get") return;
  if (shown.querySelector(".field-error") === null) return;
  const fresh = new DOMParser().parseFromString(detail.xhr.responseText, "text/html").getElementById("plan");
  if (fresh !== null && asks(fresh) === asks(shown)) detail.shouldSwap = false;
}

/** What a card asks, and whether this person may answer. @param {HTMLElement} card */
function asks(card) {
  const addresses = [...card.querySelectorAll("form")].map((form) => form.getAttribute("action"));
  const isOff = card.querySelector("textarea:disabled") !== null;
  return JSON.stringify([card.dataset.state, addresses, isOff]);
}

/** What was typed beats what the server would begin with. */
function restoreDrafts() {
  for (const field of fields(document)) {
    const draft = sessionStorage.getItem(draftOf(field));
    if (draft !== null && field.value !== draft) field.value = draft;
  }
}

/** @param {ParentNode} within */
function fields(within) {
  return /** @type {NodeListOf<HTMLTextAreaElement>} */ (within.querySelectorAll("textarea[data-draft]"));
}

/** @param {HTMLTextAreaElement} field */
function draftOf(field) {
  return `draft:${field.dataset.draft}:${field.id}`;
}

/** An editor gives way to the answer to what was typed in it, never to a fetch that knows nothing of it. @param {Node} old @param {Node} fresh */
function isBeingEdited(old, fresh) {
  if (!(old instanceof HTMLElement) || old.dataset.editor === undefined) return false;
  return fresh instanceof HTMLElement && fresh.dataset.editor !== undefined && fresh.dataset.answers === undefined;
}

/** @param {Element} node */
function isTyped(node) {
  return (
    (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) &&
    node.type !== "hidden" &&
    node.value !== node.defaultValue
  );
}
