/** The marks: entities, stations, robots, waypoints. Sizes are pixels, whatever the zoom; what they say is in the data. */

import { missionNow } from "../clock.js";
import { shape, svg } from "../dom.js";
import { age } from "../figures.js";
import { LETTER_PX } from "./boxes.js";

/**
 * @typedef {import("./ground.js").Point} Point
 * @typedef {{id: string, shape: string, place: Point | null, doubt: number, seen_met_s: number, in_k: boolean,
 *   is_target: boolean, cls: string, note: string, note_since_met_s: number | null, spoken: string, card: any, was: Point | null, moved: string}} Entity
 * @typedef {{id: string, label: string, place: Point, delivered: string[], spoken: string, card: any}} Station
 * @typedef {{id: string, label: string, kind: string, place: Point, yaw_rad: number | null, trail: Point[], spoken: string,
 *   is_commanded: boolean, is_stale: boolean, footprint_m: number | null}} Robot
 * @typedef {{x: number, y: number, anchor: string}} Spot Where a label stands, in pixels from its mark.
 */

const HALO_PX = { least: 9.5, whole: 45 };
/** Seconds from which a belief is drawn one step paler. */
const FADES_S = [30, 90, 300];

/** Outlines of the classes that have one, 7 by 12. @type {Record<string, string>} */
const CLASS = {
  bottle: "M2.5 0h2v3l1.5 2v6.5h-5V5l1.5-2z",
  can: "M1 2.5h5v8H1zM1.8 1h3.4v1.500h-3.4zM1.8 10.500h3.4v1.500h-3.4z",
  cup: "M.5 2h6l-1 9.500h-4z",
  box: "M.5 3h6v8h-6zM.5 3l1.500-1.500h3L6.500 3",
  bag: "M1 4h5l.5 7.500H.5zM2.200 4a1.300 2.500 0 0 1 2.600 0",
};

/** More than these are told by the number alone. */
const TICKS = 5;

/** Room for the outline of a class beside a name. */
const OUTLINE_PX = 10;
/** What a name needs of the map's width to be worth its room, and what is beneath a name. */
const ROOM_PX = { name: 440, note: 600 };
const MARK_PX = { ring: 12, bracket: 18 };

/**
 * What stands beside a mark: on a narrow map what is abnormal or meant keeps its name, and the rest the outline of its class.
 * @param {Entity} entity @param {number} view_px How wide the map is.
 */
export function beside(entity, view_px) {
  const isMeant = entity.is_target || entity.shape === "lost";
  const name = view_px > ROOM_PX.name || isMeant || entity.shape === "reconsider" ? entity.id : "";
  const note = view_px > ROOM_PX.note || isMeant ? entity.note : "";
  const outline = CLASS[entity.cls] === undefined ? 0 : OUTLINE_PX;
  return {
    name,
    note,
    width: Math.max(outline + LETTER_PX * name.length, LETTER_PX * 0.85 * note.length),
    lines: note ? 2 : 1,
    radius: entity.is_target ? MARK_PX.bracket : MARK_PX.ring,
  };
}

/** Everything of a mark that is drawn around its place. @param {...(SVGElement | null)} children */
export function around(...children) {
  return svg("svg", { width: 1, height: 1, overflow: "visible" }, ...children);
}

/** @param {Entity} entity @param {Spot} spot @param {{x: number, y: number}} aside @param {{name: string, note: string}} words */
export function entityMark(entity, spot, aside, words) {
  const classes = ["ent", `st-${entity.shape}`, `age-${fadeOf(entity.seen_met_s)}`, entity.is_target && "is-target"];
  const radius = HALO_PX.least + HALO_PX.whole * entity.doubt;
  return around(
    svg(
      "g",
      { class: classes.filter(Boolean).join(" "), transform: `translate(${aside.x} ${aside.y})` },
      svg("circle", { class: "ring", r: 15 }),
      svg("circle", { class: "halo", "data-layer": "doubt", r: radius.toFixed(1) }),
      entity.in_k ? svg("circle", { class: "kring", r: 11 }) : null,
      entity.is_target ? svg("path", { class: "bracket", d: "M-17-9v-8h8M17-9v-8h-8M-17 9v8h8M17 9v8h-8" }) : null,
      shape(entity.shape, { x: -8, y: -8, width: 16, height: 16 }),
      named(entity.cls, words.name, spot),
      words.note
        ? svg("text", { class: "ent-sub", x: spot.x, y: spot.y + 13, "text-anchor": spot.anchor }, ...note(words.note, entity.note_since_met_s))
        : null,
    ),
  );
}

/** The name, and before it the shape of its class. @param {string} cls @param {string} id @param {Spot} spot */
function named(cls, id, spot) {
  const name = svg("text", { class: "ent-id", x: spot.x, y: spot.y, "text-anchor": spot.anchor }, id);
  const d = CLASS[cls];
  if (d === undefined) return svg("g", { "data-layer": "names" }, name);
  const anchor = /** @type {"start" | "middle" | "end"} */ (spot.anchor);
  const width = id.length * LETTER_PX;
  const x = spot.x + { start: OUTLINE_PX, middle: OUTLINE_PX / 2, end: 0 }[anchor];
  const left = x - { start: 0, middle: width / 2, end: width }[anchor];
  name.setAttribute("x", String(x));
  const outline = svg("path", { class: "ent-class", d, transform: `translate(${(left - OUTLINE_PX).toFixed(1)} ${spot.y - 10})` });
  return svg("g", { "data-layer": "names" }, outline, name);
}

