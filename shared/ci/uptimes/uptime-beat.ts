import type { Services } from '../../core/context/context.js';
import { noteUptime } from './uptimes.js';

/** One may be missed when another process begins, a few before that counts as an outage. */
const BEAT_MS = 10_000;

/** Notes again and again that this process is there to hear runners. */
export class UptimeBeat {
  #timer: NodeJS.Timeout | undefined;
  #noting: Promise<void> | null = null;
  #isFirst = true;

  constructor(private readonly services: Pick<Services, 'db' | 'clock' | 'log'>) {}

  /** Begins at once. */
  start(): void {
    this.#beat();
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#noting;
  }

  #beat(): void {
    this.#noting ??= this.#note().finally(() => (this.#noting = null));
  }

  async #note(): Promise<void> {
    const { db, clock, log } = this.services;
    try {
      await noteUptime(db, clock.now(), this.#isFirst);
      this.#isFirst = false;
    } catch (error) {
      log.warn({ err: error }, 'it was not noted that runners are heard; tried again soon');
    }
  }
}
