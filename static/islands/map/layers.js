/** The layers on the view: two sheets in metres (ground, lines) and the marks, each kept while it stays the same. */

import { svg } from "../dom.js";
import { knownMark } from "./known.js";
import { box, corner, overlap, pick, some } from "./boxes.js";
import { Crowd } from "./crowd.js";
import { drawGround } from "./ground.js";
import { label, placeLabels, spread } from "./labels.js";
import { drawLines } from "./lines.js";
import { around, beside, entityMark, fadeOf, ghostMark, robotMark, stationMark, waypointMark } from "./marks.js";
import { Room } from "./room.js";

/** @type {any} */
const L = /** @type {any} */ (globalThis).L;

/** What a pointer or finger can hit around a mark's place. */
const TARGET_PX = 28;
/** Where a waypoint may stand, in pixels from its place, the first that is clear. */
const ASIDES = [
  { x: 0, y: 0 },
  { x: -24, y: 20 },
  { x: 24, y: 20 },
  { x: -24, y: -22 },
  { x: 24, y: -22 },
  { x: 0, y: 42 },
  { x: 0, y: -42 },
];
const WEIGHT = { observed: 1, assigned: 4, grasped: 3, delivered: 0, reconsider: 3, lost: 3, unsupported: 0 };

/** More entities than this are a crowd: those that matter least are drawn on a canvas. */
const ELEMENTS = 160;
const ABNORMAL = new Set(["reconsider", "lost", "grasped"]);

export class Layers {
  /** @param {import("./view.js").View} view @param {import("./card.js").Card} card */
  constructor(view, card) {
    this.view = view;
    this.card = card;
    this.revision = "";
    /** @type {any} */
    this.lines = null;
    /** @type {any} */
    this.ground = null;
    /** @type {Map<string, {marker: any, drawn: string, told: any}>} */
    this.marks = new Map();
    /** @type {string | null} */
    this.lit = null;
    this.room = new Room(view);
    /** Drawn as elements whatever the crowd: what is focused or pinned. @type {Set<string>} */
    this.promoted = new Set();
    /** What the names of entities cover. @type {import("./labels.js").Box[]} */
    this.names = [];
    /** What is known now and was believed otherwise. @type {import("./known.js").KnownMark[]} */
    this.known = [];
    this.crowd = new Crowd(view, (entity) => fadeOf(entity.seen_met_s));
  }

  /** @param {any} data */
  draw(data) {
    if (this.revision !== data.ground.revision) {
      this.ground?.remove();
      this.ground = this.sheet(drawGround(data.ground), "ground");
      this.revision = data.ground.revision;
    }
    const all = data.entities.filter((/** @type {any} */ entity) => entity.place !== null);
    const placed = this.elements(all);
    this.crowd.draw(placed.length === all.length ? [] : all.filter((/** @type {any} */ each) => !placed.includes(each)));
    this.room.settle(data, placed);
    this.view.element.classList.toggle("is-asking", data.route?.asks === true);
    this.lines?.remove();
    this.lines = this.sheet(drawLines(data), "lines");
    const seen = new Set([
      ...data.ground.regions.map((/** @type {any} */ region) => this.regionName(region)),
      ...data.stations.map((/** @type {any} */ station) => this.station(station)),
      ...this.entities(data, placed),
      ...some(data.route?.waypoints ?? []).map((point, index) => this.waypoint(point, index, data)),
      ...data.robots.map((/** @type {any} */ robot) => this.moveRobot(robot)),
      ...this.known.map((mark) => this.knownOf(mark)),
    ]);
    for (const [key, { marker }] of this.marks) {
      if (seen.has(key)) continue;
      marker.remove();
      this.marks.delete(key);
    }
    this.highlight(this.lit);
  }

