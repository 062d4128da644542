/** Every page but the episode console: theme, clock, menu, HOLD in lists. */

import { TICK_MS, tick } from "./clock.js";
import { showCut, watchCommands } from "./cut.js";
import { write } from "./dom.js";
import { linkAge } from "./figures.js";
import { startHold } from "./hold.js";
import { heardAnything, silenceS, STALE_S } from "./links.js";
import { startMorph } from "./morph.js";
import { startParts } from "./parts.js";
import { startTheme } from "./theme.js";

startTheme();
startMorph();
startParts();
startHold();
watchCommands();
setInterval(look, TICK_MS);

// The list fetches itself each two seconds: that it came is the sign of life here.
document.body.addEventListener("htmx:afterSettle", (event) => {
  const list = document.getElementById("episodes");
  if (list === null || event.target !== list) return;
  heardAnything();
  write(document.getElementById("episodes-summary"), list.dataset.summary ?? "");
});

function look() {
  tick();
  if (document.getElementById("episodes") === null) return;
  const isOld = silenceS() > STALE_S;
  showCut(isOld ? `The server is out of reach. This list is ${linkAge(silenceS())} old.` : "");
}
