/**
 * The chart of scores over mission time (`ScoreData` in backend/web/pages/memory.py), drawn by uPlot.
 *
 * Most visits need no chart, so the library comes with the first one. Lines differ by dash and shade, never by hue:
 * the legend beside it, made by the server, wears the same.
 */

import { write } from "./dom.js";
import { met } from "./figures.js";

const LIBRARY = "/static/vendor/uplot/uPlot.iife.min.js";
const SHEET = "/static/vendor/uplot/uPlot.min.css";
const LEAST_PX = 120;
/** By a line's place in the legend; `static/css/memory.css` has the same. */
const MANNERS = [
  { shade: "--mark", dash: [], width: 2 },
  { shade: "--mark", dash: [7, 4], width: 1.75 },
  { shade: "--mark-2", dash: [], width: 2 },
  { shade: "--mark-2", dash: [7, 4], width: 1.75 },
  { shade: "--mark-2", dash: [2, 3], width: 2 },
  { shade: "--mark", dash: [2, 3], width: 2 },
];

/** @type {Promise<any> | null} */
let library = null;
/** @type {any} */
let plot = null;
let drawn = "";
let asked = 0;
/** @type {any} */
let data = null;

export function startScores() {
  document.body.addEventListener("htmx:afterSettle", () => void look());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  addEventListener("resize", redraw);
  void look();
}

/** Is there a chart, and is it of what the page shows now? */
async function look() {
  const figure = document.getElementById("scores");
  if (figure === null) {
    plot?.destroy();
    plot = data = null;
    drawn = "";
    return;
  }
  const address = addressOf(figure);
  if (address === drawn || address === "") return;
  drawn = address;
  const mine = (asked += 1);
  try {
    const [answer] = await Promise.all([fetch(address), load()]);
    if (!answer.ok) throw new Error(String(answer.status));
    const told = await answer.json();
    if (mine !== asked) return;
    data = told;
    redraw();
  } catch {
    if (mine !== asked) return;
    drawn = "";
    const view = document.getElementById("scores-view");
    if (data === null) write(view, "The scores did not come. They are asked for again with the next event.");
  }
}

/** With the newest event in it, so that a live chart goes on. @param {HTMLElement} figure */
function addressOf(figure) {
  const records = (figure.dataset.records ?? "").split("\n").filter(Boolean);
  if (records.length === 0) return "";
  const address = new URL(figure.dataset.source ?? "", location.href);
  for (const record of records) address.searchParams.append("record", record);
  const seq = document.getElementById("timeline")?.dataset.seq ?? "";
  address.hash = seq;
  return address.href;
}

function load() {
  library ??= new Promise((resolve, reject) => {
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: SHEET });
    const script = Object.assign(document.createElement("script"), { src: LIBRARY });
    script.onload = () => resolve(/** @type {any} */ (globalThis).uPlot);
    script.onerror = reject;
    document.head.append(sheet, script);
  });
  library.catch(() => (library = null));
  return library;
}

function redraw() {
  const view = document.getElementById("scores-view");
  const uPlot = /** @type {any} */ (globalThis).uPlot;
  if (view === null || data === null || !uPlot) return;
  plot?.destroy();
  view.replaceChildren();
  const lines = data.series.map((/** @type {any} */ each) => each.score);
  plot = new uPlot(options(view), [data.met_s, ...lines, ...(data.k ? [data.kth] : [])], view);
}

/** @param {HTMLElement} view */
function options(view) {
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => resolved(view, name);
  const font = `11px ${style.getPropertyValue("--font")}`;
  const axis = { stroke: colour("--text-3"), font, grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const named = data.series.map((/** @type {any} */ each, /** @type {number} */ index) => {
    const manner = MANNERS[index % MANNERS.length];
    return {
      label: each.entity,
      stroke: colour(manner.shade),
      width: manner.width,
      dash: manner.dash,
      points: { show: false },
      spanGaps: false,
    };
  });
  const line = { label: "K", stroke: colour("--text-2"), width: 1.5, dash: [1, 3], points: { show: false } };
  return {
    width: Math.max(LEAST_PX, view.clientWidth),
    height: view.clientHeight,
    legend: { show: false },
    cursor: { points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false }, y: { range: [0, Math.max(0.1, highest())] } },
    axes: [
      { ...axis, values: (/** @type {any} */ _, /** @type {number[]} */ splits) => splits.map(met), size: 26 },
      { ...axis, values: (/** @type {any} */ _, /** @type {number[]} */ splits) => splits.map((v) => v.toFixed(1)), size: 36 },
    ],
    series: [{}, ...named, ...(data.k ? [line] : [])],
  };
}

function highest() {
  const values = [...data.series.flatMap((/** @type {any} */ each) => each.score), ...data.kth];
  return 1.05 * Math.max(0, ...values.filter((value) => value !== null));
}

/** A token as a colour that a canvas takes: light-dark() is resolved by the element. @param {HTMLElement} at @param {string} name */
function resolved(at, name) {
  const before = at.style.color;
  at.style.color = `var(${name})`;
  const colour = getComputedStyle(at).color;
  at.style.color = before;
  return colour;
}
