import type { PgBoss } from 'pg-boss';
import type { OpenServices } from '../../../shared/core/context/open-services.js';
import type { Handler } from '../../core/handler.js';
import type { JobProcesses } from './job-processes.js';
import type { RunningJobs } from './running-jobs.js';
import { subscribe } from './work.js';

/** The queues that the process fetches from: those of its handlers that are not paused. */
export class Subscriptions {
  readonly #open = new Set<string>();
  #stopped = false;

  /** @param processes run the jobs of isolated kinds; without them all run on this thread */
  constructor(
    private readonly services: OpenServices,
    private readonly boss: PgBoss,
    private readonly handlers: readonly Handler[],
    private readonly running: RunningJobs,
    private readonly processes?: JobProcesses,
  ) {}

  /**
   * Subscribes to queues that are not paused and unsubscribes from paused ones; running batches continue. Calls run one
   * after the other.
   */
  async sync(paused: ReadonlySet<string>): Promise<void> {
    if (this.#stopped) return;
    for (const handler of this.handlers) {
      const { name } = handler.kind;
      if (paused.has(name) === !this.#open.has(name)) continue;
      if (paused.has(name)) await this.#leave(name);
      else await this.#enter(handler);
    }
  }

  async #enter(handler: Handler) {
    await subscribe(this.services, this.boss, handler, this.running, this.processes);
    this.#open.add(handler.kind.name);
  }

  async #leave(queue: string) {
    await this.boss.offWork(queue, { wait: false });
    this.#open.delete(queue);
    this.services.log.info({ job: queue }, 'the queue is paused');
  }

  /** Nothing is subscribed to any more. */
  stop(): void {
    this.#stopped = true;
  }
}
