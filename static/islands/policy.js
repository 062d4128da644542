/** The policy page: the status bar lives on it as on the console, so that HOLD and its state are at hand. */

import { heardMission, heardServer, TICK_MS, tick } from "./clock.js";
import { showHealth, watchCommands } from "./cut.js";
import { startHold } from "./hold.js";
import { drawLinks, heardAges } from "./links.js";
import { Live } from "./live.js";
import { startMorph } from "./morph.js";
import { changed, watchFailures } from "./panels.js";
import { startParts } from "./parts.js";
import { startTheme } from "./theme.js";

const page = /** @type {HTMLElement} */ (document.getElementById("console"));

startTheme();
startMorph();
startParts();
startHold();
watchCommands();
watchFailures();

setInterval(() => {
  tick();
  drawLinks();
}, TICK_MS);

new Live(page.dataset.episode ?? "", Number(page.dataset.head), {
  message(message) {
    heardMission(message.met_s);
    if (message.type === "event" && message.body.panels.includes("bar")) changed(["bar"]);
    if (message.type !== "age") return;
    heardServer(message.body.server_ms);
    heardAges(message.body.ages_s);
  },
  gap: () => changed(["bar"]),
  health: showHealth,
}).start();
