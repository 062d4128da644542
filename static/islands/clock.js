/**
 * What ticks between two answers of the server: UTC, mission time, ages, the countdown of an approval.
 *
 * The server's stamps are authoritative: this clock only counts on from them. Mission time stands still once nothing was
 * heard for STALE_S, since nobody here knows whether it goes on; UTC and deadlines do go on.
 */

import { write } from "./dom.js";
import { age, countdown, linkAge, met } from "./figures.js";
import { STALE_S } from "./links.js";

export const TICK_MS = 200;

let offsetMs = Number(document.documentElement.dataset.serverMs) - Date.now();
/** Mission time, and when it was true. */
let mission = { met_s: 0, at: 0, from: "" };

/** The server's UTC now, in epoch milliseconds. */
export function serverNow() {
  return Date.now() + offsetMs;
}

/** @param {number} serverMs */
export function heardServer(serverMs) {
  offsetMs = serverMs - Date.now();
}

/** Any message of the live episode says how late it is. @param {number} met_s */
export function heardMission(met_s) {
  if (!isReplay()) mission = { ...mission, met_s: Math.max(met_s, mission.met_s), at: performance.now() };
}

/** Mission time as shown: replayed, or counted on from the last message. */
export function missionNow() {
  const shown = document.getElementById("met");
  if (shown === null) return 0;
  const from = `${shown.dataset.met} ${isReplay()}`;
  if (from !== mission.from) mission = { met_s: Number(shown.dataset.met), at: performance.now(), from };
  if (shown.dataset.runs !== "yes") return mission.met_s;
  return mission.met_s + Math.min((performance.now() - mission.at) / 1000, STALE_S);
}

export function tick() {
  const now = missionNow();
  write(document.getElementById("met"), met(now));
  write(document.querySelector("[data-met-now]"), met(now));
  for (const element of all("[data-age-met]")) write(element, age(now - Number(element.dataset.ageMet)));
  for (const element of all("[data-stale-met]")) {
    element.classList.toggle("aged", now - Number(element.dataset.staleMet) >= STALE_S);
  }
  const utc = serverNow();
  for (const element of all("[data-utc]")) write(element, new Date(utc).toISOString().slice(11, 19));
  for (const element of all("[data-age-utc]")) write(element, linkAge((utc - Number(element.dataset.ageUtc)) / 1000));
  for (const element of all("[data-ends-ms]")) count(element, (Number(element.dataset.endsMs) - utc) / 1000);
}

/** @param {HTMLElement} element @param {number} left_s */
function count(element, left_s) {
  write(element.querySelector("[data-left]"), countdown(left_s));
  const share = Math.min(1, Math.max(0, left_s / Number(element.dataset.totalS)));
  element.querySelector(".meter-fill")?.setAttribute("width", `${(100 * share).toFixed(1)}%`);
}

function isReplay() {
  return document.getElementById("console")?.dataset.at !== undefined;
}

/** @param {string} selector */
function all(selector) {
  return /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector));
}
