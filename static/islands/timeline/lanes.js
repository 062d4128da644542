/** Drawing the lanes from `TimelineData` (backend/web/pages/timeline.py). Places are shares of the whole axis. */

import { shape, svg } from "../dom.js";
import { met } from "../figures.js";

/**
 * @typedef {{start_s: number, end_s: number, kind: string}} Phase
 * @typedef {{seq: number, met_s: number, kind: string, label: string}} Mark
 * @typedef {{evidence: number, seq: number}} Bin
 * @typedef {{head_seq: number, head_met_s: number, span_s: number, phases: Phase[], marks: Mark[], bin_s: number, bins: Bin[]}} Data
 */

/** @type {Record<string, string>} */
const PHASE = { planning: "ph-plan", waiting: "ph-wait", asking: "ph-ask", executing: "ph-exec", held: "ph-hold" };
/** @type {Record<string, string>} */
const SHAPE = {
  plan: "plan",
  replan: "replan",
  failure: "fail",
  delivery: "delivered",
  rejected: "reject",
  hold: "held",
};
const TICKS = 15;
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
/** So that a wait in a world that stands still meanwhile is seen. */
const LEAST_PX = 2;

/** The last phase goes on until now. @param {Data} data @param {number} now_s */
export function phases(data, now_s) {
  const lane = svg("svg", { class: "lane l-phase", role: "img", "aria-label": "Phases of the episode" });
  const future = Math.max(now_s, data.head_met_s);
  lane.append(
    svg("rect", { class: "future", x: at(data, future), width: span(data, data.span_s - future), height: 10 }),
  );
  for (const { start_s, end_s, kind } of data.phases) {
    const until_s = end_s >= data.head_met_s ? Math.max(end_s, now_s) : end_s;
    const width = until_s > start_s ? span(data, until_s - start_s) : LEAST_PX;
    lane.append(svg("rect", { class: PHASE[kind], x: at(data, start_s), width, height: 10 }));
  }
  return lane;
}

/** @param {Data} data @param {string} page @param {number | null} cursor */
export function marks(data, page, cursor) {
  const lane = svg("svg", { class: "lane l-marks", role: "group", "aria-label": "Events" });
  lane.append(svg("line", { class: "rule", x1: 0, x2: at(data, data.head_met_s), y1: 10, y2: 10 }));
  for (const { seq, met_s, kind, label } of data.marks) {
    const words = `${met(met_s)} ${label}`;
    const later = cursor !== null && seq > cursor ? " is-later" : "";
    const caution = kind === "failure" ? " is-caution" : "";
    const link = svg(
      "a",
      { class: `mk${caution}${later}`, href: `${page}?at=${seq}`, "data-step": seq, "aria-label": words },
      svg("title", {}, words),
      svg("rect", { class: "hit", x: -10, y: -11, width: 20, height: 22 }),
      shape(SHAPE[kind], { x: -6.5, y: -6.5, width: 13, height: 13 }),
    );
    lane.append(svg("svg", { x: at(data, met_s), y: 10, overflow: "visible" }, link));
  }
  return lane;
}

/** @param {Data} data */
export function density(data) {
  const lane = svg("svg", {
    class: "lane l-dens",
    role: "img",
    "aria-label": `Evidence received, per ${data.bin_s} seconds`,
  });
  const most = Math.max(1, ...data.bins.map((bin) => bin.evidence));
  data.bins.forEach((bin, index) => {
    if (bin.evidence === 0) return;
    const height = Math.max(1, (bin.evidence / most) * 20);
    const width = span(data, data.bin_s * 0.63);
    lane.append(svg("rect", { x: at(data, index * data.bin_s), width, y: 22 - height, height }));
  });
  return lane;
}

/** @param {Data} data */
export function axis(data) {
  const lane = svg("svg", { class: "lane l-axis", "aria-hidden": "true" });
  const step_s = STEPS_S.find((each) => data.span_s / each <= TICKS) ?? STEPS_S[STEPS_S.length - 1];
  for (let s = 0; s <= data.span_s; s += step_s) {
    const anchor = s === 0 ? null : s + step_s > data.span_s ? "end" : "middle";
    lane.append(svg("rect", { x: at(data, s), width: 1, y: 0, height: 3 }));
    lane.append(svg("text", { x: at(data, s), y: 11, "text-anchor": anchor }, short(s)));
  }
  return lane;
}

/** The playhead: black and LIVE, or violet with the time replayed, with live's own thin line beside it. */
/** @param {Data} data @param {number} shown_s @param {boolean} isLive */
export function playhead(data, shown_s, isLive) {
  const lane = svg("svg", { class: "lane l-head", "aria-hidden": "true" });
  if (!isLive) {
    const live = svg(
      "g",
      { class: "livehead" },
      svg("rect", { x: -0.5, y: 14, width: 1, height: 66 }),
      svg("text", { x: 6, y: 12 }, "live"),
    );
    lane.append(svg("svg", { x: at(data, data.head_met_s), overflow: "visible" }, live));
  }
  const half = isLive ? 17 : 30;
  const head = svg(
    "g",
    { class: "playhead" },
    svg("rect", { class: "ph-line2", x: -0.75, y: 14, width: 1.5, height: 66 }),
    svg("rect", { class: "ph-flag", x: -half, y: 0, width: 2 * half, height: 16, rx: 2 }),
    svg("text", { x: 0, y: 12, "text-anchor": "middle" }, isLive ? "LIVE" : met(shown_s)),
  );
  lane.append(svg("svg", { x: at(data, shown_s), overflow: "visible" }, head));
  return lane;
}

/** 14:00, or 1:14:00 in a long episode. @param {number} s */
function short(s) {
  return met(s).replace(/^00:/, "");
}

/** @param {Data} data @param {number} s */
function at(data, s) {
  return `${Math.min(100, (100 * s) / data.span_s).toFixed(2)}%`;
}

/** @param {Data} data @param {number} s */
function span(data, s) {
  return `${Math.max(0, (100 * s) / data.span_s).toFixed(2)}%`;
}
