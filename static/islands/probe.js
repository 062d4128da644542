/**
 * A pixel of a camera's picture, by click or by a cursor that arrow keys move: it is written into the form beside it,
 * which asks for its point in space.
 */

const PICTURE_PX = 512;
const STEP_PX = 4;
const FAR_PX = 32;
/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function startProbe() {
  document.addEventListener("click", (event) => {
    const probe = probeOf(event.target);
    if (probe === null || form() === null) return;
    // A key's click has no place: it reads where the cursor stands.
    if (event.detail > 0) write(probe, placeOf(probe, event));
    else choose(probe);
    form()?.requestSubmit();
  });
  document.addEventListener("keydown", (event) => {
    const probe = probeOf(event.target);
    const way = WAYS[event.key];
    if (probe === null || way === undefined || form() === null) return;
    event.preventDefault();
    const by = event.shiftKey ? FAR_PX : STEP_PX;
    const [x, y] = written();
    write(probe, [x + by * way[0], y + by * way[1]]);
    draw(probe);
  });
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
function probeOf(target) {
  return target instanceof Element ? target.closest("button.probe[data-probe]") : null;
}

/** @returns {HTMLFormElement | null} */
function form() {
  return /** @type {HTMLFormElement | null} */ (document.getElementById("probe-form"));
}

/** @param {HTMLElement} probe @param {MouseEvent} event @returns {[number, number]} */
function placeOf(probe, event) {
  const picture = /** @type {SVGSVGElement} */ (probe.querySelector("svg"));
  const box = picture.getBoundingClientRect();
  const view = picture.viewBox.baseVal;
  return [((event.clientX - box.left) / box.width) * view.width, ((event.clientY - box.top) / box.height) * view.height];
}

/** @returns {[number, number]} */
function written() {
  return [Number(field("x_px")?.value), Number(field("y_px")?.value)];
}

/** @param {HTMLElement} probe @param {[number, number]} place */
function write(probe, place) {
  choose(probe);
  for (const [name, value] of /** @type {[string, number][]} */ ([["x_px", place[0]], ["y_px", place[1]]])) {
    const input = field(name);
    if (input !== null) input.value = String(Math.min(PICTURE_PX - 1, Math.max(0, Math.round(value))));
  }
}

/** @param {HTMLElement} probe */
function choose(probe) {
  const camera = field("camera");
  if (camera !== null) camera.value = probe.dataset.probe ?? "";
}

/** @param {string} name @returns {HTMLInputElement | HTMLSelectElement | null} */
function field(name) {
  return /** @type {HTMLInputElement | null} */ (form()?.elements.namedItem(name) ?? null);
}

/** The cursor where it stands now; the point is read with Enter. @param {HTMLElement} probe */
function draw(probe) {
  const picture = /** @type {SVGSVGElement} */ (probe.querySelector("svg"));
  const [x, y] = written();
  document.querySelectorAll(".probe .cross").forEach((cross) => cross.remove());
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  group.setAttribute("class", "cross");
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  ring.setAttribute("cx", String(x));
  ring.setAttribute("cy", String(y));
  ring.setAttribute("r", "9");
  const lines = document.createElementNS("http://www.w3.org/2000/svg", "path");
  lines.setAttribute("d", `M${x - 18} ${y}h36M${x} ${y - 18}v36`);
  group.append(ring, lines);
  picture.append(group);
}
