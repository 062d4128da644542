/**
 * One run at a time, however often it is asked for, and after a long one a rest: so that what is heavy takes a part of the
 * time and never all of it.
 */

const REST = 3;
const LONGEST_MS = 2000;

/** @param {() => Promise<void>} run @returns {() => Promise<void>} asks for a run; the last one asked for is always run */
export function restful(run) {
  let isBusy = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      const began = performance.now();
      await run();
      if (isWanted) await pause(Math.min(LONGEST_MS, REST * (performance.now() - began)));
    }
    isBusy = false;
  };
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