  /** @param {any} robot */
  moveRobot(robot) {
    const drawn = robotMark(robot, this.view.pxPerMetre(), this.room.nameOf(robot));
    const told = { title: robot.label, word: robot.is_commanded ? "Commanded here" : "Watched", rows: [], note: robot.spoken };
    return this.put(`robot ${robot.id}`, robot.place, drawn, { pane: "marks", z: 2000, spoken: robot.spoken, told });
  }

  /** @param {string | null} id */
  highlight(id) {
    this.lit = id;
    for (const [key, { marker }] of this.marks) {
      marker.getElement()?.classList.toggle("is-lit", id !== null && key === `entity ${id}`);
    }
  }

  /** @param {any} data @param {any[]} placed Those that have an element each. */
  entities(data, placed) {
    const points = placed.map((/** @type {any} */ entity) => ({
      id: entity.id,
      ...pick(this.view.pixel(entity.place)),
    }));
    const aside = spread(points);
    const named = placed.map((/** @type {any} */ entity, /** @type {number} */ index) => {
      const by = aside.get(entity.id) ?? { x: 0, y: 0 };
      return {
        id: entity.id,
        x: points[index].x + by.x,
        y: points[index].y + by.y,
        ...beside(entity, this.view.element.clientWidth),
        weight: WEIGHT[/** @type {keyof typeof WEIGHT} */ (entity.shape)] + (entity.is_target ? 5 : 0),
      };
    });
    const spots = placeLabels(named, this.room.obstacles(data), this.room.frame(data));
    this.names = named.map((/** @type {any} */ one) => label(one, /** @type {any} */ (spots.get(one.id))));
    return placed.flatMap((/** @type {any} */ entity) => {
      const drawn = entityMark(
        entity,
        /** @type {any} */ (spots.get(entity.id)),
        /** @type {any} */ (aside.get(entity.id)),
        beside(entity, this.view.element.clientWidth),
      );
      const z = entity.is_target ? 1500 : 1000 + WEIGHT[/** @type {keyof typeof WEIGHT} */ (entity.shape)];
      const keys = [
        this.put(`entity ${entity.id}`, entity.place, drawn, {
          pane: "marks",
          z,
          spoken: entity.spoken,
          told: entity.card,
          glyph: entity.shape,
        }),
      ];
      if (entity.was) keys.push(this.put(`was ${entity.id}`, entity.was, ghostMark(entity), { pane: "marks", z: 500 }));
      return keys;
    });
  }

  /** Those that are worth an element each: all of few; of many the target, what the planner sees, what is abnormal, what is focused. @param {any[]} all */
  elements(all) {
    if (all.length <= ELEMENTS) return all;
    const worth = (/** @type {any} */ each) =>
      each.is_target || each.in_k || each.was || this.promoted.has(each.id) ? 2 : ABNORMAL.has(each.shape) ? 1 : 0;
    const ranked = all.map((each) => ({ each, worth: worth(each) })).filter((one) => one.worth > 0);
    return ranked
      .sort((a, b) => b.worth - a.worth)
      .slice(0, ELEMENTS)
      .map(({ each }) => each);
  }

  /** Give this entity an element, and keep it while it is looked at. @param {string} id @param {any} data */
  promote(id, data) {
    this.promoted = new Set([id]);
    this.draw(data);
  }

  /** @param {any} station */
  station(station) {
    const about = { pane: "stations", z: 0, spoken: station.spoken, told: station.card, glyph: "delivered" };
    return this.put(`station ${station.id}`, station.place, stationMark(station, this.room.plateOf(station)), about);
  }

  /** @param {any} region */
  regionName({ name, polygon }) {
    const drawn = around(
      svg("g", { "data-layer": "regions" }, svg("text", { class: "region-name", x: 10, y: 18 }, name)),
    );
    return this.put(`region ${name}`, corner(polygon), drawn, { pane: "names", z: 0 });
  }

  /** @param {import("./known.js").KnownMark} mark */
  knownOf(mark) {
    const told = { title: mark.entity, word: "Known now", rows: [], note: mark.spoken };
    const drawn = knownMark(mark, this.view);
    return this.put(`known ${mark.entity}`, mark.place ?? mark.believed, drawn, { pane: "marks", z: 1400, spoken: mark.spoken, told });
  }

