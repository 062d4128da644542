/** The Leaflet map itself: a plane in metres, zoom and pan without animation, a scale bar that counts in the site's unit. */

import { html, write } from "../dom.js";

/** @type {any} */
const L = /** @type {any} */ (globalThis).L;

const NICE = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const SCALE_PX = 48;

export class View {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.map = L.map(element, {
      crs: L.CRS.Simple,
      attributionControl: false,
      zoomControl: false,
      zoomSnap: 0,
      zoomDelta: 0.5,
      wheelPxPerZoomLevel: 160,
      zoomAnimation: false,
      fadeAnimation: false,
      markerZoomAnimation: false,
      inertia: false,
      boxZoom: false,
    });
    this.bar = html("span", { class: "scale-bar", "aria-hidden": "true" });
    this.words = html("span", { class: "fig" });
    element.append(html("p", { class: "scale" }, this.bar, this.words));
    this.unit = { name: "m", metres: 1 };
    /** @type {any} */
    this.bounds = null;
    this.isFitted = true;
    for (const name of ["ground", "lines", "names", "crowd", "stations", "marks"]) this.map.createPane(name);
    this.map.on("zoom viewreset resize", () => this.drawScale());
    this.map.on("dragstart", () => (this.isFitted = false));
    new ResizeObserver(() => this.resized()).observe(element);
  }

  /** @param {import("./ground.js").Rect} rect */
  setBounds([x, y, width, height]) {
    const isFirst = this.bounds === null;
    this.bounds = L.latLngBounds([y, x], [y + height, x + width]);
    // A map that grows while it is watched takes nobody's view of it away.
    if (isFirst || this.isFitted) this.fit();
    else this.map.setMaxBounds(this.bounds.pad(0.5));
  }

  fit() {
    if (this.bounds === null) return;
    this.isFitted = true;
    // Bounds of the zoom that came of a smaller view would hold here too.
    this.map.setMinZoom(-20);
    this.map.setMaxZoom(20);
    this.map.fitBounds(this.bounds, { animate: false });
    this.map.setMinZoom(this.map.getZoom() - 1);
    this.map.setMaxZoom(this.map.getZoom() + 5);
    this.map.setMaxBounds(this.bounds.pad(0.5));
    this.drawScale();
  }

  resized() {
    this.map.invalidateSize({ animate: false, pan: false });
    if (this.isFitted) this.fit();
  }

  /** @param {number} way */
  zoom(way) {
    this.isFitted = false;
    this.map.setZoom(this.map.getZoom() + way * 0.5, { animate: false });
  }

  /** @param {[number, number]} place In metres. */
  centre([x, y]) {
    this.isFitted = false;
    this.map.panTo([y, x], { animate: false });
  }

  /** Into the view, if it is not there. @param {[number, number]} place In metres. */
  reveal([x, y]) {
    if (this.map.getBounds().contains([y, x])) return;
    this.isFitted = false;
    this.map.panInside([y, x], { animate: false, padding: [40, 40] });
  }

  /** Pixels of the view. @param {[number, number]} place */
  pixel([x, y]) {
    return this.map.latLngToContainerPoint([y, x]);
  }

  pxPerMetre() {
    return this.map.options.crs.scale(this.map.getZoom());
  }

  drawScale() {
    if (this.bounds === null) return;
    const px = this.pxPerMetre() * this.unit.metres;
    const units = NICE.find((each) => each * px >= SCALE_PX) ?? NICE[NICE.length - 1];
    this.bar.style.width = `${Math.round(units * px)}px`;
    write(this.words, `${units} ${units === 1 ? this.unit.name.replace(/s$/, "") : this.unit.name}`);
  }
}
