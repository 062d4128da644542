/** How this person likes the console, kept by the server for whichever browser they use: theme, sound, notification. */

/** @param {string} name @param {string} value */
export function prefer(name, value) {
  if (document.documentElement.dataset.user === undefined) return;
  void fetch("/preferences", { method: "POST", body: new URLSearchParams({ name, value }) }).catch(() => undefined);
}

export function startLikes() {
  const likes = document.documentElement.dataset;
  for (const box of boxes()) box.checked = likes[box.name] === "on";
  document.addEventListener("change", (event) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    if (!box.closest("[data-like]")) return;
    void switched(box);
  });
}

/** A sound that nobody can hear and a notification that the browser refuses would be a promise not kept. @param {HTMLInputElement} box */
async function switched(box) {
  if (box.name === "notify" && box.checked && (await allowed()) !== "granted") {
    box.checked = false;
    say("This browser does not let the console notify you. Allow it in the browser’s settings for this page.");
    return;
  }
  say("");
  const value = box.checked ? "on" : "off";
  document.documentElement.dataset[box.name] = value;
  prefer(box.name, value);
  if (box.name === "sound" && box.checked) void (await import("./queue.js")).sound("ask");
}

function allowed() {
  return globalThis.Notification ? Notification.requestPermission() : Promise.resolve("denied");
}

/** @param {string} words */
function say(words) {
  const note = document.getElementById("like-note");
  if (note === null) return;
  note.hidden = words === "";
  note.textContent = words;
}

function boxes() {
  return /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-like] input"));
}
