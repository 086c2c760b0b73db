import type { HoldPoint, HoldPoints } from '../../shared/core/context/hold-points.js';

/** One run that is held, until the test lets it go on. */
export interface Held {
  /** Settled once a run has come to the point. */
  readonly reached: Promise<void>;
  release(): void;
}

/** Holds the first run that comes to each point that a test names; everything else goes by. An app of tests has one. */
export class HeldRuns implements HoldPoints {
  readonly #holds = new Map<HoldPoint, { come: () => void; gone: Promise<void> }>();

  hold(point: HoldPoint): Held {
    const reached = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    this.#holds.set(point, { come: () => reached.resolve(), gone: gone.promise });
    return { reached: reached.promise, release: () => gone.resolve() };
  }

  async reach(point: HoldPoint): Promise<void> {
    const hold = this.#holds.get(point);
    if (!hold) return;
    this.#holds.delete(point);
    hold.come();
    await hold.gone;
  }
}
