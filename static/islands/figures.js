/**
 * How figures are written while they tick: alike with backend/web/pages/figures.py, and tested against the same table.
 */

/** 12 s, then 1:04, then 1:02:03. Whole seconds, never rounded up. @param {number} seconds */
export function age(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

/** 0.1 s below ten seconds. @param {number} seconds */
export function linkAge(seconds) {
  const tenths = Math.max(0, Math.floor(seconds * 10));
  return tenths < 100 ? `${Math.floor(tenths / 10)}.${tenths % 10} s` : age(seconds);
}

/** 0:52. Rounded up, so that 0:00 is shown only when it is over. @param {number} seconds */
export function countdown(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}

/** Mission elapsed time: 00:14:32. @param {number} seconds */
export function met(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** 1,904. @param {number} number */
export function count(number) {
  return number.toLocaleString("en-GB");
}

/** @param {number} number */
function two(number) {
  return String(number).padStart(2, "0");
}
