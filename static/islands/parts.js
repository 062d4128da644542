/** Small things that every page has: the menu, the list of keys, copying, filters that submit themselves. */

export function startParts() {
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    for (const menu of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.menu[open]"))) {
      if (!menu.contains(target)) menu.open = false;
    }
    if (target.closest("[data-keys]")) showKeys();
    if (target.closest("[data-print]")) print();
    const copy = /** @type {HTMLElement | null} */ (target.closest("[data-copy]"));
    if (copy) copyText(copy);
    const close = target.closest("[data-close-sheet]");
    if (close) {
      event.preventDefault();
      document.getElementById("abort")?.replaceChildren();
      document.getElementById("tl-abort")?.focus();
    }
  });
  document.addEventListener("change", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    if (target.dataset.submits !== undefined) target.form?.requestSubmit();
  });
}

export function showKeys() {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("keys"));
  if (dialog && !dialog.open) dialog.showModal();
}

/** @param {HTMLElement} button */
async function copyText(button) {
  const text = document.getElementById(button.dataset.copy ?? "")?.textContent ?? "";
  const word = button.querySelector("span");
  try {
    await navigator.clipboard.writeText(text);
    if (word) word.textContent = "Copied";
  } catch {
    if (word) word.textContent = "Select the text and copy it";
  }
  setTimeout(() => word && (word.textContent = "Copy"), 2000);
}
