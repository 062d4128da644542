/** Drawing the lanes from `TimelineData` (backend/web/pages/timeline.py). Places are shares of the window shown. */

import { shape, svg } from "../dom.js";
import { met } from "../figures.js";

/**
 * @typedef {{start_s: number, end_s: number, kind: string}} Phase
 * @typedef {{seq: number, met_s: number, kind: string, label: string}} Mark
 * @typedef {{evidence: number, seq: number}} Bin
 * @typedef {{head_seq: number, head_met_s: number, span_s: number, phases: Phase[], marks: Mark[], bin_s: number, bins: Bin[], ticks: [number, number][], spans: {start_s: number, end_s: number, label: string}[]}} Data
 * @typedef {import("./window.js").Window} Window
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
  operator: "person",
  annotation: "note",
};
/** Of marks that share a place, the one that is drawn. */
const FOREMOST = ["failure", "hold", "rejected", "annotation", "replan", "delivery", "plan", "operator"];
/** A time on the axis with room beside it. */
const TICK_PX = 60;
const TICKS = { least: 3, most: 15 };
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
/** So that a wait in a world that stands still meanwhile is seen. */
const LEAST_PX = 2;
/** Marks nearer to each other than this are drawn as one. */
const TOGETHER_PX = 11;
const TOLD = 6;

/** The last phase goes on until now. @param {Data} data @param {Window} window @param {number} now_s */
export function phases(data, window, now_s) {
  const lane = svg("svg", { class: "lane l-phase", role: "img", "aria-label": "Phases of the episode" });
  const future = Math.max(now_s, data.head_met_s);
  lane.append(bar(window, "future", future, Math.max(future, data.span_s)));
  for (const { start_s, end_s, kind } of data.phases) {
    const until_s = end_s >= data.head_met_s ? Math.max(end_s, now_s) : end_s;
    if (until_s < window.from_s || start_s > window.from_s + window.span_s) continue;
    lane.append(bar(window, PHASE[kind], start_s, until_s));
  }
  return lane;
}

/** @param {Data} data @param {Window} window @param {string} page @param {number | null} cursor @param {number} width_px */
export function marks(data, window, page, cursor, width_px) {
  const lane = svg("svg", { class: "lane l-marks", role: "group", "aria-label": "Events" });
  lane.append(svg("line", { class: "rule", x1: 0, x2: at(window, data.head_met_s), y1: 10, y2: 10 }));
  for (const span of data.spans) {
    if (span.end_s < window.from_s || span.start_s > window.from_s + window.span_s) continue;
    const line = bar(window, "mk-span", span.start_s, span.end_s);
    line.setAttribute("y", "18");
    line.setAttribute("height", "2");
    line.append(svg("title", {}, span.label));
    lane.append(line);
  }
  const least_s = (TOGETHER_PX / Math.max(1, width_px)) * window.span_s;
  for (const group of together(data.marks.filter(shown(window)), least_s)) lane.append(mark(group, window, page, cursor));
  return lane;
}

/** Marks in order, those that lie close together as one group. @param {Mark[]} marks @param {number} least_s @returns {Mark[][]} */
export function together(marks, least_s) {
  /** @type {Mark[][]} */
  const groups = [];
  for (const each of marks) {
    const last = groups[groups.length - 1];
    if (last && each.met_s - last[0].met_s < least_s) last.push(each);
    else groups.push([each]);
  }
  return groups;
}

/** @param {Mark[]} group @param {Window} window @param {string} page @param {number | null} cursor */
function mark(group, window, page, cursor) {
  const first = [...group].sort((a, b) => FOREMOST.indexOf(a.kind) - FOREMOST.indexOf(b.kind))[0];
  const words = group.slice(0, TOLD).map(({ met_s, label }) => `${met(met_s)} ${label}`);
  if (group.length > TOLD) words.push(`and ${group.length - TOLD} more`);
  const later = cursor !== null && first.seq > cursor ? " is-later" : "";
  const caution = first.kind === "failure" ? " is-caution" : "";
  const link = svg(
    "a",
    {
      class: `mk${caution}${later}`,
      href: `${page}?at=${first.seq}`,
      "data-step": first.seq,
      "data-marks": group.length,
      "aria-label": words.join(", "),
    },
    svg("title", {}, words.join("\n")),
    svg("rect", { class: "hit", x: -10, y: -11, width: 20, height: 22 }),
    shape(SHAPE[first.kind], { x: -6.5, y: -6.5, width: 13, height: 13 }),
    group.length > 1 ? svg("path", { class: "more", d: "M5-8v5M2.500-5.500h5" }) : null,
  );
  return svg("svg", { x: at(window, first.met_s), y: 10, overflow: "visible" }, link);
}

