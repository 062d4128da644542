/** The timeline island: fetches `timeline.json`, draws the lanes, keeps the playhead, and lets it be dragged. */

import { missionNow } from "../clock.js";
import { failed } from "../panels.js";
import { cursor, go, setMarks, startCursor, step } from "./cursor.js";
import { axis, density, marks, phases, playhead } from "./lanes.js";

/** @typedef {import("./lanes.js").Data} Data */

const PLAY_MS = 700;
const HEAD_MS = 1000;
const MORE = 1.2;

/** @type {Data | null} */
let data = null;
let playing = 0;
let drawn = "";

export function startTimeline() {
  startCursor();
  document.body.addEventListener("qd:timeline", () => void load());
  document.body.addEventListener("htmx:afterSettle", draw);
  setInterval(moveHead, HEAD_MS);
  document.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("[data-play]");
    if (button) play(button);
  });
  place()?.addEventListener("pointerdown", drag);
  void load();
}

async function load() {
  const source = section()?.dataset.source;
  if (!source) return;
  try {
    const answer = await fetch(source);
    if (!answer.ok) throw new Error(String(answer.status));
    data = await answer.json();
  } catch {
    failed("timeline");
    return;
  }
  setMarks(data?.marks.map((mark) => mark.seq) ?? []);
  drawn = "";
  draw();
}

/** Draw again what differs: the data, or where the cursor stands. */
function draw() {
  const line = section();
  const lanes = place();
  if (data === null || line === null || lanes === null) return;
  const state = `${data.head_seq} ${cursor()}`;
  if (state === drawn && lanes.childElementCount > 0) return;
  drawn = state;
  const shown_s = shownAt(line);
  reach(shown_s);
  lanes.replaceChildren(
    phases(data, shown_s),
    marks(data, String(line.dataset.page), cursor()),
    density(data),
    axis(data),
    playhead(data, shown_s, cursor() === null),
  );
}

/** Live, the playhead and the phase that is on go on with mission time. */
function moveHead() {
  const lanes = place();
  if (data === null || lanes === null || cursor() !== null || document.hidden) return;
  const now_s = Math.max(missionNow(), data.head_met_s);
  if (now_s > data.span_s) {
    drawn = "";
    draw();
    return;
  }
  lanes.querySelector(".l-head")?.replaceWith(playhead(data, now_s, true));
  lanes.querySelector(".l-phase")?.replaceWith(phases(data, now_s));
}

/** The axis goes on while no event comes, a step of MORE at a time so that it seldom moves. @param {number} shown_s */
function reach(shown_s) {
  if (data === null) return;
  while (data.span_s < shown_s) data.span_s = Math.ceil(data.span_s * MORE);
}

/** @param {HTMLElement} line */
function shownAt(line) {
  return cursor() === null ? Math.max(missionNow(), data?.head_met_s ?? 0) : Number(line.dataset.metS);
}

/** From here on, event by event, until the end or until it is pressed again. @param {Element} button */
function play(button) {
  if (playing) return stop(button);
  button.setAttribute("aria-pressed", "true");
  playing = setInterval(() => {
    const head = Number(section()?.dataset.head);
    const at = cursor();
    if (at === null || at >= head) stop(document.querySelector("[data-play]"));
    else step(1);
  }, PLAY_MS);
}

/** @param {Element | null} button */
function stop(button) {
  clearInterval(playing);
  playing = 0;
  button?.setAttribute("aria-pressed", "false");
}

/** Press anywhere on the lanes and move: the flag follows, and the page goes there on release. @param {PointerEvent} down */
function drag(down) {
  const lanes = place();
  if (data === null || lanes === null || down.button !== 0) return;
  if (/** @type {Element} */ (down.target).closest("a")) return;
  down.preventDefault();
  const known = data;
  const box = lanes.getBoundingClientRect();
  const secondsAt = (/** @type {PointerEvent} */ event) =>
    Math.min(known.head_met_s, Math.max(0, ((event.clientX - box.left) / box.width) * known.span_s));
  const move = (/** @type {PointerEvent} */ event) =>
    lanes.querySelector(".l-head")?.replaceWith(playhead(known, secondsAt(event), false));
  const up = (/** @type {PointerEvent} */ event) => {
    lanes.removeEventListener("pointermove", move);
    const bin = known.bins[Math.min(known.bins.length - 1, Math.floor(secondsAt(event) / known.bin_s))];
    drawn = "";
    if (bin) go(Math.max(1, bin.seq));
    else draw();
  };
  lanes.setPointerCapture(down.pointerId);
  lanes.addEventListener("pointermove", move);
  lanes.addEventListener("pointerup", up, { once: true });
  move(down);
}

function section() {
  return document.getElementById("timeline");
}

function place() {
  return document.getElementById("lanes");
}
