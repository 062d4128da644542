/** What a mark tells: the card, and the line that leads to it. On hover or focus it passes; pressed, it stays and offers ways on. */

import { missionNow } from "../clock.js";
import { html, icon, svg } from "../dom.js";
import { age } from "../figures.js";

const EDGE_PX = 12;

/**
 * @typedef {{label: string, text: string, share: number | null, since_met_s: number | null}} Row
 * @typedef {{title: string, word: string, rows: Row[], note: string}} Told
 * @typedef {{key: string, entity: string | null}} Pin
 */

export class Card {
  /** @param {HTMLElement} view */
  constructor(view) {
    this.view = view;
    /** @type {Pin | null} */
    this.pin = null;
    this.leader = svg("svg", { class: "leader", "aria-hidden": "true" }, svg("path", {}));
    this.box = html("aside", { class: "hover", "aria-live": "off", hidden: "" });
    view.append(this.leader, this.box);
    this.box.addEventListener("click", (event) => event.stopPropagation());
    for (const kind of ["pointerdown", "mousedown", "dblclick", "wheel"]) {
      this.box.addEventListener(kind, (event) => event.stopPropagation());
    }
  }

  /** @param {Told} told @param {string} glyph @param {{x: number, y: number}} point In pixels of the view. @param {Pin | null} pin */
  show(told, glyph, point, pin = null) {
    if (this.pin !== null && pin === null) return;
    this.pin = pin;
    const head = html(
      "header",
      {},
      glyph ? icon(glyph) : null,
      html("b", { class: "mono" }, told.title),
      html("span", { class: "k" }, told.word),
    );
    this.box.replaceChildren(
      head,
      html("dl", { class: "kv" }, ...told.rows.map(row)),
      told.note ? html("p", {}, told.note) : "",
      pin ? ways(pin) : "",
    );
    this.box.hidden = false;
    this.box.classList.toggle("is-pinned", pin !== null);
    this.box.setAttribute("aria-label", `${told.title} on the map`);
    this.place(point);
  }

  /** A pinned card stays. */
  hide() {
    if (this.pin === null) this.close();
  }

  close() {
    this.pin = null;
    this.box.hidden = true;
    this.leader.classList.remove("is-on");
  }

  /** At the lower edge, on the side where it covers the mark least. @param {{x: number, y: number}} point */
  place({ x, y }) {
    const { clientWidth: width, clientHeight: height } = this.view;
    const { offsetWidth: cardWidth, offsetHeight: cardHeight } = this.box;
    const top = height - EDGE_PX - cardHeight;
    const isLow = y > top - 20;
    const isRight = isLow ? x < width / 2 : x > width / 2 && x > cardWidth + 2 * EDGE_PX;
    this.box.classList.toggle("is-right", isRight);
    const left = isRight ? width - EDGE_PX - cardWidth : EDGE_PX;
    const towards = Math.min(left + cardWidth - 8, Math.max(left + 8, x));
    const clear = !isLow && y < top - 16;
    this.leader.classList.toggle("is-on", clear);
    this.leader.firstElementChild?.setAttribute("d", clear ? `M${x} ${y + 13}L${towards} ${top}` : "");
  }
}

/** map.js hears what is pressed. @param {Pin} pin */
function ways({ entity }) {
  const button = (/** @type {string} */ does, /** @type {string} */ label) =>
    html("button", { class: "btn btn-sm", type: "button", "data-pin": does }, label);
  return html(
    "p",
    { class: "pin-ways" },
    entity === null ? null : button("record", "Show in memory"),
    button("centre", "Centre"),
    button("close", "Close"),
  );
}

/** @param {Row} row */
function row({ label, text, share, since_met_s }) {
  const words = since_met_s === null ? text : text.replace("{age}", age(missionNow() - since_met_s));
  const bar =
    share === null
      ? null
      : svg(
          "svg",
          { class: "meter w48", "aria-hidden": "true" },
          svg("rect", { class: "meter-track", width: "100%", height: "100%" }),
          svg("rect", { class: "meter-fill", width: `${(100 * share).toFixed(1)}%`, height: "100%" }),
        );
  return html("div", {}, html("dt", {}, label), html("dd", { class: "fig" }, bar, words));
}
