/**
 * Edits that nobody saved outlive the page: they are kept for this person and episode, in every tab of the browser, until
 * they are saved or discarded. While there are some, the plan that they were made of is shown in its editor, so that it
 * cannot be approved as if they were not there.
 */

/** @typedef {{base: string, fields: [string, string][]}} Draft */

/** Whether anything in the open editor is a person's. */
let isDirty = false;
/** Whether they came from what is kept: another tab may save or discard them before an answer is here. */
let isRestored = false;

export function startEditor() {
  const restore = () => setTimeout(restoreDraft);
  document.body.addEventListener("input", (event) => keep(event.target));
  document.body.addEventListener("htmx:afterSettle", () => (keepAnswer(), restoreDraft()));
  document.body.addEventListener("htmx:afterRequest", (event) => forgetSaved(/** @type {CustomEvent} */ (event)));
  document.addEventListener("click", (event) => {
    const pressed = event.target instanceof Element ? event.target : null;
    if (pressed?.closest("[data-discard]")) forget();
    if (pressed?.closest("#editor [name=op]")) isDirty = true;
  });
  addEventListener("storage", (event) => (event.key === key() && event.newValue === null ? giveUp() : restore()));
  restore();
}

/** @returns {HTMLFormElement | null} */
function editor() {
  return /** @type {HTMLFormElement | null} */ (document.getElementById("editor"));
}

/** @param {EventTarget | null} target */
function keep(target) {
  const form = editor();
  if (form === null || !(target instanceof Element) || target.closest("#editor") === null) return;
  isDirty = true;
  store(form);
}

/** A step that was added, moved or removed is an edit as much as a letter typed. */
function keepAnswer() {
  const form = editor();
  if (form === null || form.dataset.answers === undefined || !isDirty) return;
  if (isRestored && kept() === null) {
    giveUp();
    return;
  }
  if (form.dataset.unchanged === undefined) store(form);
  else forget();
}

/** @param {HTMLFormElement} form */
function store(form) {
  const fields = [...new FormData(form)].filter((pair) => typeof pair[1] === "string");
  const base = form.dataset.base ?? "";
  localStorage.setItem(key(), JSON.stringify({ base, fields }));
}

function key() {
  const episode = document.getElementById("console")?.dataset.episode ?? "";
  return `edits:${document.documentElement.dataset.user ?? ""}:${episode}`;
}

/** They were saved or discarded in another tab. */
function giveUp() {
  isDirty = isRestored = false;
  document.getElementById("editor-discard")?.click();
}

export function forget() {
  isDirty = isRestored = false;
  localStorage.removeItem(key());
}

/** @returns {Draft | null} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(key()) ?? "null");
  } catch {
    return null;
  }
}

/** @param {CustomEvent} event */
function forgetSaved(event) {
  const { requestConfig, xhr } = event.detail;
  const pressed = requestConfig?.elt;
  if (pressed instanceof Element && pressed.matches("[data-save]") && xhr.status === 200) forget();
}

/** Open the editor where its plan is shown, and put into it what was typed. */
function restoreDraft() {
  const draft = kept();
  if (draft === null) return;
  const form = editor();
  const opener = document.getElementById("edit-plan");
  if (form === null) {
    const fits = opener !== null && (opener.dataset.edits === draft.base || opener.dataset.edits === "");
    if (fits && opener.dataset.opened === undefined) {
      opener.dataset.opened = "";
      opener.click();
    }
    return;
  }
  if (isDirty || form.dataset.asked !== undefined) return;
  isDirty = isRestored = true;
  form.dataset.asked = "";
  ask(form, draft);
}

/** @param {HTMLFormElement} form @param {Draft} draft */
function ask(form, draft) {
  /** @type {Record<string, string | string[]>} */
  const values = {};
  for (const [name, value] of draft.fields) {
    const before = values[name];
    values[name] = before === undefined ? value : [before, value].flat();
  }
  const htmx = /** @type {any} */ (globalThis).htmx;
  htmx.ajax("POST", form.getAttribute("action"), { target: "#editor", swap: "morph", values });
}
