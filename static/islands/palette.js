/**
 * The command palette: Ctrl K, a few letters, Enter. It presses the page's own buttons and follows its own links, so that
 * it can do nothing that the page would not. Approve is not in it: whoever approves looks at the plan.
 */

import { html, write } from "./dom.js";

/**
 * @typedef {{label: string, keys?: string, run: () => void}} Command
 */

const SHOWN = 12;

/** @type {(() => Command[])[]} */
const sources = [everywhere];
/** @type {HTMLDialogElement | null} */
let dialog = null;
/** @type {Command[]} */
let found = [];
let chosen = 0;

/** @param {() => Command[]} source Asked each time that the palette opens. */
export function addCommands(source) {
  sources.push(source);
}

export function startPalette() {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      open();
    }
  });
  document.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("[data-palette]")) open();
  });
}

/** @param {string} selector @param {string} label @param {string} [keys] A command that presses what is there and enabled. */
export function press(selector, label, keys) {
  const target = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  const isOff = target === null || target.matches(":disabled") || !target.checkVisibility();
  return isOff ? [] : [{ label, keys, run: () => target.click() }];
}

function everywhere() {
  const links = [...document.querySelectorAll(".appnav a, .crumbs a")].map((link) => ({
    label: `Go to ${link.firstChild?.textContent?.trim() ?? ""}`,
    run: () => /** @type {HTMLElement} */ (link).click(),
  }));
  const themes = ["System", "Light", "Dark"].flatMap((theme) => {
    const input = /** @type {HTMLElement | null} */ (
      document.querySelector(`[data-theme-choice] input[value=${theme.toLowerCase()}]`)
    );
    return input === null ? [] : [{ label: `Theme: ${theme.toLowerCase()}`, run: () => input.click() }];
  });
  return [
    ...links,
    ...press("#queue summary", "What needs a person", "Q"),
    { label: "All episodes", run: () => location.assign("/episodes") },
    { label: "New episode", run: () => location.assign("/episodes/new") },
    { label: "Search all episodes", run: () => location.assign("/search") },
    { label: "What mentions me", run: () => location.assign(`/search?${new URLSearchParams({ q: `mention:"${me()}"` })}`) },
    ...themes,
    { label: "List the keys", keys: "?", run: () => /** @type {any} */ (document.querySelector("[data-keys]"))?.click() },
  ];
}

/** Who is signed in. */
function me() {
  return document.documentElement.dataset.user ?? "";
}

export function open() {
  dialog ??= build();
  if (dialog.open) return;
  const all = sources.flatMap((source) => source());
  const field = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
  field.value = "";
  field.oninput = () => list(all, field.value);
  list(all, "");
  dialog.showModal();
  field.focus();
}

/** @param {Command[]} all @param {string} text */
function list(all, text) {
  found = ranked(all, text).slice(0, SHOWN);
  chosen = 0;
  const place = /** @type {HTMLElement} */ (dialog?.querySelector("[role=listbox]"));
  place.replaceChildren(...found.map(option));
  write(
    /** @type {Element} */ (dialog?.querySelector("[role=status]")),
    found.length ? "" : "No command is called that.",
  );
  mark();
}

/** All the letters in their order; the earlier and closer together, the better. @param {Command[]} all @param {string} text */
export function ranked(all, text) {
  const letters = [...text.trim().toLowerCase()].filter((letter) => letter !== " ");
  const scored = all.map((command, place) => ({ command, place, score: score(command.label.toLowerCase(), letters) }));
  return scored
    .filter((each) => each.score !== null)
    .sort((a, b) => Number(a.score) - Number(b.score) || a.place - b.place)
    .map((each) => each.command);
}

/** @param {string} label @param {string[]} letters */
function score(label, letters) {
  let at = -1;
  let sum = 0;
  for (const letter of letters) {
    const next = label.indexOf(letter, at + 1);
    if (next < 0) return null;
    const isWordStart = next === 0 || label[next - 1] === " ";
    sum += isWordStart ? 0 : next - at;
    at = next;
  }
  return sum;
}

/** @param {Command} command @param {number} index */
function option(command, index) {
  const keys = command.keys ? html("kbd", {}, command.keys) : null;
  const made = html("li", { role: "option", id: `command-${index}` }, html("span", {}, command.label), keys);
  made.addEventListener("click", () => run(index));
  return made;
}

function mark() {
  const options = [...(dialog?.querySelectorAll("[role=option]") ?? [])];
  options.forEach((each, index) => each.setAttribute("aria-selected", String(index === chosen)));
  const field = dialog?.querySelector("input");
  if (options.length) field?.setAttribute("aria-activedescendant", `command-${chosen}`);
  else field?.removeAttribute("aria-activedescendant");
}

/** @param {number} index */
function run(index) {
  const command = found[index];
  dialog?.close();
  command?.run();
}

function build() {
  const field = html("input", {
    type: "text",
    role: "combobox",
    "aria-label": "Command",
    "aria-expanded": "true",
    "aria-controls": "commands",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "What do you want to do?",
  });
  const options = html("ul", { role: "listbox", id: "commands", "aria-label": "Commands" });
  const made = /** @type {HTMLDialogElement} */ (
    html("dialog", { class: "palette", "aria-label": "Commands" }, field, options, html("p", { role: "status" }))
  );
  field.addEventListener("keydown", (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[/** @type {KeyboardEvent} */ (event).key];
    if (way !== undefined && found.length) chosen = (chosen + way + found.length) % found.length;
    else if (/** @type {KeyboardEvent} */ (event).key === "Enter") run(chosen);
    else return;
    event.preventDefault();
    mark();
  });
  made.addEventListener("click", (event) => event.target === made && made.close());
  document.body.append(made);
  return made;
}
