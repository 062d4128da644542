/**
 * Light, dark, or as the system has it: each person's own choice, whichever browser they use. The cookie keeps it for the
 * pages before sign-in.
 */

import { prefer } from "./likes.js";

const YEAR_S = 31_536_000;

export function startTheme() {
  const root = document.documentElement;
  for (const input of radios()) input.checked = input.value === (root.dataset.theme ?? "system");
  document.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (!input.closest("[data-theme-choice]")) return;
    if (input.value === "system") delete root.dataset.theme;
    else root.dataset.theme = input.value;
    document.cookie = `qd_theme=${input.value}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
    prefer("theme", input.value);
  });
}

function radios() {
  return /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-theme-choice] input"));
}