  /** Beside the marks, never on them. @param {any} point @param {number} index @param {any} data */
  waypoint({ place, label, watched }, index, data) {
    const { x, y } = this.view.pixel(place);
    const entities = data.entities.filter((/** @type {any} */ each) => each.place !== null);
    const boxes = [
      ...entities.map((/** @type {any} */ each) => box(this.view.pixel(each.place), 14, 14)),
      ...this.room.blocks(data),
      ...this.names,
    ];
    const aside = ASIDES.find((by) => !boxes.some((each) => overlap(each, box({ x: x + by.x, y: y + by.y }, 10, 10)))) ?? ASIDES[0];
    const drawn = waypointMark(label, aside, data.route.asks, watched);
    return this.put(`waypoint ${index}`, place, drawn, { pane: "marks", z: 1200, layer: "route" });
  }

  /**
   * Draw a mark, or move and redraw the one that is there: it keeps its element, and so the focus.
   * @param {string} key @param {[number, number]} place @param {SVGElement} drawn
   * @param {{pane: string, z: number, spoken?: string, told?: any, glyph?: string, layer?: string}} about
   */
  put(key, [x, y], drawn, about) {
    const known = this.marks.get(key);
    if (known === undefined) {
      const isTold = about.spoken !== undefined;
      const side = isTold ? TARGET_PX : 0;
      const look = L.divIcon({
        className: isTold ? "map-mark is-told" : "map-mark",
        html: drawn,
        iconSize: [side, side],
      });
      const marker = L.marker([y, x], {
        icon: look,
        pane: about.pane,
        interactive: isTold,
        keyboard: false,
        zIndexOffset: about.z,
      });
      marker.addTo(this.view.map);
      const mark = { marker, drawn: drawn.outerHTML, told: about };
      this.marks.set(key, mark);
      if (isTold) this.tells(mark, key);
      else marker.getElement().setAttribute("aria-hidden", "true");
      if (about.layer) marker.getElement().dataset.layer = about.layer;
      return key;
    }
    known.marker.setLatLng([y, x]);
    known.told = about;
    if (known.drawn !== drawn.outerHTML) {
      known.drawn = drawn.outerHTML;
      known.marker.getElement().replaceChildren(drawn);
    }
    known.marker.getElement().setAttribute("aria-label", about.spoken ?? "");
    return key;
  }

  /** @param {{marker: any, told: any}} mark @param {string} key */
  tells(mark, key) {
    const element = mark.marker.getElement();
    element.setAttribute("aria-label", mark.told.spoken);
    element.setAttribute("role", "img"); // a button's name would have to be what is drawn in it
    element.setAttribute("aria-keyshortcuts", "Enter");
    element.setAttribute("tabindex", "-1"); // one mark at a time is a stop of the tab key: reach.js
    element.dataset.mark = key;
    element.addEventListener("pointerenter", () => this.show(key));
    element.addEventListener("focus", () => this.show(key));
    element.addEventListener("pointerleave", () => this.card.hide());
    element.addEventListener("blur", () => this.card.hide());
  }

  /** The card of a mark. @param {string} key @param {boolean} [isPinned] */
  show(key, isPinned = false) {
    const mark = this.marks.get(key);
    if (mark?.told.told === undefined) return;
    const { lat, lng } = mark.marker.getLatLng();
    const entity = key.startsWith("entity ") ? key.slice("entity ".length) : null;
    this.card.show(mark.told.told, mark.told.glyph ?? "", this.view.pixel([lng, lat]), isPinned ? { key, entity } : null);
  }

  /** @param {SVGElement} drawn @param {string} pane */
  sheet(drawn, pane) {
    return L.svgOverlay(drawn, this.view.bounds, { pane, interactive: false }).addTo(this.view.map);
  }
}