/** The age in a note ticks with the page's other ages. @param {string} said @param {number | null} note_since_met_s */
function note(said, note_since_met_s) {
  const [before, after] = said.split("{age}");
  if (after === undefined || note_since_met_s === null) return [said];
  const words = age(missionNow() - note_since_met_s);
  return [before, svg("tspan", { "data-age-met": note_since_met_s }, words), after];
}

/** @param {Entity} entity */
export function ghostMark(entity) {
  return around(
    svg(
      "g",
      { class: "was" },
      svg("circle", { r: 5 }),
      entity.moved ? svg("text", { x: -9, y: -5, "text-anchor": "end" }, entity.moved) : null,
    ),
  );
}

/** A plate beside its place, so that a robot at the station hides nothing. @param {Station} station @param {{x: number, y: number}} aside */
export function stationMark({ label, delivered }, aside) {
  const ticks = delivered.slice(0, TICKS);
  const half = stationHalf(label, ticks.length);
  const height = ticks.length ? 44 : 24;
  const plate = svg(
    "g",
    { transform: `translate(${aside.x} ${aside.y - height / 2})` },
    svg("rect", { x: -half, y: 0, width: 2 * half, height, rx: 3 }),
    svg("text", { class: "station-name", x: -half + 8, y: 16 }, label.toUpperCase()),
    svg("text", { class: "station-n", x: half - 8, y: 17, "text-anchor": "end" }, delivered.length),
    ...ticks.map((_, index) =>
      svg(
        "g",
        { class: "ent st-delivered" },
        shape("delivered", { x: (index - (ticks.length - 1) / 2) * 20 - 8, y: 24, width: 16, height: 16 }),
      ),
    ),
  );
  return around(
    svg(
      "g",
      { class: "station" },
      svg("path", { class: "stem", d: Math.abs(aside.x) < half ? `M0 0V${aside.y}` : `M0 0L${aside.x} ${aside.y}` }),
      svg("circle", { class: "pole", r: 3 }),
      plate,
    ),
  );
}

/** Half the width of a station's plate. @param {string} label @param {number} ticks */
export function stationHalf(label, ticks) {
  return Math.max(33, label.length * 4 + 22, Math.min(ticks, TICKS) * 10 + 8);
}

/** @param {Robot} robot @param {number} pxPerMetre @param {Spot} spot */
export function robotMark(robot, pxPerMetre, spot) {
  if (robot.kind === "aerial") return aerialMark(robot, pxPerMetre);
  const turned = robot.yaw_rad === null ? null : `rotate(${((-robot.yaw_rad * 180) / Math.PI).toFixed(1)})`;
  const body =
    turned === null
      ? [svg("rect", { class: "body", x: -11, y: -11, width: 22, height: 22, rx: 4 })]
      : [
          svg("path", { class: "body", d: "M15 0 4-11H-11V11H4z" }),
          svg("path", { class: "nose", d: "M4-5 10 0 4 5z" }),
        ];
  return around(
    svg(
      "g",
      { class: robot.is_stale ? "robot is-stale" : "robot" },
      svg("g", { transform: turned }, ...body),
      svg("text", { class: "ent-id", x: spot.x, y: spot.y, "text-anchor": spot.anchor }, robot.label),
    ),
  );
}

/** @param {string} label @param {{x: number, y: number}} aside @param {boolean} asks @param {string} [watched] */
export function waypointMark(label, aside, asks, watched) {
  const radius = label.length > 1 ? 11 : 7.5;
  return around(
    svg(
      "g",
      { class: asks ? "wp" : "wp is-quiet", transform: `translate(${aside.x} ${aside.y})` },
      svg("circle", { r: radius }),
      svg("text", { x: 0, y: 3.8, "text-anchor": "middle" }, label),
      watched
        ? svg("g", { "data-layer": "watch" }, svg("title", {}, watched), shape("eye", { x: radius, y: -radius - 4, width: 14, height: 14 }))
        : null,
    ),
  );
}

/** @param {Robot} robot @param {number} pxPerMetre */
function aerialMark(robot, pxPerMetre) {
  return around(
    svg(
      "g",
      { class: robot.is_stale ? "drone is-stale" : "drone" },
      robot.footprint_m ? svg("circle", { class: "footprint", r: (robot.footprint_m * pxPerMetre).toFixed(1) }) : null,
      shape("drone", { x: -11, y: -11, width: 22, height: 22 }),
      svg("text", { class: "ent-id", x: 16, y: 2 }, robot.label),
    ),
  );
}

/** @param {number} seen_met_s */
export function fadeOf(seen_met_s) {
  const age_s = missionNow() - seen_met_s;
  return FADES_S.filter((bound) => age_s >= bound).length;
}
