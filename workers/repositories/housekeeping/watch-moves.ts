import { MoveRepairer } from '../../../shared/repositories/housekeeping/repair-moves.js';
import type { Services } from '../../../shared/core/context/context.js';
import type { BackgroundService } from '../../core/handler.js';

/** Two polls and what they find have to fit into ten seconds. */
const POLL_MS = 2_000;

/** Checks at startup and every two seconds for ref moves whose process died before they were committed. */
export class MoveWatch implements BackgroundService {
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<unknown> | null = null;

  start(services: Services): Promise<void> {
    const repairer = new MoveRepairer(services);
    const poll = () => {
      this.#polling ??= repairer
        .poll()
        .catch((error: unknown) => services.log.warn({ err: error }, 'moves of refs were not looked at'))
        .finally(() => {
          this.#polling = null;
        });
    };
    poll();
    this.#timer = setInterval(poll, POLL_MS);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
  }
}
