import type { PgBoss } from 'pg-boss';
import { SCHEDULES_CHANNEL } from '../../shared/pipeline-schedules/notify-alarms.js';
import { tickPipelineSchedules } from '../../shared/pipeline-schedules/pipeline-schedule.jobs.js';
import { sql } from '../../shared/core/sql.js';
import type { OpenServices } from '../../shared/core/services.js';
import type { Companion } from '../core/handler.js';
import { Listener } from '../core/listener.js';

/** A look this often finds what every other way missed. */
const BACKSTOP_MS = 5_000;

/**
 * Rings at the earliest `next_run_at` by the database's clock, and then sends one tick job for that moment. Each
 * worker process has one; the queue takes a moment's tick once. It is set again whenever a schedule changes.
 */
export class ScheduleAlarm implements Companion {
  #services!: OpenServices;
  #boss!: PgBoss;
  #listener: Listener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #backstop: NodeJS.Timeout | undefined;
  /** What the timer is set to, in milliseconds since 1970. */
  #armedFor = Number.POSITIVE_INFINITY;
  /** The moment that last rang: it rings again only at the backstop, should its tick have been lost. */
  #rungFor = 0;
  #looking: Promise<void> | null = null;

  async start(services: OpenServices, boss: PgBoss): Promise<void> {
    this.#services = services;
    this.#boss = boss;
    this.#listener = new Listener({
      url: services.config.databaseUrl,
      channel: SCHEDULES_CHANNEL,
      log: services.log,
      onNotification: (payload) => this.#hear(payload),
      onConnected: () => void this.#look(),
    });
    await this.#listener.start();
    this.#backstop = setInterval(() => {
      this.#rungFor = 0;
      void this.#look();
    }, BACKSTOP_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#backstop);
    clearTimeout(this.#timer);
    await this.#listener?.stop();
    await this.#looking;
  }

  /** A payload is the changed schedule's next run: one that is not earlier than the alarm changes nothing. */
  #hear(payload: string) {
    const moment = Number(payload);
    if (payload === '' || Number.isNaN(moment)) void this.#look();
    else if (moment < this.#armedFor) this.#arm(moment);
  }

  #arm(moment: number) {
    clearTimeout(this.#timer);
    this.#armedFor = moment;
    const wait = moment - this.#services.clock.now().getTime();
    // The backstop looks again long before a timer's range ends.
    if (wait <= BACKSTOP_MS * 2) this.#timer = setTimeout(() => void this.#ring(moment), Math.max(wait, 0));
  }

  async #ring(moment: number) {
    this.#armedFor = Number.POSITIVE_INFINITY;
    if (moment === this.#rungFor) return;
    this.#rungFor = moment;
    const at = new Date(moment).toISOString();
    try {
      await this.#boss.send(tickPipelineSchedules.name, { at }, { singletonKey: at });
    } catch (error) {
      this.#rungFor = 0;
      this.#services.log.warn({ err: error }, 'tick was not sent; the next look sends it');
    }
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #lookOnce() {
    try {
      const [row] = await this.#services.db.query<{ next_run_at: Date | null }>(
        sql`select min(s.next_run_at) as next_run_at from pipeline_schedules s where s.active`,
      );
      if (row?.next_run_at) this.#arm(row.next_run_at.getTime());
      else this.#armedFor = Number.POSITIVE_INFINITY;
    } catch (error) {
      this.#services.log.warn({ err: error }, 'schedules could not be looked at; tried again soon');
    }
  }
}
