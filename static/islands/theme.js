/** Light, dark, or as the system has it. The choice is a cookie, so that the server draws the page in it at once. */

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
  });
}

function radios() {
  return /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-theme-choice] input"));
}
