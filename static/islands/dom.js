/** Making elements without ever writing markup. */

import { visible } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";

/** Attributes that draw, and so are never shortened: a large map's walls are one path. */
const DRAWN = new Set(["d", "points"]);

/** @typedef {Node | string | number | null | undefined | false} Child */

/** @param {string} tag @param {Record<string, unknown>} [attributes] @param {...Child} children */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** @param {string} tag @param {Record<string, unknown>} [attributes] @param {...Child} children */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (fill(document.createElementNS(SVG, tag), attributes, children));
}

/** A shape of the sprite. @param {string} name @param {Record<string, unknown>} [attributes] */
export function shape(name, attributes = {}) {
  return svg("use", { href: `#i-${name}`, ...attributes });
}

/** @param {string} name */
export function icon(name) {
  return svg("svg", { class: "i", "aria-hidden": "true" }, shape(name));
}

/** Set an element's text if it differs. @param {Element | null} element @param {string} text */
export function write(element, text) {
  if (element !== null && element.textContent !== text) element.textContent = text;
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, unknown>} attributes Those that are null, undefined or false are left out.
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, DRAWN.has(name) ? String(value) : visible(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(child));
  }
  return element;
}
