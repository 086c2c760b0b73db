import { expressionBuilder } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { CiDatabase } from '../../../shared/ci/ci.entities.js';
import { SCHEDULES_CHANNEL } from '../../../shared/ci/pipeline-schedules/notify-alarms.js';
import { tickPipelineSchedules } from '../../../shared/ci/ci.jobs.js';
import { constant } from '../../../shared/core/database/expressions.js';
import { JobSender } from '../../../shared/core/context/jobs.js';
import type { OpenServices } from '../../../shared/core/context/open-services.js';
import type { BackgroundService } from '../../core/handler.js';

/** A poll this often finds what every other way missed. */
const BACKSTOP_MS = 5_000;
/** After a ring, a poll whether its tick has been done. */
const RECHECK_MS = 1_000;
/** A time that is still due after a ring rings again, later each time. */
const RING_AGAIN_MS = [0, 100, 500, 2_000, 5_000];

/** The earliest next run, and whether the ticks of the queue are held back. */
const nextDueQuery = expressionBuilder<CiDatabase>()
  .selectFrom('pipeline_schedules as s')
  .select((eb) => {
    const paused = eb
      .selectFrom('queue_controls as c')
      .select(eb.lit(1).as('one'))
      .where('c.queue', '=', constant(tickPipelineSchedules.name))
      .where('c.paused', '=', constant(true));
    return [eb.fn.min('s.next_run_at').as('next_run_at'), eb.exists(paused).as('paused')];
  })
  .where('s.active', '=', constant(true));

/**
 * Rings at the earliest `next_run_at` by the database's clock, and then sends one tick job for that due time. Each
 * worker process has one; the queue takes a due time's tick once. It is set again whenever a schedule changes. A tick
 * that was lost with its worker, or came a little early for another clock, is rung for again.
 */
export class ScheduleAlarm implements BackgroundService {
  #services!: OpenServices;
  #boss!: Pick<PgBoss, 'send'>;
  #unhear: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #backstop: NodeJS.Timeout | undefined;
  /** The time that the timer is set for, in milliseconds since 1970. */
  #armedFor = Number.POSITIVE_INFINITY;
  /** The due time that last rang, how often, and when by the monotonic clock. */
  #rung = { dueAt: 0, times: 0, at: 0 };
  #polling: Promise<void> | null = null;
  /** Something changed after the poll in hand may have read the table. */
  #pollAgain = false;
  #stopped = false;

  start(services: OpenServices, boss: Pick<PgBoss, 'send'>): Promise<void> {
    this.#services = services;
    this.#boss = boss;
    this.#backstop = setInterval(() => void this.#poll(), BACKSTOP_MS);
    this.#unhear = services.channels.hear(SCHEDULES_CHANNEL, {
      onNotification: (payload) => this.#hear(payload),
      onConnected: () => void this.#poll(),
    });
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#backstop);
    clearTimeout(this.#timer);
    this.#unhear?.();
    await this.#polling;
  }

  /** A payload is the changed schedule's next run: one that is not earlier than the alarm changes nothing. */
  #hear(payload: string) {
    const dueAt = Number(payload);
    if (payload === '' || Number.isNaN(dueAt)) void this.#poll();
    else if (dueAt < this.#armedFor) {
      // A poll in hand may have read the table before this change, and would set the alarm back.
      this.#pollAgain = this.#polling !== null;
      this.#arm(dueAt);
    }
  }

  #arm(dueAt: number) {
    this.#armedFor = dueAt;
    const wait = Math.max(dueAt - this.#services.clock.now().getTime(), this.#pauseFor(dueAt));
    // The backstop looks again long before a timer's range ends.
    this.#set(wait <= BACKSTOP_MS * 2 ? wait : null, () => void this.#ring(dueAt));
  }

  /** Milliseconds before a due time that has rung may ring again. */
  #pauseFor(dueAt: number): number {
    if (dueAt !== this.#rung.dueAt) return 0;
    const pause = RING_AGAIN_MS[Math.min(this.#rung.times, RING_AGAIN_MS.length - 1)] as number;
    return Math.max(this.#rung.at + pause - performance.now(), 0);
  }

  #set(wait: number | null, action: () => void) {
    clearTimeout(this.#timer);
    if (wait !== null && !this.#stopped) this.#timer = setTimeout(action, Math.max(wait, 0));
  }

  async #ring(dueAt: number) {
    this.#armedFor = Number.POSITIVE_INFINITY;
    const times = dueAt === this.#rung.dueAt ? this.#rung.times + 1 : 1;
    this.#rung = { dueAt, times, at: performance.now() };
    this.#set(RECHECK_MS, () => void this.#poll());
    const at = new Date(dueAt).toISOString();
    // A key of its own: the due time's first tick may hang in the hands of a worker that died.
    const singletonKey = times === 1 ? at : `${at} ring ${times}`;
    try {
      await new JobSender(this.#boss).sentBy('schedule_alarm').send(tickPipelineSchedules, { at }, { singletonKey });
    } catch (error) {
      this.#services.log.warn({ err: error }, 'tick was not sent; the next look sends it');
    }
  }

  #poll(): Promise<void> {
    this.#pollAgain = true;
    return (this.#polling ??= this.#pollUntilQuiet());
  }

  async #pollUntilQuiet() {
    while (this.#pollAgain && !this.#stopped) {
      this.#pollAgain = false;
      await this.#pollOnce();
    }
    // In the same step as the last test of the flag: who sets it after that starts a poll of its own.
    this.#polling = null;
  }

  async #pollOnce() {
    try {
      const [row] = await this.#services.db.query<{ next_run_at: Date | null; paused: boolean }>(nextDueQuery);
      const dueAt = row?.next_run_at?.getTime();
      // Its first tick waits until the queue is resumed; further ticks would only wait as well.
      const waits = row?.paused && dueAt === this.#rung.dueAt;
      if (dueAt !== undefined && !waits) this.#arm(dueAt);
      else this.#armedFor = Number.POSITIVE_INFINITY;
    } catch (error) {
      this.#services.log.warn({ err: error }, 'schedules could not be looked at; tried again soon');
    }
  }
}
