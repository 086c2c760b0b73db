import type { PgBoss } from 'pg-boss';
import { JobSender, RECURRING_KEY } from '../../../shared/core/jobs.js';
import type { JobKind } from '../../../shared/core/jobs.js';
import type { OpenServices } from '../../../shared/core/open-services.js';
import { waitingRecurring } from '../../../shared/instance/pg-boss/recurring-jobs.js';
import type { BackgroundService } from '../../core/handler.js';

/** A job that is due again and again. Its payload is empty. */
export interface Recurring {
  kind: JobKind<object>;
  everySeconds: number;
}

/** Who sends them, in their context. */
const RECURRING = 'recurring_jobs';

/** Looked at this often, so that a job starts soon after its time, and after the service was down. */
const LOOK_MS = 20_000;

/**
 * Sends the recurring jobs. Every worker process tries, and the queue takes one for each slot of time: the first
 * that comes, also when it is done already. While one waits, as in a queue that is paused, no other is sent.
 */
export class RecurringJobs implements BackgroundService {
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(private readonly jobs: readonly Recurring[]) {}

  start(services: OpenServices, boss: Pick<PgBoss, 'send'>): Promise<void> {
    const send = () => {
      this.#sending = this.#sendAll(services, boss).catch((error: unknown) =>
        services.log.warn({ err: error }, 'recurring jobs were not sent; tried again soon'),
      );
    };
    send();
    this.#timer = setInterval(send, LOOK_MS);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
  }

  async #sendAll({ db }: Pick<OpenServices, 'db'>, boss: Pick<PgBoss, 'send'>) {
    const waiting = await waitingRecurring(
      db,
      this.jobs.map(({ kind }) => kind.name),
    );
    const sender = new JobSender(boss).sentBy(RECURRING);
    for (const { kind, everySeconds } of this.jobs.filter(({ kind: { name } }) => !waiting.has(name)))
      await sender.send(kind, {}, { singletonKey: RECURRING_KEY, singletonSeconds: everySeconds });
  }
}
