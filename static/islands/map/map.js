/**
 * The map island: renders `map.json` (backend/web/pages/map.py) and computes no meaning of its own.
 *
 * It lives in an element that no swap touches. It fetches when told `qd:map` or when the cursor has moved, one answer at a
 * time and with a pause after a long one; between two answers only robots move, by telemetry.
 */

import { html } from "../dom.js";
import { failed } from "../panels.js";
import { restful } from "../restful.js";
import { Card } from "./card.js";
import { fetchKnown } from "./known.js";
import { Layers } from "./layers.js";
import { startReach, stop } from "./reach.js";
import { Trails } from "./trails.js";
import { View } from "./view.js";

const FADE_MS = 5000;
const OFF_KEY = "qd_map_off";

/** The island's handle; without a map element it does nothing. */
export function startMap() {
  const element = document.getElementById("map-view");
  return element === null ? { robotMoved() {}, drawStale() {} } : new MapIsland(element);
}

class MapIsland {
  /** @param {HTMLElement} element */
  constructor(element) {
    element.replaceChildren();
    this.view = new View(element);
    this.card = new Card(element);
    this.layers = new Layers(this.view, this.card);
    this.trails = new Trails(this.layers);
    /** @type {any} */
    this.data = null;
    this.source = "";
    this.load = restful(() => this.fetchOnce());
    this.follows = false;
    this.knownSource = "";
    this.view.map.on("zoom viewreset", () => this.data && this.redraw());
    this.view.map.on("move", () => this.card.hide());
    document.body.addEventListener("qd:map", () => void this.load());
    document.body.addEventListener("htmx:afterSettle", () => {
      if (this.section()?.dataset.source !== this.source) void this.load();
      void this.showKnown();
    });
    document.addEventListener("click", (event) => this.clicked(/** @type {Element} */ (event.target)));
    for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => this.pointed(event));
    this.watchMarks(element);
    this.watchLayers();
    void this.showKnown();
    setInterval(() => this.fade(), FADE_MS);
    void this.load();
  }

  /** Beliefs grow pale with age though nothing happens. */
  fade() {
    if (this.data && !document.hidden) this.redraw();
  }

  async fetchOnce() {
    const source = this.section()?.dataset.source ?? "";
    this.source = source;
    try {
      const answer = await fetch(source);
      if (!answer.ok) throw new Error(String(answer.status));
      const data = await answer.json();
      if (source === this.section()?.dataset.source) this.draw(data);
      else void this.load();
    } catch {
      if (this.data === null) this.say("The map did not come. Trying again.");
      failed("map");
    }
  }

  /** @param {any} data */
  draw(data) {
    this.say("");
    this.view.unit = { name: data.unit, metres: data.unit_m };
    if (this.data?.ground.revision !== data.ground.revision) this.view.setBounds(data.ground.bounds);
    this.data = data;
    this.view.element.dataset.seq = String(data.seq);
    this.trails.begin(data);
    this.redraw();
    this.follow();
  }

  /** What is known now is drawn while the memory tab tells it. */
  async showKnown() {
    const source = document.getElementById("evidence")?.dataset.known ?? "";
    if (source === this.knownSource) return;
    this.knownSource = source;
    const known = await fetchKnown(source);
    if (source !== this.knownSource) return;
    this.layers.known = known;
    if (this.data) this.redraw();
  }

  redraw() {
    this.layers.draw(this.data);
    this.trails.draw();
    stop(this.view.element);
    const isUsed = this.card.box.contains(document.activeElement);
    if (this.card.pin !== null && !isUsed) this.layers.show(this.card.pin.key, true);
  }

  /** @param {{robot: string, x_m: number, y_m: number, yaw_rad: number | null}} told */
  robotMoved(told) {
    const robot = this.data?.robots.find((/** @type {any} */ each) => each.id === told.robot);
    if (!robot) return;
    robot.place = [told.x_m, told.y_m];
    robot.yaw_rad = told.yaw_rad;
    this.layers.moveRobot(robot);
    this.trails.moved(robot);
    this.follow();
  }

  /** A robot that has not been heard for a while is drawn so. */
  drawStale() {
    for (const robot of this.data?.robots ?? []) {
      const link =
        document.querySelector(`[data-link="robot:${CSS.escape(robot.id)}"]`) ??
        (robot.kind === "aerial" ? document.querySelector('[data-link="source:aerial"]') : null);
      if (link === null) continue;
      const isStale = link.matches(".is-stale, .is-down") || document.documentElement.classList.contains("is-cut");
      if (isStale === robot.is_stale) continue;
      robot.is_stale = isStale;
      this.layers.moveRobot(robot);
    }
  }

  follow() {
    const robot = this.data?.robots.find((/** @type {any} */ each) => each.is_commanded);
    if (this.follows && robot) this.view.centre(robot.place);
  }

  /** @param {Element} target */
  clicked(target) {
    const tool = target.closest("[data-map]");
    const what = tool?.getAttribute("data-map");
    if (what === "in") this.view.zoom(1);
    if (what === "out") this.view.zoom(-1);
    if (what === "fit") this.view.fit();
    if (what === "follow" || what === "fit") this.setFollowing(what === "follow" && !this.follows);
  }

  /** @param {boolean} isOn */
  setFollowing(isOn) {
    this.follows = isOn;
    document.querySelector("[data-map=follow]")?.setAttribute("aria-pressed", String(isOn));
    this.follow();
  }

  /** @param {HTMLElement} element */
  watchMarks(element) {
    startReach(element, {
      all: () => this.reachable(),
      focus: (key) => this.focus(key),
      press: (key) => this.layers.show(key, true),
    });
    element.addEventListener("click", (event) => {
      const mark = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".map-mark.is-told"));
      const at = this.point(event);
      const crowd = mark === null ? this.layers.crowd.at(at.x, at.y) : null;
      if (crowd) this.focus(`entity ${crowd.entity.id}`);
      const key = mark?.dataset.mark ?? (crowd ? `entity ${crowd.entity.id}` : null);
      if (key === null) this.card.close();
      else this.layers.show(key, true);
    });
    element.addEventListener("pointermove", (event) => {
      if (/** @type {Element} */ (event.target).closest(".map-mark, .hover")) return;
      const { x, y } = this.point(event);
      const found = this.layers.crowd.at(x, y);
      element.classList.toggle("is-over", found !== null);
      if (found) this.card.show(found.entity.card, found.entity.shape, found);
      else this.card.hide();
    });
    this.card.box.addEventListener("click", (event) => {
      const does = /** @type {Element} */ (event.target).closest("[data-pin]")?.getAttribute("data-pin");
      if (does) this.pinned(does);
    });
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.card.pin === null) return;
      event.stopPropagation();
      this.card.close();
    });
  }

  /** @param {string} does */
  pinned(does) {
    const pin = this.card.pin;
    if (pin === null) return;
    const mark = this.layers.marks.get(pin.key);
    if (does === "centre" && mark) {
      const { lat, lng } = mark.marker.getLatLng();
      this.view.centre([lng, lat]);
    }
    if (does === "record" && pin.entity !== null) showRecord(pin.entity);
    if (does === "close") {
      this.card.close();
      mark?.marker.getElement()?.focus();
    }
  }

  /** Everything that a card tells of, where it stands now. */
  reachable() {
    const crowd = this.layers.crowd.entities.map((entity) => ({
      key: `entity ${entity.id}`,
      ...this.view.pixel(/** @type {[number, number]} */ (entity.place)),
    }));
    const marks = [...this.layers.marks].filter(([, mark]) => mark.told.spoken !== undefined);
    return [
      ...marks.map(([key, mark]) => {
        const { lat, lng } = mark.marker.getLatLng();
        return { key, ...this.view.pixel([lng, lat]) };
      }),
      ...crowd,
    ];
  }

  /** @param {string} key */
  focus(key) {
    if (!this.layers.marks.has(key)) this.layers.promote(key.slice("entity ".length), this.data);
    const mark = this.layers.marks.get(key);
    if (mark === undefined) return;
    const { lat, lng } = mark.marker.getLatLng();
    this.view.reveal([lng, lat]);
    mark.marker.getElement().focus({ preventScroll: true });
  }

  /** A record named elsewhere on the page is shown on the map too. @param {Event} event */
  pointed(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("#map-view")) return;
    this.layers.highlight(target.closest("[data-entity]")?.getAttribute("data-entity") ?? null);
  }

  watchLayers() {
    const place = document.getElementById("map-layers");
    const off = new Set((localStorage.getItem(OFF_KEY) ?? "").split(" "));
    for (const input of layerInputs()) if (off.has(input.value)) input.checked = false;
    place?.addEventListener("change", () => {
      const names = [...layerInputs()].filter((input) => !input.checked).map((input) => input.value);
      localStorage.setItem(OFF_KEY, names.join(" "));
      this.switchLayers();
    });
    this.switchLayers();
  }

  switchLayers() {
    for (const input of layerInputs()) this.view.element.classList.toggle(`no-${input.value}`, !input.checked);
    this.layers.crowd.redraw();
  }

  /** @param {MouseEvent} event */
  point(event) {
    const { left, top } = this.view.element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** @param {string} words */
  say(words) {
    this.view.element.querySelector(".map-wait")?.remove();
    if (words) this.view.element.append(html("p", { class: "map-wait", role: "status" }, words));
  }

  section() {
    return document.getElementById("map");
  }
}

/** The row of a record, in the tab that has it. @param {string} id */
function showRecord(id) {
  const row = () => document.getElementById(`record-${encodeURIComponent(id)}`) ?? document.getElementById(`record-${id}`);
  const look = () => {
    const found = row();
    found?.scrollIntoView({ block: "center" });
    found?.setAttribute("tabindex", "-1");
    found?.focus({ preventScroll: true });
  };
  if (row()) return look();
  document.body.addEventListener("htmx:afterSettle", look, { once: true });
  document.getElementById("tab-memory")?.click();
}

function layerInputs() {
  return /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#map-layers input"));
}
