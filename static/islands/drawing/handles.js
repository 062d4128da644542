/** What can be taken hold of: the corners of the chosen region, the middles of its sides, and every station. */

import { svg } from "../dom.js";
import { around } from "../map/marks.js";
import { between, tidy } from "./shapes.js";

/** @type {any} */
const L = /** @type {any} */ (globalThis).L;

const TARGET_PX = matchMedia("(pointer: coarse)").matches ? 44 : 28;
const LEAST_CORNERS = 3;
/** With Shift an arrow goes so many steps. */
const FAR = 10;

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * @typedef {import("../map/ground.js").Point} Point
 * @typedef {{key: string, label: string, at: Point, shape: SVGElement, move: (to: Point) => void, press?: () => void, remove?: () => void}} Handle
 */

export class Handles {
  /** @param {any} drawing @param {import("../map/view.js").View} view @param {number} step_m */
  constructor(drawing, view, step_m) {
    this.drawing = drawing;
    this.view = view;
    this.step_m = step_m;
    /** @type {Map<string, any>} */
    this.markers = new Map();
  }

  draw() {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.handle;
    for (const marker of this.markers.values()) marker.remove();
    this.markers.clear();
    for (const handle of this.wanted()) this.put(handle);
    if (focused) this.markers.get(focused)?.getElement().focus({ preventScroll: true });
  }

  /** @returns {Handle[]} */
  wanted() {
    const { drawn, chosen, mayDraw } = this.drawing;
    const names = drawn.regions.map((/** @type {any} */ region, /** @type {number} */ index) => this.name(region, index));
    const stations = drawn.stations.map((/** @type {any} */ station, /** @type {number} */ index) => this.station(station, index));
    const region = mayDraw && chosen?.kind === "regions" ? drawn.regions[chosen.index] : null;
    return region ? [...names, ...stations, ...this.sides(region), ...this.corners(region)] : [...names, ...stations];
  }

  /** A region is chosen by its name. @param {any} region @param {number} index @returns {Handle} */
  name(region, index) {
    const [x, y] = middleOf(region.polygon_m);
    const shape = svg("text", { class: "region-name is-handle", x: 0, y: 4, "text-anchor": "middle" }, region.name);
    const shift = (/** @type {Point} */ [toX, toY]) => {
      const [fromX, fromY] = middleOf(region.polygon_m);
      region.polygon_m = region.polygon_m.map((/** @type {Point} */ [cx, cy]) => [tidy(cx + toX - fromX), tidy(cy + toY - fromY)]);
    };
    const closed = region.restricted ? ", closed" : "";
    return {
      key: `region ${index}`,
      label: `Region ${region.name}${closed}, around ${place([x, y])}`,
      at: [x, y],
      shape,
      move: shift,
      press: () => this.drawing.choose({ kind: "regions", index }),
      remove: () => this.drawing.drawn.regions.splice(index, 1),
    };
  }

  /** @param {any} station @param {number} index @returns {Handle} */
  station(station, index) {
    const chosen = this.drawing.chosen;
    const isChosen = chosen?.kind === "stations" && chosen.index === index;
    const degrees = (-station.yaw_rad * 180) / Math.PI;
    const shape = svg(
      "g",
      { class: isChosen ? "pin is-chosen" : "pin" },
      svg("path", { class: "pin-nose", d: "M6-5 13 0 6 5z", transform: `rotate(${degrees.toFixed(1)})` }),
      svg("circle", { r: 7 }),
      svg("text", { class: "ent-id", x: 0, y: -13, "text-anchor": "middle" }, station.id),
    );
    return {
      key: `station ${index}`,
      label: `Station ${station.id} at ${place([station.x_m, station.y_m])}`,
      at: [station.x_m, station.y_m],
      shape,
      move: ([x, y]) => ([station.x_m, station.y_m] = [x, y]),
      press: () => this.drawing.choose({ kind: "stations", index }),
      remove: () => this.drawing.drawn.stations.splice(index, 1),
    };
  }

