/**
 * What needs a person, in any episode: how many stands in the page's title, and whoever asked for it hears a sound and
 * gets a notification of the desktop. Only what is new is told; what stood there when the page was opened is not.
 */

import { write } from "./dom.js";
import { changed } from "./panels.js";
import { visible } from "./text.js";

/**
 * @typedef {{key: string, episode: string, title: string, text: string, tone: string}} Told
 * @typedef {{version: string, queue: string, active: number, seen: number, returned: number, tone: string, items: Told[]}} Body
 */

/** Two tones up for what asks, two down for an alarm. @type {Record<string, number[]>} */
const TONES_HZ = { ask: [660, 880], caution: [660, 880], alarm: [880, 587] };
const TONE_S = 0.16;
const LOUD = 0.12;

let base = document.title;
/** @type {Body | null} */
let heard = null;
/** @type {Set<string> | null} */
let known = null;

/** The page's own title; the count stands before it. @param {string} text */
export function titled(text) {
  base = text;
  show();
}

/** @param {Body} body */
export function heardQueue(body) {
  if (heard?.queue !== body.queue) changed(["queue"]);
  if (heard !== null && heard.version !== body.version) changed(["episodes"]);
  const fresh = known === null ? [] : body.items.filter((item) => !known?.has(item.key));
  known = new Set(body.items.map((item) => item.key));
  heard = body;
  show();
  if (fresh.length > 0) void tell(fresh);
}

function show() {
  const active = heard?.active ?? 0;
  document.title = active > 0 ? `(${active}) ${base}` : base;
  const badge = document.querySelector("[data-needs]");
  if (badge && heard) {
    write(badge, String(active));
    badge.setAttribute("aria-label", `${active} need a person`);
  }
}

/** One tab of a browser tells, whichever is first. @param {Told[]} fresh */
async function tell(fresh) {
  const likes = document.documentElement.dataset;
  if (likes.notify === "on" && globalThis.Notification?.permission === "granted") fresh.forEach(notify);
  if (likes.sound !== "on") return;
  const tone = fresh.some((item) => item.tone === "alarm") ? "alarm" : "ask";
  if (!navigator.locks) return sound(tone);
  await navigator.locks.request("quarterdeck-sound", { ifAvailable: true }, async (lock) => {
    if (lock !== null) await sound(tone);
  });
}

/** Its tag makes it one, however many tabs are open. @param {Told} item */
function notify({ key, episode, title, text }) {
  const told = new Notification(visible(title).slice(0, 200), { body: visible(text).slice(0, 400), tag: key });
  told.onclick = () => {
    window.focus();
    location.assign(`/episodes/${encodeURIComponent(episode)}`);
  };
}

/** @param {string} tone */
export async function sound(tone) {
  const audio = new AudioContext();
  const gain = new GainNode(audio, { gain: LOUD });
  gain.connect(audio.destination);
  (TONES_HZ[tone] ?? TONES_HZ.ask).forEach((frequency, turn) => {
    const oscillator = new OscillatorNode(audio, { frequency });
    oscillator.connect(gain);
    oscillator.start(audio.currentTime + turn * TONE_S);
    oscillator.stop(audio.currentTime + (turn + 1) * TONE_S);
  });
  await new Promise((done) => setTimeout(done, 2000 * TONE_S));
  await audio.close();
}
