/** What robots drove since the map was drawn last: their trails go on with telemetry, and never cut a corner of a grid. */

import { sheet } from "./ground.js";
import { drawFresh } from "./lines.js";

/** @typedef {import("./ground.js").Point} Point */

/** A robot that is this far from where it was last heard went there by a way that nobody told. */
const UNTOLD_M = 1.5;
/** Places kept of this episode's robot, and of others, such as a drone that circles. */
const MOST = { commanded: 400, other: 40 };

export class Trails {
  /** @param {import("./layers.js").Layers} layers */
  constructor(layers) {
    this.layers = layers;
    /** @type {Map<string, {way: Point[], isCommanded: boolean}>} */
    this.ways = new Map();
    this.turnsSquare = false;
    /** @type {any} */
    this.bounds = null;
    /** @type {any} */
    this.drawn = null;
  }

  /** A new map has the trails up to now. @param {any} data */
  begin(data) {
    this.ways = new Map(
      data.robots.map((/** @type {any} */ { id, place, is_commanded }) => [id, { way: [place], isCommanded: is_commanded }]),
    );
    this.turnsSquare = data.turns_square;
    this.bounds = data.ground.bounds;
  }

  /** @param {any} robot */
  moved(robot) {
    const known = this.ways.get(robot.id);
    if (known === undefined) return;
    const { way, isCommanded } = known;
    if (!isCommanded && isFar(way[way.length - 1], robot.place)) way.length = 0;
    if (!extend(way, robot.place, this.turnsSquare && isCommanded)) return;
    const most = isCommanded ? MOST.commanded : MOST.other;
    if (way.length > most) way.splice(0, way.length - most);
    this.draw();
  }

  draw() {
    const ways = [...this.ways.values()].filter(({ way }) => way.length > 1);
    if (this.drawn === null || !this.drawn.isConnected) {
      if (ways.length === 0) return;
      this.drawn = sheet(this.bounds, "map-fresh");
      this.layers.sheet(this.drawn, "lines");
    }
    this.drawn.replaceChildren(...ways.map(({ way, isCommanded }) => drawFresh(way, isCommanded)));
  }
}

/** Where it was meanwhile nobody told, so no line says that it went straight. @param {Point | undefined} from @param {Point} to */
function isFar(from, to) {
  return from !== undefined && Math.hypot(to[0] - from[0], to[1] - from[1]) > UNTOLD_M;
}

/** Whether it went anywhere. @param {Point[]} way @param {Point} place @param {boolean} turnsSquare */
export function extend(way, [x, y], turnsSquare) {
  if (way.length === 0) return way.push([x, y]) > 0;
  const [lastX, lastY] = way[way.length - 1];
  if (x === lastX && y === lastY) return false;
  if (turnsSquare && x !== lastX && y !== lastY) {
    const wentAlongX = way.length < 2 || way[way.length - 2][1] === lastY;
    way.push(wentAlongX ? [x, lastY] : [lastX, y]);
  }
  way.push([x, y]);
  return true;
}
