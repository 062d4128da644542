/**
 * Swaps change what differs and leave the rest: focus, open menus, scroll positions, and what a person has typed.
 *
 * Islands draw their own insides, so a swap goes round them. Typed text outlives the card it was typed in: it is kept
 * for the tab until the form it belongs to was accepted.
 */

/** @type {any} */
const idiomorph = /** @type {any} */ (globalThis).Idiomorph;

export function startMorph() {
  idiomorph.defaults.callbacks = {
    ...idiomorph.defaults.callbacks,
    beforeNodeMorphed: (/** @type {Node} */ old) => !(old instanceof HTMLElement && old.dataset.island !== undefined),
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
  document.body.addEventListener("htmx:afterSettle", restoreDrafts);
  restoreDrafts();
}

function restoreDrafts() {
  for (const field of fields(document)) {
    const draft = sessionStorage.getItem(draftOf(field));
    if (draft && !isTyped(field) && field.value === "") field.value = draft;
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

/** @param {Element} node */
function isTyped(node) {
  return (
    (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) &&
    node.type !== "hidden" &&
    node.value !== node.defaultValue
  );
}
