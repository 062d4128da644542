/** Which room stations and robots take on the map, in pixels of the view, and where their own names stand. */

import { box, corner, LETTER_PX, nameBox, overlap } from "./boxes.js";
import { stationHalf } from "./marks.js";

/** How far a station's plate stands from its place. */
const PLATE_PX = 40;
/** Where a robot's name may stand, the first of those that are in view and that no station's plate covers. */
const NAMES = [
  { x: 0, y: 30, anchor: "middle" },
  { x: 0, y: -20, anchor: "middle" },
  { x: 20, y: 4, anchor: "start" },
  { x: -20, y: 4, anchor: "end" },
];
/** What it costs to cover a station's plate, in pixels of being moved. */
const COVERS = 1000;

export class Room {
  /** @param {import("./view.js").View} view */
  constructor(view) {
    this.view = view;
    /** @type {any[]} */
    this.stations = [];
  }

  /** What stations and robots cover. @param {any} data */
  blocks(data) {
    return [...data.stations.map((/** @type {any} */ station) => this.plateBox(station)), ...data.robots.map((/** @type {any} */ robot) => this.robotBlock(robot))];
  }

  /** The body and the name beside it. @param {any} robot */
  robotBlock(robot) {
    const { x, y } = this.view.pixel(robot.place);
    const body = box({ x, y }, 18, 18);
    if (robot.kind === "aerial") return { ...body, right: x + 18 + LETTER_PX * robot.label.length };
    const name = nameBox({ x, y }, robot.label, this.nameOf(robot));
    return {
      left: Math.min(body.left, name.left),
      top: Math.min(body.top, name.top),
      right: Math.max(body.right, name.right),
      bottom: Math.max(body.bottom, name.bottom),
    };
  }

  /** A robot at a station leaves the station's name to be read, and one at the edge keeps its own. @param {any} robot */
  nameOf({ place, label }) {
    const point = this.view.pixel(place);
    const plates = this.stations.map((station) => this.plateBox(station));
    const costs = NAMES.map((spot) => {
      const name = nameBox(point, label, spot);
      const { x, y } = this.inside(name);
      return Math.abs(x) + Math.abs(y) + (plates.some((plate) => overlap(plate, name)) ? COVERS : 0);
    });
    const best = NAMES[costs.indexOf(Math.min(...costs))];
    const { x, y } = this.inside(nameBox(point, label, best));
    return { x: best.x + x, y: best.y + y, anchor: best.anchor };
  }

  /** How far to move a name so that all of it is in view. @param {import("./labels.js").Box} name */
  inside({ left, top, right, bottom }) {
    const { clientWidth, clientHeight } = this.view.element;
    return {
      x: Math.max(0, -left) - Math.max(0, right - clientWidth),
      y: Math.max(0, -top) - Math.max(0, bottom - clientHeight),
    };
  }

  /** @param {any} station */
  plateBox(station) {
    const { x, y } = this.view.pixel(station.place);
    const by = this.plateOf(station);
    const half = stationHalf(station.label, station.delivered.length);
    return box({ x: x + by.x, y: y + by.y }, half, station.delivered.length ? 22 : 12);
  }

  /** What is in the way of names. @param {any} data */
  obstacles(data) {
    const names = data.ground.regions.map((/** @type {any} */ region) => {
      const { x, y } = this.view.pixel(corner(region.polygon));
      return { left: x + 10, top: y + 6, right: x + 10 + 6.5 * region.name.length, bottom: y + 20 };
    });
    return [...this.blocks(data), ...names];
  }

  /** Names stay within the site and the view. @param {any} data */
  frame({ ground }) {
    const { clientWidth, clientHeight } = this.view.element;
    const [x, y, width, height] = ground.bounds;
    const low = this.view.pixel([x, y]);
    const high = this.view.pixel([x + width, y + height]);
    return {
      left: Math.max(4, low.x),
      top: Math.max(4, high.y),
      right: Math.min(clientWidth - 4, high.x),
      bottom: Math.min(clientHeight - 4, low.y),
    };
  }

  /** Above its place, or below where there is no room; never out of view. @param {any} station */
  plateOf({ place, label, delivered }) {
    const { x, y } = this.view.pixel(place);
    const { clientWidth } = this.view.element;
    const half = stationHalf(label, delivered.length) + 4;
    return { x: Math.max(half - x, Math.min(0, clientWidth - half - x)), y: y < 2 * PLATE_PX ? PLATE_PX : -PLATE_PX };
  }
}
