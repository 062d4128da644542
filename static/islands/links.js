/**
 * How old each link is: browser to server by the last message of any kind, the others as the server reports them,
 * growing here in between. From STALE_S the value stays, dimmed and hatched, with its age; from LOST_S in alarm, save
 * for a source: a drone that is late is only late, while somebody must go and look for a robot that is silent.
 */

import { write } from "./dom.js";
import { linkAge } from "./figures.js";

export const STALE_S = 3;
const LOST_S = 10;
/** From here on the page says what it means that a source is silent. */
const QUIET_S = 30;
const SHAPE = { fresh: "fresh", stale: "stale", down: "bad" };
const WORD = { fresh: "", stale: "stale", down: "lost" };

/** By link: its age when it was reported, and when that was. @type {Map<string, {age_s: number | null, at: number}>} */
const reported = new Map();
let lastMessage = performance.now();

/** Seconds without a message from the server. A page without a live socket counts from its last answer. */
export function silenceS() {
  return (performance.now() - lastMessage) / 1000;
}

export function heardAnything() {
  lastMessage = performance.now();
}

/** @param {Record<string, number | null>} ages_s @returns {boolean} whether one of these links has no place on the page yet */
export function heardAges(ages_s) {
  const at = performance.now();
  let isNew = false;
  for (const [key, age_s] of Object.entries(ages_s)) {
    isNew ||= !reported.has(key) && document.querySelector(`[data-link="${CSS.escape(key)}"]`) === null;
    reported.set(key, { age_s, at });
  }
  return isNew;
}

export function drawLinks() {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-link]"))) {
    const age_s = ageOf(element);
    if (age_s !== null) draw(element, age_s);
  }
  const readings = document.getElementById("readings");
  const link = document.querySelector(`[data-link="robot:${CSS.escape(readings?.dataset.robot ?? "")}"]`);
  const source = [...reported].find(([key, known]) => key.startsWith("source:") && quietS(known) >= QUIET_S);
  const note = document.getElementById("source-note");
  if (note) note.hidden = source === undefined;
  if (readings && link) readings.classList.toggle("is-aged", !link.matches(":not(.is-stale, .is-down)"));
}

/** @param {{age_s: number | null, at: number}} known */
function quietS({ age_s, at }) {
  return age_s === null ? 0 : age_s + (performance.now() - at) / 1000;
}

/** Null where nothing is expected, so that the server's words stay. @param {HTMLElement} element */
function ageOf(element) {
  const key = element.dataset.link ?? "";
  if (key === "server") return silenceS();
  const known = reported.get(key) ?? firstSeen(element, key);
  return known.age_s === null ? null : known.age_s + (performance.now() - known.at) / 1000;
}

/** @param {HTMLElement} element @param {string} key */
function firstSeen(element, key) {
  const age_s = element.dataset.ageS === undefined ? null : Number(element.dataset.ageS);
  const known = { age_s, at: performance.now() };
  reported.set(key, known);
  return known;
}

/** @param {HTMLElement} element @param {number} age_s */
function draw(element, age_s) {
  const mayBeLost = !element.dataset.link?.startsWith("source:");
  const state = mayBeLost && age_s >= LOST_S ? "down" : age_s >= STALE_S ? "stale" : "fresh";
  element.classList.toggle("is-stale", state === "stale");
  element.classList.toggle("is-down", state === "down");
  element.querySelector("use")?.setAttribute("href", `#i-${SHAPE[state]}`);
  write(element.querySelector("[data-link-age]"), linkAge(age_s));
  write(element.querySelector(".link-tag"), WORD[state]);
}