  /** @param {any} region @returns {Handle[]} */
  corners(region) {
    return region.polygon_m.map((/** @type {Point} */ corner, /** @type {number} */ index) => ({
      key: `corner ${index}`,
      label: `Corner ${index + 1} of ${region.name} at ${place(corner)}`,
      at: corner,
      shape: svg("rect", { class: "corner", x: -6, y: -6, width: 12, height: 12 }),
      move: (/** @type {Point} */ to) => (region.polygon_m[index] = to),
      remove: region.polygon_m.length > LEAST_CORNERS ? () => region.polygon_m.splice(index, 1) : undefined,
    }));
  }

  /** Pressed or dragged, the middle of a side becomes a corner. @param {any} region @returns {Handle[]} */
  sides(region) {
    return region.polygon_m.map((/** @type {Point} */ corner, /** @type {number} */ index) => {
      const middle = between(corner, region.polygon_m[(index + 1) % region.polygon_m.length]);
      let isMade = false;
      const move = (/** @type {Point} */ to) => {
        region.polygon_m.splice(index + 1, isMade ? 1 : 0, to);
        isMade = true;
      };
      return {
        key: `side ${index}`,
        label: `Add a corner to ${region.name} at ${place(middle)}`,
        at: middle,
        shape: svg("path", { class: "side", d: "M-5 0H5M0-5V5" }),
        move,
        press: () => this.drawing.change(() => move(middle)),
      };
    });
  }

  /** @param {Handle} handle */
  put(handle) {
    const { mayDraw } = this.drawing;
    const look = L.divIcon({ className: "map-mark is-handle", html: around(handle.shape), iconSize: [TARGET_PX, TARGET_PX] });
    const marker = L.marker([handle.at[1], handle.at[0]], { icon: look, pane: "marks", draggable: mayDraw, keyboard: false, autoPan: true });
    marker.addTo(this.view.map);
    this.markers.set(handle.key, marker);
    const element = marker.getElement();
    element.dataset.handle = handle.key;
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-label", handle.label);
    marker.on("click", () => handle.press?.());
    element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.pressed(event, handle));
    marker.on("dragstart", () => this.drawing.remember());
    marker.on("drag", () => {
      const { lat, lng } = marker.getLatLng();
      handle.move([tidy(lng), tidy(lat)]);
      this.drawing.drawShapes();
    });
    marker.on("dragend", () => {
      this.drawing.dirty();
      this.drawing.redraw();
    });
  }

  /** @param {KeyboardEvent} event @param {Handle} handle */
  pressed(event, handle) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS[event.key];
    const isPress = event.key === "Enter" || event.key === " ";
    const isRemoval = event.key === "Delete" || event.key === "Backspace";
    if (way === undefined && !isPress && !isRemoval) return;
    event.preventDefault();
    event.stopPropagation();
    if (isPress) return handle.press?.();
    if (!this.drawing.mayDraw) return;
    if (isRemoval) {
      if (!handle.remove) return;
      this.drawing.change(handle.remove);
      return this.drawing.choose(handle.key.startsWith("corner") ? this.drawing.chosen : null);
    }
    const by = this.step_m * (event.shiftKey ? FAR : 1);
    this.drawing.change(() => handle.move([tidy(handle.at[0] + way[0] * by), tidy(handle.at[1] + way[1] * by)]));
  }
}

/** @param {Point} point */
function place([x, y]) {
  return `(${x.toFixed(2)}, ${y.toFixed(2)}) m`;
}

/** @param {Point[]} corners @returns {Point} */
function middleOf(corners) {
  const sum = corners.reduce(([x, y], [cx, cy]) => [x + cx, y + cy], [0, 0]);
  return [tidy(sum[0] / corners.length), tidy(sum[1] / corners.length)];
}
