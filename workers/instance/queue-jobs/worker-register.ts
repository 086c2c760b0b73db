import { hostname } from 'node:os';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Queryable } from '../../../shared/core/database/database.js';
import type { OpenServices } from '../../../shared/core/context/open-services.js';
import type { Statement } from '../../../shared/core/database/driver/statement.js';
import { SERVICE_VERSION } from '../../../shared/core/values/version.js';
import { QUEUE_CHANNEL, queueToWake } from '../../../shared/instance/pg-boss/queue-channel.js';
import { SCHEDULES_QUEUE } from '../../../shared/instance/pg-boss/tables.js';
import { rescueJobs } from '../../../shared/instance/pg-boss/rescue-jobs.js';
import {
  keepAlive,
  leave,
  pollWorkerState,
  register,
  takeAgain,
} from '../../../shared/instance/pg-boss/worker-session.js';
import type { PollResult } from '../../../shared/instance/pg-boss/worker-session.js';
import { Listener } from '../../../shared/core/database/listener.js';
import { JobCancelled, JobLost } from '../../core/job-ends.js';
import type { RunningJobs } from './running-jobs.js';

const POLL_MS = 1_000;
const BEAT_MS = 5_000;
/** When the query for queues with work is slow, the pause after it is this many times its duration. */
const ASK_REST = 20;
/** A worker whose session has ended is considered lost if it has not reconnected within this time. */
const COMES_BACK_MS = 700;
/** Shorter than that: only its connection may have been lost. */
const RECONNECT_MS = 100;
/** After this session itself was lost and reopened, other workers may be about to reconnect as well. */
const UNSURE_MS = 10_000;

/** Statements on one connection, in turn. */
const getSession = (client: pg.Client): Queryable => ({
  query: async <T>({ name, text, values }: Statement) =>
    (await client.query({ name, text, values: [...values] })).rows as T[],
});

/**
 * Registers the process as a worker for as long as it lives, by a session of its own that also hears of pauses and
 * cancelled jobs, and looks each second whether another worker has died and which queues have something to do.
 */
export class WorkerRegister {
  #listener: Listener | undefined;
  #session: Queryable | null = null;
  #registered = false;
  #sureFrom = 0;
  #beatAt = 0;
  #askFrom = 0;
  /** The subscriptions follow these. */
  #paused: ReadonlySet<string> | null = null;
  #unlocked = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | null = null;
  #pollAgain = false;
  #stopped = false;
  readonly #startedAt: Date;
  readonly #queues: readonly string[];

  /** @param onPaused called with the paused queues, initially and on each change */
  constructor(
    private readonly services: OpenServices,
    private readonly boss: PgBoss,
    private readonly running: RunningJobs,
    private readonly works: { queues: readonly string[]; concurrency: number },
    private readonly onPaused: (paused: ReadonlySet<string>) => Promise<void>,
  ) {
    this.#startedAt = services.clock.now();
    this.#queues = [...works.queues, SCHEDULES_QUEUE];
  }

