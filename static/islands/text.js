/**
 * What came as JSON is as untrusted as what came as HTML. It only ever becomes text nodes and attributes; characters
 * that reorder or hide text are written out and what is endless is cut, as backend/web/pages/environment.py does.
 */

const LONGEST = 2000;

const DECEIVING = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff" +
    "\\ufff9-\\ufffb\\ud800-\\udfff\\u{e0000}-\\u{e007f}]",
  "gu",
);

/** @param {unknown} value */
export function visible(value) {
  const text = String(value);
  const shown = text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… and ${text.length - LONGEST} more characters`;
  return shown.replaceAll("\r\n", "\n").replace(DECEIVING, (found) => {
    const point = /** @type {number} */ (found.codePointAt(0));
    return `⟨U+${point.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}