/** @param {Data} data @param {Window} window */
export function density(data, window) {
  const lane = svg("svg", {
    class: "lane l-dens",
    role: "img",
    "aria-label": `Evidence received, per ${data.bin_s} seconds`,
  });
  const most = Math.max(1, ...data.bins.map((bin) => bin.evidence));
  data.bins.forEach((bin, index) => {
    const start_s = index * data.bin_s;
    if (bin.evidence === 0 || !shown(window)({ met_s: start_s })) return;
    const height = Math.max(1, (bin.evidence / most) * 20);
    lane.append(svg("rect", { x: at(window, start_s), width: span(window, data.bin_s * 0.63), y: 22 - height, height }));
  });
  return lane;
}

/** As many times as can be read beside each other. @param {Window} window @param {number} width_px */
export function axis(window, width_px) {
  const lane = svg("svg", { class: "lane l-axis", "aria-hidden": "true" });
  const most = Math.min(TICKS.most, Math.max(TICKS.least, Math.floor(width_px / TICK_PX)));
  const step_s = STEPS_S.find((each) => window.span_s / each <= most) ?? STEPS_S[STEPS_S.length - 1];
  const end_s = window.from_s + window.span_s;
  for (let s = Math.ceil(window.from_s / step_s) * step_s; s <= end_s; s += step_s) {
    const anchor = s - window.from_s < 0.02 * window.span_s ? null : s + step_s > end_s ? "end" : "middle";
    lane.append(svg("rect", { x: at(window, s), width: 1, y: 0, height: 3 }));
    lane.append(svg("text", { x: at(window, s), y: 11, "text-anchor": anchor }, short(s)));
  }
  return lane;
}

/** The playhead: black and LIVE, or violet with the time replayed, with live's own thin line beside it. */
/** @param {Data} data @param {Window} window @param {number} shown_s @param {boolean} isLive */
export function playhead(data, window, shown_s, isLive) {
  const lane = svg("svg", { class: "lane l-head", "aria-hidden": "true" });
  if (!isLive && shown(window)({ met_s: data.head_met_s })) {
    const live = svg(
      "g",
      { class: "livehead" },
      svg("rect", { x: -0.5, y: 14, width: 1, height: 66 }),
      svg("text", { x: 6, y: 12 }, "live"),
    );
    lane.append(svg("svg", { x: at(window, data.head_met_s), overflow: "visible" }, live));
  }
  if (!shown(window)({ met_s: shown_s })) return lane;
  const half = isLive ? 17 : 30;
  const head = svg(
    "g",
    { class: "playhead" },
    svg("rect", { class: "ph-line2", x: -0.75, y: 14, width: 1.5, height: 66 }),
    svg("rect", { class: "ph-flag", x: -half, y: 0, width: 2 * half, height: 16, rx: 2 }),
    svg("text", { x: 0, y: 12, "text-anchor": "middle" }, isLive ? "LIVE" : met(shown_s)),
  );
  lane.append(svg("svg", { x: at(window, shown_s), overflow: "visible" }, head));
  return lane;
}

/** A stretch of the first lane, cut off where the window ends. @param {Window} window @param {string} name @param {number} start_s @param {number} end_s */
function bar(window, name, start_s, end_s) {
  const from_s = Math.max(start_s, window.from_s);
  const until_s = Math.min(end_s, window.from_s + window.span_s);
  const width = until_s > from_s ? span(window, until_s - from_s) : LEAST_PX;
  return svg("rect", { class: name, x: at(window, from_s), width, height: 10 });
}

/** @param {Window} window */
function shown({ from_s, span_s }) {
  return (/** @type {{met_s: number}} */ { met_s }) => met_s >= from_s && met_s <= from_s + span_s;
}

/** 14:00, or 1:14:00 in a long episode. @param {number} s */
function short(s) {
  return met(s).replace(/^00:/, "");
}

/** @param {Window} window @param {number} s */
function at(window, s) {
  return `${Math.min(100, (100 * (s - window.from_s)) / window.span_s).toFixed(2)}%`;
}

/** @param {Window} window @param {number} s */
function span(window, s) {
  return `${Math.max(0, (100 * s) / window.span_s).toFixed(2)}%`;
}
