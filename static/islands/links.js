/**
 * How old each link is: browser to server by the last message of any kind, the others as the server reports them,
 * growing here in between. From STALE_S the value stays, dimmed and hatched, with its age; from LOST_S in alarm, save
 * for a source: a drone that is late is only late, while somebody must go and look for a robot that is silent.
 */

import { write } from "./dom.js";
import { linkAge } from "./figures.js";

export const STALE_S = 3;
const LOST_S = 10;
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

/** @param {Record<string, number | null>} ages_s */
export function heardAges(ages_s) {
  const at = performance.now();
  for (const [key, age_s] of Object.entries(ages_s)) reported.set(key, { age_s, at });
}

export function drawLinks() {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-link]"))) {
    const age_s = ageOf(element);
    if (age_s !== null) draw(element, age_s);
  }
  const readings = document.getElementById("readings");
  const link = document.querySelector(`[data-link="robot:${CSS.escape(readings?.dataset.robot ?? "")}"]`);
  if (readings && link) readings.classList.toggle("is-aged", !link.matches(":not(.is-stale, .is-down)"));
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
