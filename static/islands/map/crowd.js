/**
 * Entities beyond what elements can carry: drawn on one canvas, in the shapes of the page's own sprite, and found again by
 * a grid of cells. What matters is not among them: layers.js gives that an element.
 */

/**
 * @typedef {import("./marks.js").Entity} Entity
 * @typedef {{entity: Entity, x: number, y: number}} Placed
 */

/** @type {any} */
const L = /** @type {any} */ (globalThis).L;

const SIDE_PX = 16;
const CELL_PX = 24;
/** Drawn beyond the view on each side, so that the map can be dragged so far without drawing anew. */
const MARGIN_PX = 160;
const HALO_PX = { least: 9.5, whole: 45 };
/** Doubt is drawn in so many steps, each a stamp. */
const DOUBTS = 8;
/** With more in view their halos would run into one another and say nothing. */
const HALOS = 800;
const NAMES = 120;
const NAME_PX = { letter: 7.3, height: 14 };
const ALPHA = [1, 0.8, 0.6, 0.45];
/** @type {Record<string, string>} */
const COLOUR = { reconsider: "--caution", lost: "--caution", unsupported: "--mark-2" };

export class Crowd {
  /** @param {import("./view.js").View} view @param {(entity: Entity) => number} fadeOf */
  constructor(view, fadeOf) {
    this.view = view;
    this.fadeOf = fadeOf;
    /** @type {Entity[]} */
    this.entities = [];
    /** @type {Map<string, Placed[]>} */
    this.cells = new Map();
    /** @type {Map<string, HTMLCanvasElement>} */
    this.stamps = new Map();
    this.scheme = "";
    this.canvas = document.createElement("canvas");
    this.canvas.className = "map-crowd";
    this.canvas.setAttribute("aria-hidden", "true");
    view.map.getPane("crowd").append(this.canvas);
    /** Where the view stood when this was drawn, in pixels of the layer. */
    this.drawnAt = { x: 0, y: 0 };
    view.map.on("zoom viewreset resize", () => this.redraw());
    view.map.on("move", () => this.isNearEdge() && this.redraw());
  }

  /** @param {Entity[]} entities */
  draw(entities) {
    this.entities = entities;
    this.redraw();
  }

  /** The canvas goes along with the map until there is more to see than was drawn. */
  isNearEdge() {
    const { x, y } = this.view.map.containerPointToLayerPoint([0, 0]);
    return Math.max(Math.abs(x - this.drawnAt.x), Math.abs(y - this.drawnAt.y)) > 0.8 * MARGIN_PX;
  }

  redraw() {
    this.cells.clear();
    this.canvas.hidden = this.entities.length === 0;
    if (this.canvas.hidden) return;
    const width = this.view.element.clientWidth + 2 * MARGIN_PX;
    const height = this.view.element.clientHeight + 2 * MARGIN_PX;
    const density = devicePixelRatio || 1;
    if (this.canvas.width !== width * density || this.canvas.height !== height * density) {
      this.canvas.width = width * density;
      this.canvas.height = height * density;
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    this.drawnAt = this.view.map.containerPointToLayerPoint([0, 0]);
    L.DomUtil.setPosition(this.canvas, this.view.map.containerPointToLayerPoint([-MARGIN_PX, -MARGIN_PX]));
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.view.element);
    this.renew(style, density);
    const placed = this.place(width, height);
    if (placed.length <= HALOS && !this.view.element.classList.contains("no-doubt")) {
      for (const { entity, x, y } of placed) {
        const { canvas, side } = this.halo(Math.round(entity.doubt * DOUBTS) / DOUBTS, style, density);
        context.drawImage(canvas, x - side / 2, y - side / 2, side, side);
      }
    }
    for (const { entity, x, y } of placed) {
      context.globalAlpha = ALPHA[this.fadeOf(entity)];
      context.drawImage(this.stamp(entity.shape, style, density), x - SIDE_PX / 2, y - SIDE_PX / 2, SIDE_PX, SIDE_PX);
    }
    context.globalAlpha = 1;
    if (!this.view.element.classList.contains("no-names")) names(context, placed, style);
  }

  /** Within reach of a pointer, the nearest. @param {number} x @param {number} y @returns {Placed | null} */
  at(x, y) {
    const found = this.near(x + this.shift().x, y + this.shift().y);
    return found === null ? null : { ...found, x: found.x - this.shift().x, y: found.y - this.shift().y };
  }

  /** From a place in the view to one on the canvas. */
  shift() {
    const { x, y } = this.view.map.containerPointToLayerPoint([0, 0]);
    return { x: MARGIN_PX + x - this.drawnAt.x, y: MARGIN_PX + y - this.drawnAt.y };
  }

  /** @param {number} x @param {number} y @returns {Placed | null} */
  near(x, y) {
    let best = null;
    let least = CELL_PX / 2;
    for (let i = -1; i <= 1; i += 1) {
      for (let j = -1; j <= 1; j += 1) {
        for (const each of this.cells.get(cell(x + i * CELL_PX, y + j * CELL_PX)) ?? []) {
          const distance = Math.hypot(each.x - x, each.y - y);
          if (distance < least) [best, least] = [each, distance];
        }
      }
    }
    return best;
  }