  /** Resolves once the process is registered and has polled for the first time. */
  async start(): Promise<void> {
    const first = Promise.withResolvers<void>();
    this.#listener = new Listener({
      url: this.services.config.databaseUrl,
      channel: QUEUE_CHANNEL,
      log: this.services.log,
      reconnectMs: RECONNECT_MS,
      prepare: (client) => this.#join(getSession(client)),
      onConnected: (client) => {
        this.#session = getSession(client);
        this.#poll().then(first.resolve, first.reject);
      },
      onLost: () => {
        this.#session = null;
        this.#unlocked.clear();
        this.#sureFrom = performance.now() + UNSURE_MS;
      },
      onNotification: (payload) => this.#hear(payload),
    });
    await this.#listener.start();
    await first.promise;
    this.#timer = setInterval(() => void this.#poll(), POLL_MS);
  }

  /** Stops polling, and unregisters; call it once all batches have finished. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#polling;
    await this.running.recorded();
    await leave(this.services.db, this.running.worker.id).catch((error: unknown) =>
      this.services.log.warn({ err: error }, 'the worker did not leave the register'),
    );
    await this.#listener?.stop();
  }

  async #join(session: Queryable) {
    await keepAlive(session);
    const { id } = this.running.worker;
    if (this.#registered && (await takeAgain(session, id))) return;
    await this.#register(session);
  }

  async #register(session: Queryable) {
    const host = hostname();
    const worker = { hostname: host, pid: process.pid, tag: 'capstan', version: SERVICE_VERSION };
    const id = await register(session, { ...worker, ...this.works, started_at: this.#startedAt });
    if (this.#registered) this.services.log.warn({ worker_id: id }, 'given up for lost; registered anew');
    this.#registered = true;
    this.running.worker = { id, name: `${host}:${process.pid}` };
  }

  #hear(payload: string) {
    const queue = queueToWake(payload);
    if (queue === null) void this.#poll();
    else this.#wake([queue]);
  }

  /** Has those who wait for something to do in these queues fetch. */
  #wake(queues: readonly string[]) {
    if (queues.length === 0) return;
    const waking = new Set(queues);
    for (const { id, name } of this.boss.getWipData({ includeInternal: true }))
      if (waking.has(name)) this.boss.notifyWorker(id);
  }

  #poll(): Promise<void> {
    this.#pollAgain = true;
    return (this.#polling ??= this.#pollUntilQuiet());
  }

  async #pollUntilQuiet() {
    while (this.#pollAgain && !this.#stopped) {
      this.#pollAgain = false;
      const session = this.#session;
      if (session)
        await this.#pollOnce(session).catch((error: unknown) =>
          this.services.log.warn({ err: error }, 'queues could not be looked at; tried again soon'),
        );
    }
    // In the same step as the last test of the flag: who sets it after that starts a poll of its own.
    this.#polling = null;
  }

  async #pollOnce(session: Queryable) {
    const held = this.running.inHand.map(({ queue, job }) => ({ queue, id: job.id, attempt: job.attempt }));
    const began = performance.now();
    const beats = began - this.#beatAt >= BEAT_MS;
    const queues = began < this.#askFrom ? [] : this.#queues;
    const result = await pollWorkerState(session, { id: this.running.worker.id, beats, held }, queues);
    if (queues.length > 0) this.#askFrom = began + (performance.now() - began) * ASK_REST;
    if (beats) {
      if (!result.alive) await this.#register(session);
      this.#beatAt = began;
    }
    this.#endLost(result.lost);
    await this.#applyPaused(new Set(result.paused));
    this.#wake(result.ready);
    await this.#seeToLost(session, result.unlocked);
  }

  async #applyPaused(paused: ReadonlySet<string>) {
    const previous = this.#paused;
    if (previous?.size === paused.size && [...paused].every((queue) => previous.has(queue))) return;
    await this.onPaused(paused);
    this.#paused = paused;
  }

  #endLost(lost: PollResult['lost']) {
    for (const { id, attempt, state } of lost)
      for (const { job } of this.running.inHand)
        if (job.id === id && job.attempt === attempt)
          job.end(
            state === 'cancelled'
              ? new JobCancelled('The job was cancelled.')
              : new JobLost('The queue took the job away.'),
          );
  }

  /** Declares workers lost whose lock has already been free for a while. */
  async #seeToLost(session: Queryable, unlocked: readonly number[]) {
    const now = performance.now();
    this.#unlocked = new Map(unlocked.map((id) => [id, this.#unlocked.get(id) ?? now]));
    if (unlocked.length === 0 || now < this.#sureFrom) return;
    for (const [id, since] of this.#unlocked) if (now - since >= COMES_BACK_MS) await this.#rescue(session, id);
    if ([...this.#unlocked.values()].includes(now)) setTimeout(() => void this.#poll(), COMES_BACK_MS);
  }

  async #rescue(session: Queryable, id: number) {
    // Plain SQL: a transaction on a session outside the pool.
    await session.query({ text: 'begin', values: [] });
    try {
      const jobs = await rescueJobs(session, this.boss, id, this.running.worker.id);
      // Plain SQL: its end.
      await session.query({ text: 'commit', values: [] });
      if (jobs) this.services.log.warn({ worker_id: id, jobs: jobs.length }, 'a worker died; its jobs are handed back');
    } catch (error) {
      // Plain SQL: its end, as if nothing had been.
      await session.query({ text: 'rollback', values: [] });
      throw error;
    }
  }
}
