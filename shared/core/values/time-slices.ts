import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a loop goes on before others get their turn, in milliseconds. */
const SLICE_MS = 10;

/** Shares the thread between a long loop, of which each step is short, and whatever else runs on it. */
export class TimeSlices {
  #since = performance.now();

  /** To be called between two steps: lets others go first where this loop has had its time. */
  async take(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