  /** Those on the canvas, by cell. @param {number} width @param {number} height */
  place(width, height) {
    const placed = [];
    for (const entity of this.entities) {
      const point = this.view.pixel(/** @type {[number, number]} */ (entity.place));
      const [x, y] = [point.x + MARGIN_PX, point.y + MARGIN_PX];
      if (x < -SIDE_PX || y < -SIDE_PX || x > width + SIDE_PX || y > height + SIDE_PX) continue;
      const each = { entity, x, y };
      placed.push(each);
      const key = cell(x, y);
      const known = this.cells.get(key);
      if (known) known.push(each);
      else this.cells.set(key, [each]);
    }
    return placed;
  }

  /** Another theme or density, other stamps. @param {CSSStyleDeclaration} style @param {number} density */
  renew(style, density) {
    const scheme = `${style.getPropertyValue("color-scheme")} ${style.color} ${density}`;
    if (scheme === this.scheme) return;
    this.scheme = scheme;
    this.stamps.clear();
  }

  /** @param {number} doubt @param {CSSStyleDeclaration} style @param {number} density */
  halo(doubt, style, density) {
    const radius = HALO_PX.least + HALO_PX.whole * doubt;
    const side = 2 * Math.ceil(radius);
    const known = this.stamps.get(`halo ${doubt}`);
    if (known) return { canvas: known, side };
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(side * density);
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.scale(density, density);
    context.globalAlpha = 0.1;
    context.fillStyle = style.color;
    context.arc(side / 2, side / 2, radius, 0, 2 * Math.PI);
    context.fill();
    this.stamps.set(`halo ${doubt}`, canvas);
    return { canvas, side };
  }

  /** A shape, drawn once. @param {string} name @param {CSSStyleDeclaration} style @param {number} density */
  stamp(name, style, density) {
    const known = this.stamps.get(name);
    if (known) return known;
    const made = document.createElement("canvas");
    made.width = made.height = Math.ceil(SIDE_PX * density);
    const context = /** @type {CanvasRenderingContext2D} */ (made.getContext("2d"));
    context.scale(density, density);
    const probe = document.createElement("span");
    this.view.element.append(probe);
    for (const part of document.querySelectorAll(`#i-${name} > *`)) {
      drawPart(context, part, (value) => colour(probe, value, COLOUR[name] ?? "--mark"));
    }
    probe.remove();
    this.stamps.set(name, made);
    return made;
  }
}

/** @param {CanvasRenderingContext2D} context @param {Element} part @param {(value: string) => string} paint */
function drawPart(context, part, paint) {
  const path = outline(part);
  const fill = part.getAttribute("fill");
  const stroke = part.getAttribute("stroke");
  if (fill && fill !== "none") {
    context.fillStyle = paint(fill);
    context.fill(path);
  }
  if (!stroke) return;
  context.strokeStyle = paint(stroke);
  context.lineWidth = Number(part.getAttribute("stroke-width") ?? 1);
  context.setLineDash((part.getAttribute("stroke-dasharray") ?? "").split(" ").filter(Boolean).map(Number));
  context.stroke(path);
}

/** @param {Element} part */
function outline(part) {
  const number = (/** @type {string} */ name) => Number(part.getAttribute(name) ?? 0);
  if (part.tagName === "path") return new Path2D(part.getAttribute("d") ?? "");
  const path = new Path2D();
  if (part.tagName === "circle") path.arc(number("cx"), number("cy"), number("r"), 0, 2 * Math.PI);
  else path.roundRect(number("x"), number("y"), number("width"), number("height"), number("rx"));
  return path;
}

/** What a colour of the sheet comes to here and now. @param {HTMLElement} probe @param {string} value @param {string} current */
function colour(probe, value, current) {
  probe.style.color = value === "currentColor" ? `var(${current})` : value.replace("--surface", "--map-free");
  return getComputedStyle(probe).color;
}

/** Only names that touch neither a mark nor another name. @param {CanvasRenderingContext2D} context @param {Placed[]} placed @param {CSSStyleDeclaration} style */
function names(context, placed, style) {
  const taken = new Set(placed.map(({ x, y }) => cell(x, y)));
  context.font = `500 12px ${style.getPropertyValue("--mono")}`;
  context.fillStyle = style.color;
  let written = 0;
  for (const { entity, x, y } of placed) {
    if (written >= NAMES) return;
    const width = NAME_PX.letter * entity.id.length;
    const keys = cells(x + CELL_PX, y, width);
    if (keys.some((key) => taken.has(key))) continue;
    keys.forEach((key) => taken.add(key));
    context.fillText(entity.id.slice(0, 40), x + 14, y + 4);
    written += 1;
  }
}

/** @param {number} x @param {number} y @param {number} width */
function cells(x, y, width) {
  const keys = [];
  for (let at = x; at < x + width; at += CELL_PX) {
    keys.push(cell(at, y - NAME_PX.height / 2), cell(at, y + NAME_PX.height / 2));
  }
  return keys;
}

/** @param {number} x @param {number} y */
function cell(x, y) {
  return `${Math.floor(x / CELL_PX)} ${Math.floor(y / CELL_PX)}`;
}
