/** Every page but the episode console: theme, clock, menu, HOLD in lists. */

import { heardServer, TICK_MS, tick } from "./clock.js";
import { showCut, watchCommands } from "./cut.js";
import { write } from "./dom.js";
import { linkAge } from "./figures.js";
import { startHold } from "./hold.js";
import { startLikes } from "./likes.js";
import { drawLinks, heardAges, silenceS, STALE_S } from "./links.js";
import { Live } from "./live.js";
import { startMorph } from "./morph.js";
import { startPalette } from "./palette.js";
import { changed, watchFailures } from "./panels.js";
import { startParts } from "./parts.js";
import { heardQueue } from "./queue.js";
import { startTheme } from "./theme.js";

const LOOKS = document.getElementById("episodes");

startTheme();
startLikes();
startMorph();
startParts();
startHold();
startPalette();
watchCommands();
watchFailures();
setInterval(look, TICK_MS);

/** When the list was wanted again and has not come since; null while it is as new as anything told. @type {number | null} */
let wanted = null;

document.body.addEventListener("qd:episodes", () => (wanted ??= performance.now()));
document.body.addEventListener("htmx:afterSettle", (event) => {
  const list = document.getElementById("episodes");
  if (list === null || event.target !== list) return;
  wanted = null;
  write(document.getElementById("episodes-summary"), list.dataset.summary ?? "");
});

// Pages of whoever is signed in are told what needs a person; the list lives by it.
if (document.getElementById("queue")) {
  new Live("", 0, {
    message(message) {
      if (message.type === "queue") heardQueue(message.body);
      if (message.type !== "age") return;
      heardServer(message.body.server_ms);
      heardAges(message.body.ages_s);
    },
    gap: () => changed(["episodes", "queue"]),
    health(health) {
      if (health.state === "open") changed(["episodes", "queue"]);
    },
  }).start();
}

function look() {
  tick();
  drawLinks();
  if (LOOKS === null) return;
  const old_s = Math.max(silenceS(), wanted === null ? 0 : (performance.now() - wanted) / 1000);
  showCut(old_s > STALE_S ? `The server is out of reach. This list is ${linkAge(old_s)} old.` : "");
}
