/** A site's map on its page: regions and stations drawn by mouse, finger, keyboard or number, and sent as one text. */

import { svg, write } from "../dom.js";
import { drawGround, sheet } from "../map/ground.js";
import { View } from "../map/view.js";
import { Fields } from "./fields.js";
import { Handles } from "./handles.js";
import { aRegion, aStation, shapes } from "./shapes.js";

/** @type {any} */
const L = /** @type {any} */ (globalThis).L;

const MOST_UNDOS = 100;

/**
 * @typedef {import("../map/ground.js").Point} Point
 * @typedef {{name: string, polygon_m: Point[], restricted: boolean}} Region
 * @typedef {{id: string, x_m: number, y_m: number, yaw_rad: number, accepts: string[]}} Station
 * @typedef {{regions: Region[], stations: Station[]}} Drawn
 * @typedef {{kind: "regions" | "stations", index: number}} Chosen
 */

class Drawing {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.mayDraw = section.dataset.mayDraw !== undefined;
    this.element = /** @type {HTMLElement} */ (document.getElementById("site-view"));
    /** @type {Drawn} */
    this.drawn = { regions: [], stations: [] };
    /** @type {Chosen | null} */
    this.chosen = null;
    /** What it was before each change, the newest last. @type {string[]} */
    this.before = [];
    this.isDirty = false;
    /** @type {any} */
    this.sheet = null;
    section.addEventListener("click", (event) => this.clicked(/** @type {Element} */ (event.target)));
    section.querySelector("form")?.addEventListener("submit", () => this.send());
    section.addEventListener("keydown", (event) => {
      const isUndo = event.key === "z" && (event.ctrlKey || event.metaKey);
      if (!isUndo || !this.mayDraw || /** @type {Element} */ (event.target).matches("input, textarea")) return;
      event.preventDefault();
      this.undo();
    });
    addEventListener("beforeunload", (event) => this.isDirty && event.preventDefault());
    void this.load();
  }

  async load() {
    const wait = this.element.querySelector(".map-wait");
    try {
      const answer = await fetch(this.section.dataset.source ?? "");
      if (!answer.ok) throw new Error(String(answer.status));
      const { ground, drawn, step_m } = await answer.json();
      this.begin(ground, drawn, step_m);
    } catch {
      write(wait, "The map did not come. Load the page again; the text below says the same.");
    }
  }

  /** @param {any} ground @param {Drawn} drawn @param {number} step_m */
  begin(ground, drawn, step_m) {
    this.element.replaceChildren();
    this.view = new View(this.element);
    this.view.setBounds(ground.bounds);
    this.bounds = ground.bounds;
    this.drawn = this.typed() ?? drawn;
    this.handles = new Handles(this, this.view, step_m);
    this.fields = new Fields(this, /** @type {HTMLElement} */ (document.getElementById("drawn-fields")), step_m);
    L.svgOverlay(drawGround(ground), this.view.bounds, { pane: "ground", interactive: false }).addTo(this.view.map);
    for (const button of this.section.querySelectorAll("[data-draw=region], [data-draw=station]")) {
      button.toggleAttribute("disabled", !this.mayDraw);
    }
    if (this.section.dataset.typed) this.dirty();
    this.view.map.on("zoom viewreset resize", () => this.handles?.draw());
    this.redraw();
    this.element.dataset.ready = "";
  }

  /** What was sent and refused. @returns {Drawn | null} */
  typed() {
    try {
      const { regions, stations } = JSON.parse(this.section.dataset.typed ?? "");
      return Array.isArray(regions) && Array.isArray(stations) ? { regions, stations } : null;
    } catch {
      return null;
    }
  }

  /** @param {Element} target */
  clicked(target) {
    const what = target.closest("[data-draw]")?.getAttribute("data-draw");
    if (!what || !this.view) return;
    if (what === "in") this.view.zoom(1);
    if (what === "out") this.view.zoom(-1);
    if (what === "fit") this.view.fit();
    if (what === "undo") this.undo();
    if (what === "region") this.add("regions", aRegion(this.drawn, this.middle()));
    if (what === "station") this.add("stations", aStation(this.drawn, this.middle()));
  }

  /** What is in view: where something new begins. @returns {import("../map/ground.js").Rect} */
  middle() {
    const shown = this.view?.map.getBounds();
    const [x, y, width, height] = /** @type {import("../map/ground.js").Rect} */ (this.bounds);
    const left = Math.max(x, shown.getWest());
    const low = Math.max(y, shown.getSouth());
    return [left, low, Math.min(x + width, shown.getEast()) - left, Math.min(y + height, shown.getNorth()) - low];
  }

  /** @param {"regions" | "stations"} kind @param {any} made */
  add(kind, made) {
    this.change(() => /** @type {any[]} */ (this.drawn[kind]).push(made));
    this.choose({ kind, index: this.drawn[kind].length - 1 });
    this.fields?.focus(this.chosen);
  }

  /** Whatever alters the drawing goes through here, so that it can be undone. @param {() => void} how */
  change(how) {
    this.remember();
    how();
    this.dirty();
    this.redraw();
  }

  /** Before a drag, of which only the end counts. */
  remember() {
    this.before.push(JSON.stringify(this.drawn));
    if (this.before.length > MOST_UNDOS) this.before.shift();
  }

  undo() {
    const before = this.before.pop();
    if (before === undefined) return;
    this.drawn = JSON.parse(before);
    this.chosen = null;
    this.dirty();
    this.redraw();
  }

  dirty() {
    this.isDirty = true;
    write(document.getElementById("drawing-state"), "Not saved yet");
    document.getElementById("drawing-save")?.removeAttribute("disabled");
  }

  /** @param {Chosen | null} chosen */
  choose(chosen) {
    if (this.chosen?.kind === chosen?.kind && this.chosen?.index === chosen?.index) return;
    this.chosen = chosen;
    this.redraw();
  }

  redraw() {
    this.drawShapes();
    this.handles?.draw();
    this.fields?.draw();
    this.section.querySelector("[data-draw=undo]")?.toggleAttribute("disabled", this.before.length === 0);
  }

  /** The shapes alone: while a finger drags, its handle must stay. */
  drawShapes() {
    this.sheet?.remove();
    const drawn = sheet(/** @type {any} */ (this.bounds), "map-drawn");
    drawn.append(svg("g", {}, ...shapes(this.drawn, this.chosen)));
    this.sheet = L.svgOverlay(drawn, this.view?.bounds, { pane: "lines", interactive: false }).addTo(this.view?.map);
  }

  send() {
    this.isDirty = false;
    const field = /** @type {HTMLInputElement} */ (document.getElementById("drawn"));
    field.value = JSON.stringify(this.drawn);
  }
}

const section = document.getElementById("site-map");
if (section !== null) new Drawing(section);

