/** The drawing as fields: every name, corner and place can be typed as well as dragged. */

import { html, icon, write } from "../dom.js";

/**
 * @typedef {import("./start.js").Chosen} Chosen
 * @typedef {import("./start.js").Region} Region
 * @typedef {import("./start.js").Station} Station
 */

const LEAST_CORNERS = 3;

export class Fields {
  /** @param {any} drawing @param {HTMLElement} place @param {number} step_m */
  constructor(drawing, place, step_m) {
    this.drawing = drawing;
    this.place = place;
    this.step_m = step_m;
    this.built = "";
    /** @type {any} */
    this.of = null;
    /** What each field shows, as it is now. @type {(() => void)[]} */
    this.shown = [];
  }

  /** A field that is there stays, since a click may be on its way to it; fields change when there are others. */
  draw() {
    const { drawn, chosen } = this.drawing;
    const built = JSON.stringify([chosen, drawn.stations.length, drawn.regions.map((/** @type {Region} */ each) => each.polygon_m.length)]);
    if (built !== this.built || drawn !== this.of) this.build();
    [this.built, this.of] = [built, drawn];
    for (const show of this.shown) show();
  }

  build() {
    this.shown = [];
    const focused = document.activeElement?.id;
    const { drawn } = this.drawing;
    const boxes = [
      ...drawn.regions.map((/** @type {Region} */ region, /** @type {number} */ index) => this.region(region, index)),
      ...drawn.stations.map((/** @type {Station} */ station, /** @type {number} */ index) => this.station(station, index)),
    ];
    const nothing = html("p", { class: "help" }, "Nothing is drawn yet.");
    this.place.replaceChildren(...(boxes.length ? boxes : [nothing]));
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  /** Its name first. @param {Chosen | null} chosen */
  focus(chosen) {
    const name = chosen && document.getElementById(`${chosen.kind}-${chosen.index}-name`);
    if (name instanceof HTMLInputElement) name.select();
  }

  /** @param {Region} region @param {number} index */
  region(region, index) {
    const id = `regions-${index}`;
    const corners = region.polygon_m.map((_, number) =>
      html(
        "li",
        {},
        html("span", { class: "k" }, `Corner ${number + 1}`),
        this.number(`${id}-x${number}`, `x of corner ${number + 1}, metres`, () => region.polygon_m[number][0], (to) => (region.polygon_m[number][0] = to)),
        this.number(`${id}-y${number}`, `y of corner ${number + 1}, metres`, () => region.polygon_m[number][1], (to) => (region.polygon_m[number][1] = to)),
        this.button(`${id}-less${number}`, `Remove corner ${number + 1}`, "removed", region.polygon_m.length > LEAST_CORNERS, () =>
          region.polygon_m.splice(number, 1),
        ),
      ),
    );
    return this.box("regions", index, () => region.name || "Region without a name", [
      this.text(`${id}-name`, "Name", () => region.name, (to) => (region.name = to)),
      this.check(`${id}-closed`, "The robot may not go in", () => region.restricted, (to) => (region.restricted = to)),
      html("ol", { class: "corners" }, ...corners),
    ]);
  }

  /** @param {Station} station @param {number} index */
  station(station, index) {
    const id = `stations-${index}`;
    const degrees = () => Math.round((station.yaw_rad * 1800) / Math.PI) / 10;
    return this.box("stations", index, () => station.id || "Station without an id", [
      this.text(`${id}-name`, "Id", () => station.id, (to) => (station.id = to)),
      html(
        "p",
        { class: "xy" },
        this.labelled(`${id}-x`, "x, m", this.number(`${id}-x`, "", () => station.x_m, (to) => (station.x_m = to))),
        this.labelled(`${id}-y`, "y, m", this.number(`${id}-y`, "", () => station.y_m, (to) => (station.y_m = to))),
        this.labelled(
          `${id}-yaw`,
          "Heading, °",
          this.number(`${id}-yaw`, "", degrees, (to) => (station.yaw_rad = Math.round(((to * Math.PI) / 180) * 1e4) / 1e4), 1),
        ),
      ),
      this.text(`${id}-accepts`, "Takes, classes between commas; empty: what is assigned", () => station.accepts.join(", "), (to) => {
        station.accepts = to.split(",").map((each) => each.trim()).filter(Boolean);
      }),
    ]);
  }

  /** @param {"regions" | "stations"} kind @param {number} index @param {() => string} title @param {Node[]} parts */
  box(kind, index, title, parts) {
    const { chosen } = this.drawing;
    const isOpen = chosen?.kind === kind && chosen.index === index;
    const word = kind === "regions" ? "Region" : "Station";
    const named = html("b", {});
    this.shown.push(() => write(named, title()));
    const summary = html("summary", { id: `${kind}-${index}` }, html("span", { class: "k" }, word), named);
    const remove = this.drawing.mayDraw
      ? html("button", { class: "btn btn-sm btn-quiet", type: "button", id: `${kind}-${index}-remove` }, `Remove ${word.toLowerCase()}`)
      : null;
    remove?.addEventListener("click", () => {
      this.drawing.change(() => this.drawing.drawn[kind].splice(index, 1));
      this.drawing.choose(null);
    });
    const box = html("details", { class: "drawn-box", open: isOpen ? "" : null }, summary, ...parts, remove);
    summary.addEventListener("click", (event) => {
      event.preventDefault();
      this.drawing.choose(isOpen ? null : { kind, index });
    });
    return box;
  }

  /** @param {string} id @param {string} label @param {() => string} value @param {(to: string) => void} set */
  text(id, label, value, set) {
    const input = /** @type {HTMLInputElement} */ (html("input", { id, autocomplete: "off", spellcheck: "false" }));
    this.shows(input, value);
    return this.labelled(id, label, this.watched(input, () => set(input.value.trim())));
  }

  /** @param {string} id @param {string} label @param {() => number} value @param {(to: number) => void} set @param {number} [step] */
  number(id, label, value, set, step = this.step_m) {
    const input = /** @type {HTMLInputElement} */ (
      html("input", { id, class: "fig", type: "number", step: "any", inputmode: "decimal", "aria-label": label || null })
    );
    this.shows(input, () => String(value()));
    input.addEventListener("keydown", (event) => {
      const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (way === undefined || !this.drawing.mayDraw) return;
      event.preventDefault();
      this.drawing.change(() => set(Math.round((Number(input.value) + way * step) * 1e4) / 1e4));
    });
    return this.watched(input, () => Number.isFinite(input.valueAsNumber) && set(input.valueAsNumber));
  }

  /** @param {string} id @param {string} label @param {() => boolean} value @param {(to: boolean) => void} set */
  check(id, label, value, set) {
    const input = /** @type {HTMLInputElement} */ (html("input", { id, type: "checkbox" }));
    this.shown.push(() => (input.checked = value()));
    this.watched(input, () => set(input.checked));
    return html("label", { class: "drawn-check" }, input, html("span", {}, label));
  }

  /** What stands there already is left alone: a half typed number keeps its cursor. @param {HTMLInputElement} input @param {() => string} value */
  shows(input, value) {
    this.shown.push(() => input.value !== value() && (input.value = value()));
  }

  /** @param {HTMLInputElement} input @param {() => void} set */
  watched(input, set) {
    input.disabled = !this.drawing.mayDraw;
    input.addEventListener("change", () => this.drawing.change(set));
    return input;
  }

  /** @param {string} id @param {string} label @param {HTMLElement} input */
  labelled(id, label, input) {
    return html("div", { class: "field" }, html("label", { for: id }, label), input);
  }

  /** @param {string} id @param {string} label @param {string} glyph @param {boolean} isOn @param {() => void} how */
  button(id, label, glyph, isOn, how) {
    if (!this.drawing.mayDraw) return null;
    const button = html("button", { class: "btn btn-icon", type: "button", id, "aria-label": label, disabled: isOn ? null : "" }, icon(glyph));
    button.addEventListener("click", () => this.drawing.change(how));
    return button;
  }
}
