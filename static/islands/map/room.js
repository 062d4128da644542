/** Which room stations and robots take on the map, in pixels of the view, and where their own names stand. */

import { box, corner, LETTER_PX, nameBox, overlap } from "./boxes.js";
import { stationHalf } from "./marks.js";

/** How far a station's plate stands from its place, so that a robot there is seen. */
const CLEAR_PX = 20;
/** Half of a plate's height, with and without ticks for what was delivered. */
const HALF_PX = { ticked: 22, plain: 12 };
/** On which sides a plate may stand, across and down; a slanted stem is the lesser choice. */
const SIDES = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [1, 1], [-1, -1], [-1, 1]];
const SLANT = 0.5;
/** What marks take that no plate should cover: a target's brackets, a ring. */
const MARK_PX = { target: 18, other: 11 };
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
    /** Where each station's plate stands, in pixels from its place. @type {Map<string, {x: number, y: number}>} */
    this.plates = new Map();
  }

  /** Choose for each station the side where its plate covers least of the marks. @param {any} data @param {any[]} placed Entities that have an element. */
  settle({ stations, robots }, placed) {
    this.stations = stations;
    const marks = placed.map(({ place, is_target }) => {
      const half = is_target ? MARK_PX.target : MARK_PX.other;
      return { ...box(this.view.pixel(place), half, half), weight: is_target ? 10 : 1 };
    });
    const bodies = robots.map((/** @type {any} */ robot) => ({ ...box(this.view.pixel(robot.place), 15, 15), weight: 2 }));
    this.plates = new Map(stations.map((station) => [station.id, this.plateBeside(station, [...marks, ...bodies])]));
  }

  /** @param {any} station @param {(import("./labels.js").Box & {weight: number})[]} taken */
  plateBeside({ place, label, delivered }, taken) {
    const at = this.view.pixel(place);
    const { half, tall } = plateSize(label, delivered);
    const sides = SIDES.map(([across, down]) => {
      const by = { x: across * (CLEAR_PX + half), y: down * (CLEAR_PX + tall) };
      const { x, y } = this.inside(box({ x: at.x + by.x, y: at.y + by.y }, half + 4, tall + 4));
      const moved = { x: by.x + x, y: by.y + y };
      const plate = box({ x: at.x + moved.x, y: at.y + moved.y }, half, tall);
      const covered = taken.reduce((sum, mark) => sum + (overlap(plate, mark) ? mark.weight : 0), 0);
      const slant = across !== 0 && down !== 0 ? SLANT : 0;
      return { by: moved, cost: slant + covered + (overlap(plate, box(at, 3, 3)) ? COVERS : 0) };
    });
    return sides.reduce((best, side) => (side.cost < best.cost ? side : best)).by;
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
    const { half, tall } = plateSize(station.label, station.delivered);
    return box({ x: x + by.x, y: y + by.y }, half, tall);
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

  /** @param {any} station */
  plateOf({ id }) {
    return this.plates.get(id) ?? { x: 0, y: -CLEAR_PX - HALF_PX.plain };
  }
}

/** Half of a plate's width and height. @param {string} label @param {string[]} delivered */
function plateSize(label, delivered) {
  return { half: stationHalf(label, delivered.length), tall: delivered.length ? HALF_PX.ticked : HALF_PX.plain };
}
