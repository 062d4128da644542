/**
 * Playing a replay by mission time, at half its pace to sixteen times. What cannot be drawn in time is left out and the
 * pace kept; where mission time stands still, as in worlds that wait, event follows event.
 */

const LOOK_MS = 150;
/** A stretch without events is not sat through at full length. */
const LONGEST_S = 2;

/**
 * The newest event by `met_s`, of `[met_s, seq]` in order.
 * @param {[number, number][]} ticks @param {number} met_s
 */
export function seqAt(ticks, met_s) {
  let low = 0;
  let high = ticks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ticks[middle][0] <= met_s) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 1 : ticks[low - 1][1];
}

/** When an event happened, as far as the ticks tell. @param {[number, number][]} ticks @param {number} seq */
export function metOf(ticks, seq) {
  return (ticks.find((tick) => tick[1] >= seq) ?? ticks[ticks.length - 1] ?? [0, 0])[0];
}

/**
 * Where playing stands after `elapsed_s` on the wall's clock, from event `at` at `met_s`.
 * @param {[number, number][]} ticks @param {number} met_s @param {number} at @param {number} elapsed_s @param {number} speed
 */
export function played(ticks, met_s, at, elapsed_s, speed) {
  const now_s = met_s + elapsed_s * speed;
  const seq = seqAt(ticks, now_s);
  if (seq > at) return { seq, met_s: now_s };
  const next = ticks.find((tick) => tick[1] > at);
  if (next !== undefined && next[0] - now_s > LONGEST_S * speed && elapsed_s > LONGEST_S) return { seq: next[1], met_s: next[0] };
  return { seq: at, met_s: now_s };
}

/**
 * @param {{ticks: () => [number, number][], cursor: () => number | null, head: () => number, met_s: () => number,
 *   isBusy: () => boolean, go: (seq: number) => void, shown: (isPlaying: boolean) => void}} told
 */
export function player(told) {
  let timer = 0;
  let speed = 1;
  let since = 0;
  let from = { seq: 0, met_s: 0 };

  const begin = () => {
    from = { seq: told.cursor() ?? 0, met_s: told.met_s() };
    since = performance.now();
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    told.shown(false);
  };
  const look = () => {
    const at = told.cursor();
    if (at === null || at >= told.head()) return stop();
    if (told.isBusy()) return;
    if (at !== from.seq) begin();
    const next = played(told.ticks(), from.met_s, at, (performance.now() - since) / 1000, speed);
    if (next.seq <= at) return;
    from = { seq: Math.min(next.seq, told.head()), met_s: next.met_s };
    since = performance.now();
    told.go(from.seq);
  };
  return {
    stop,
    toggle() {
      if (timer) return stop();
      begin();
      timer = setInterval(look, LOOK_MS);
      told.shown(true);
    },
    /** @param {number} times */
    setSpeed(times) {
      speed = times;
      begin();
    },
    isPlaying: () => timer !== 0,
  };
}
