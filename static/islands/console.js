/** The episode console: one live socket, which tells panels to fetch themselves, moves robots, and keeps the clocks. */

import { startClearing } from "./clearing.js";
import { heardMission, heardServer, TICK_MS, tick } from "./clock.js";
import { showHealth, watchCommands } from "./cut.js";
import { write } from "./dom.js";
import { startEditor } from "./editor.js";
import { startFresh } from "./fresh.js";
import { startHold } from "./hold.js";
import { startKeys } from "./keys.js";
import { startLikes } from "./likes.js";
import { drawLinks, heardAges } from "./links.js";
import { Live } from "./live.js";
import { startMap } from "./map/map.js";
import { startMorph } from "./morph.js";
import { startOvertaken } from "./overtaken.js";
import { allChanged, changed, watchFailures } from "./panels.js";
import { startPalette } from "./palette.js";
import { startParts } from "./parts.js";
import { startPointing } from "./pointing.js";
import { startProbe } from "./probe.js";
import { heardQueue, titled } from "./queue.js";
import { startScores } from "./scores.js";
import { startTheme } from "./theme.js";
import { startTimeline } from "./timeline/timeline.js";

const page = /** @type {HTMLElement} */ (document.getElementById("console"));

startTheme();
startLikes();
startMorph();
startParts();
startHold();
startFresh();
startClearing();
startEditor();
startPointing();
startProbe();
startScores();
startOvertaken();
startKeys();
startPalette();
watchCommands();
watchFailures();
const map = startMap();
startTimeline();

setInterval(() => {
  tick();
  drawLinks();
  map.drawStale();
}, TICK_MS);

document.body.addEventListener("htmx:afterSettle", () => {
  const title = document.getElementById("bar")?.dataset.title;
  if (title && page.dataset.at === undefined) titled(`${title} – Quarterdeck`);
});

let wasLost = false;
new Live(page.dataset.episode ?? "", Number(page.dataset.head), {
  message(message) {
    if (message.type === "queue") return heardQueue(message.body);
    heardMission(message.met_s);
    if (message.type === "event") changed(message.body.panels);
    if (message.type === "telemetry" && page.dataset.at === undefined) {
      map.robotMoved(message.body);
      drawReadings(message.body);
    }
    if (message.type === "age") {
      heardServer(message.body.server_ms);
      if (heardAges(message.body.ages_s)) changed(["bar"]);
    }
  },
  gap: allChanged,
  health(health) {
    showHealth(health);
    if (health.state === "open" && wasLost) changed(["bar"]);
    wasLost = health.state !== "open";
  },
}).start();

/** @param {{robot: string, readings: Record<string, string>}} body */
function drawReadings(body) {
  const strip = document.getElementById("readings");
  if (strip === null || strip.dataset.robot !== body.robot) return;
  for (const [key, text] of Object.entries(body.readings)) {
    write(strip.querySelector(`[data-reading="${CSS.escape(key)}"]`), text);
  }
}
