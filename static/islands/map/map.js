/**
 * The map island: renders `map.json` (backend/web/pages/map.py) and computes no meaning of its own.
 *
 * It lives in an element that no swap touches. It fetches when told `qd:map` or when the cursor has moved; between two
 * answers only robots move, by telemetry.
 */

import { html } from "../dom.js";
import { failed } from "../panels.js";
import { Card } from "./card.js";
import { Layers } from "./layers.js";
import { View } from "./view.js";

const FADE_MS = 5000;

/** The island's handle; without a map element it does nothing. */
export function startMap() {
  const element = document.getElementById("map-view");
  return element === null ? { robotMoved() {} } : new MapIsland(element);
}

class MapIsland {
  /** @param {HTMLElement} element */
  constructor(element) {
    element.replaceChildren();
    this.view = new View(element);
    this.card = new Card(element);
    this.layers = new Layers(this.view, this.card);
    /** @type {any} */
    this.data = null;
    this.source = "";
    this.asked = 0;
    this.follows = false;
    this.view.map.on("zoom viewreset", () => this.data && this.layers.draw(this.data));
    this.view.map.on("move", () => this.card.hide());
    document.body.addEventListener("qd:map", () => void this.load());
    document.body.addEventListener(
      "htmx:afterSettle",
      () => this.section()?.dataset.source !== this.source && void this.load(),
    );
    document.addEventListener("click", (event) => this.clicked(/** @type {Element} */ (event.target)));
    for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => this.pointed(event));
    document.getElementById("map-layers")?.addEventListener("change", () => this.switchLayers());
    this.switchLayers();
    setInterval(() => this.fade(), FADE_MS);
    void this.load();
  }

  /** Beliefs grow pale with age though nothing happens. */
  fade() {
    if (this.data && !document.hidden) this.layers.draw(this.data);
  }

  async load() {
    const source = this.section()?.dataset.source ?? "";
    const asked = (this.asked += 1);
    this.source = source;
    try {
      const answer = await fetch(source);
      if (!answer.ok) throw new Error(String(answer.status));
      const data = await answer.json();
      if (asked === this.asked) this.draw(data);
    } catch {
      if (asked !== this.asked) return;
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
    this.layers.draw(data);
    this.follow();
  }

  /** @param {{robot: string, x_m: number, y_m: number, yaw_rad: number | null}} told */
  robotMoved(told) {
    const robot = this.data?.robots.find((/** @type {any} */ each) => each.id === told.robot);
    if (!robot) return;
    robot.place = [told.x_m, told.y_m];
    robot.yaw_rad = told.yaw_rad;
    this.layers.moveRobot(robot);
    this.follow();
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

  /** A record named elsewhere on the page is shown on the map too. @param {Event} event */
  pointed(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("#map-view")) return;
    this.layers.highlight(target.closest("[data-entity]")?.getAttribute("data-entity") ?? null);
  }

  switchLayers() {
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#map-layers input"))) {
      this.view.element.classList.toggle(`no-${input.value}`, !input.checked);
    }
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
