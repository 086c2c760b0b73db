import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { OpenServices } from '../../../shared/core/context/open-services.js';
import {
  findNextRequeue,
  HANDOUTS_CHANNEL,
  requeueUnacknowledged,
} from '../../../shared/ci/job-handouts/put-back-jobs.js';
import type { BackgroundService } from '../../core/handler.js';

/** Two polls are so far apart at least, and at most while a hand-out waits, in milliseconds. */
const PAUSE_MS = 500;
const LONGEST_MS = 3_600_000;

/**
 * Queues hand-outs again that are not acknowledged in time, to the second: the recurring job comes only each minute.
 * While no hand-out waits it does nothing.
 */
export class AcknowledgementWatch implements BackgroundService {
  #services!: OpenServices;
  #unhear: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | null = null;
  /** Whether a hand-out began to wait since the last poll began. */
  #notified = false;
  #stopped = false;

  start(services: OpenServices): Promise<void> {
    this.#services = services;
    this.#unhear = services.channels.hear(HANDOUTS_CHANNEL, {
      onNotification: () => {
        this.#notified = true;
        this.#arm(this.#timeoutMs);
      },
      onConnected: () => this.#arm(0),
    });
    return Promise.resolve();
  }

  get #timeoutMs(): number {
    return this.#services.settings.current.ci_job_acknowledgement_seconds * 1000;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#unhear?.();
    await this.#polling;
  }

  /** The next poll is what matters: it finds out when the one after it is due. */
  #arm(ms: number): void {
    if (this.#stopped || this.#timer) return;
    this.#timer = setTimeout(() => (this.#polling = this.#poll()), Math.min(Math.max(ms, PAUSE_MS), LONGEST_MS));
  }

  async #poll(): Promise<void> {
    const ctx = new Context(this.#services, ANONYMOUS);
    let next: Date | null = ctx.clock.now();
    this.#notified = false;
    try {
      await requeueUnacknowledged(ctx);
      next = await findNextRequeue(ctx);
    } catch (error) {
      ctx.log.warn({ err: error }, 'unacknowledged hand-outs could not be queued again; tried again soon');
    }
    this.#timer = undefined;
    if (next) this.#arm(next.getTime() - ctx.clock.now().getTime());
    // Of a hand-out that these statements did not see.
    else if (this.#notified) this.#arm(this.#timeoutMs);
  }
}
