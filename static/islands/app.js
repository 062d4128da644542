/** Every page but the episode console: theme, clock, menu, HOLD in lists. */

import { TICK_MS, tick } from "./clock.js";
import { write } from "./dom.js";
import { startHold } from "./hold.js";
import { heardAnything } from "./links.js";
import { startMorph } from "./morph.js";
import { startParts } from "./parts.js";
import { startTheme } from "./theme.js";

startTheme();
startMorph();
startParts();
startHold();
setInterval(tick, TICK_MS);

// The list fetches itself each two seconds: that it came is the sign of life here.
document.body.addEventListener("htmx:afterSettle", () => {
  heardAnything();
  const list = document.getElementById("episodes");
  if (list) write(document.getElementById("episodes-summary"), list.dataset.summary ?? "");
});
