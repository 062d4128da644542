/** The timeline island: fetches `timeline.json`, draws the lanes, keeps the playhead, and lets it be dragged, zoomed and played. */

import { missionNow } from "../clock.js";
import { failed } from "../panels.js";
import { restful } from "../restful.js";
import { cursor, go, setMarks, startCursor, stepMark } from "./cursor.js";
import { axis, density, marks, phases, playhead } from "./lanes.js";
import { player, seqAt } from "./play.js";
import { isWhole, panned, showing, whole, zoomed } from "./window.js";

/** @typedef {import("./lanes.js").Data} Data */

const HEAD_MS = 1000;
const MORE = 1.2;
const CLOSER = 0.5;
const WHEEL = 1.0015;

/** @type {Data | null} */
let data = null;
let drawn = "";
/** Null while the whole episode is shown, however long it grows. @type {import("./window.js").Window | null} */
let zoom = null;

const playing = player({
  ticks: () => data?.ticks ?? [],
  cursor,
  head: () => Number(section()?.dataset.head),
  met_s: () => Number(section()?.dataset.metS),
  isBusy: () => document.querySelector("#timeline.htmx-request") !== null,
  go,
  shown: (isPlaying) => document.querySelector("[data-play]")?.setAttribute("aria-pressed", String(isPlaying)),
});

const load = restful(fetchOnce);

export function startTimeline() {
  startCursor();
  document.body.addEventListener("qd:timeline", () => void load());
  document.body.addEventListener("htmx:afterSettle", settled);
  setInterval(moveHead, HEAD_MS);
  document.addEventListener("click", clicked);
  document.getElementById("tl-speed")?.addEventListener("change", (event) => {
    playing.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.target).value));
  });
  place()?.addEventListener("pointerdown", drag);
  place()?.addEventListener("wheel", wheel, { passive: false });
  addEventListener("resize", draw);
  void load();
}

async function fetchOnce() {
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
  setMarks(data?.marks ?? []);
  drawn = "";
  draw();
}

/** A step of the replay has come: show where it stands, and that it plays on. */
function settled() {
  draw();
  if (cursor() === null && playing.isPlaying()) playing.stop();
  document.querySelector("[data-play]")?.setAttribute("aria-pressed", String(playing.isPlaying()));
}

/** Draw again what differs: the data, the window, its width, or where the cursor stands. */
function draw() {
  const line = section();
  const lanes = place();
  if (data === null || line === null || lanes === null) return;
  if (drawn === stateOf(data, lanes) && lanes.childElementCount > 0) return;
  const shown_s = shownAt(line);
  reach(shown_s);
  if (zoom !== null) zoom = showing(zoom, shown_s, data.span_s);
  paint(data, lanes);
}

/** What decides how the lanes look, beside the playhead of a live episode. @param {Data} known @param {HTMLElement} lanes */
function stateOf(known, lanes) {
  return `${known.head_seq} ${cursor()} ${zoom?.from_s} ${zoom?.span_s} ${lanes.clientWidth}`;
}

/** Live, the playhead and the phase that is on go on with mission time. */
function moveHead() {
  const lanes = place();
  if (data === null || lanes === null || cursor() !== null || document.hidden) return;
  const now_s = Math.max(missionNow(), data.head_met_s);
  const window = view(data);
  if (now_s > data.span_s || now_s > window.from_s + window.span_s) {
    drawn = "";
    draw();
    return;
  }
  lanes.querySelector(".l-head")?.replaceWith(playhead(data, window, now_s, true));
  lanes.querySelector(".l-phase")?.replaceWith(phases(data, window, now_s));
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

/** @param {MouseEvent} event */
function clicked(event) {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-play]")) playing.toggle();
  const jump = target.closest("[data-jump]")?.getAttribute("data-jump");
  if (jump) stepMark(Number(jump), /** @type {HTMLSelectElement} */ (document.getElementById("tl-kind")).value);
  const how = target.closest("[data-zoom]")?.getAttribute("data-zoom");
  if (how) zoomTo(how);
}

/** By its buttons the timeline zooms about the playhead. @param {string} how */
export function zoomTo(how) {
  const line = section();
  if (data === null || line === null) return;
  const factor = how === "in" ? CLOSER : 1 / CLOSER;
  zoom = how === "all" ? null : zoomed(view(data), factor, shownAt(line), data.span_s);
  if (zoom !== null && isWhole(zoom, data.span_s)) zoom = null;
  draw();
}

/** The wheel zooms about the pointer, and pans where it turns sideways or with Shift. @param {WheelEvent} event */
function wheel(event) {
  const lanes = place();
  if (data === null || lanes === null || event.ctrlKey) return;
  event.preventDefault();
  const box = lanes.getBoundingClientRect();
  const window = view(data);
  const sideways = event.shiftKey ? event.deltaY : event.deltaX;
  if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
    zoom = panned(window, (sideways / box.width) * window.span_s, data.span_s);
  } else {
    const at_s = window.from_s + ((event.clientX - box.left) / box.width) * window.span_s;
    zoom = zoomed(window, WHEEL ** event.deltaY, at_s, data.span_s);
  }
  if (isWhole(zoom, data.span_s)) zoom = null;
  paint(data, lanes);
}

/** Draw the window as it is, wherever the playhead stands. @param {Data} known @param {HTMLElement} lanes */
function paint(known, lanes) {
  const line = section();
  if (line === null) return;
  const window = view(known);
  const shown_s = shownAt(line);
  drawn = stateOf(known, lanes);
  lanes.replaceChildren(
    phases(known, window, shown_s),
    marks(known, window, String(line.dataset.page), cursor(), lanes.clientWidth),
    density(known, window),
    axis(window, lanes.clientWidth),
    playhead(known, window, shown_s, cursor() === null),
  );
}

/** Press anywhere on the lanes and move: the flag follows, and the page goes there on release. @param {PointerEvent} down */
function drag(down) {
  const lanes = place();
  if (data === null || lanes === null || down.button !== 0) return;
  if (/** @type {Element} */ (down.target).closest("a")) return;
  down.preventDefault();
  playing.stop();
  const known = data;
  const window = view(known);
  const box = lanes.getBoundingClientRect();
  const secondsAt = (/** @type {PointerEvent} */ event) => {
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    return Math.min(known.head_met_s, window.from_s + share * window.span_s);
  };
  const move = (/** @type {PointerEvent} */ event) =>
    lanes.querySelector(".l-head")?.replaceWith(playhead(known, window, secondsAt(event), false));
  const up = (/** @type {PointerEvent} */ event) => {
    lanes.removeEventListener("pointermove", move);
    drawn = "";
    const seq = Math.max(1, seqAt(known.ticks, secondsAt(event)));
    if (seq === cursor()) draw();
    else go(seq);
  };
  lanes.setPointerCapture(down.pointerId);
  lanes.addEventListener("pointermove", move);
  lanes.addEventListener("pointerup", up, { once: true });
  move(down);
}

/** @param {Data} known */
function view(known) {
  return zoom ?? whole(known.span_s);
}

function section() {
  return document.getElementById("timeline");
}

function place() {
  return document.getElementById("lanes");
}
