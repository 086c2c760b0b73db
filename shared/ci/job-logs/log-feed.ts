import { expressionBuilder } from 'kysely';
import { countKey } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { OpenServices } from '../../core/context/open-services.js';
import { anyOf } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import { Overloaded, RateLimited } from '../../core/values/errors.js';
import { Limiter } from '../../core/values/limiter.js';
import type { CiDatabase } from '../ci.entities.js';
import { ALIVE_STATUSES } from '../job-states/status-predicates.js';
import type { LogKey } from './job-log.finder.js';
import { JOB_LOGS_CHANNEL } from './log-channel.js';
import { LogFollower } from './log-follower.js';
import type { LogListener, LogStart } from './log-follower.js';

/** Streams of one process, and of one caller in it. */
export const LOG_FEED_LIMITS = { process: 500, caller: 6 };

/** A comment is sent this often, so that the connection is not considered dead. */
const HEARTBEAT_MS = 15_000;
/** A log counts as watched for so long after it was last said to be. */
const WATCHED_MS = 60_000;

type FeedServices = Pick<OpenServices, 'channels' | 'clock' | 'db' | 'log' | 'objects'>;

/**
 * Sends logs to those who follow them, while they are written. A process is notified of each patch to a log that
 * somebody follows; a follower costs nothing in between.
 */
export class LogFeed {
  readonly #followers = new Map<number, Set<LogFollower>>();
  readonly #limiter = new Limiter({ capacity: LOG_FEED_LIMITS.process });
  #end: (() => void) | undefined;
  #beating: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(private readonly services: FeedServices) {}

  /** How many streams there are. */
  get size(): number {
    return [...this.#followers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Begins to send a log.
   * @returns ends it
   * @throws Overloaded with too many streams, RateLimited with too many of this caller
   */
  async join(ctx: Context, job: LogKey, start: LogStart, listener: LogListener): Promise<() => void> {
    const shares = [{ key: countKey(ctx.caller, ctx.origin.ip), limit: LOG_FEED_LIMITS.caller }];
    if (this.#stopped || this.#limiter.held >= LOG_FEED_LIMITS.process) throw new Overloaded(10);
    if (!this.#limiter.tryTake(shares)) throw new RateLimited(10);
    const follower = new LogFollower(ctx, job, start, listener);
    const followers = this.#followers.get(job.id) ?? new Set();
    this.#followers.set(job.id, followers.add(follower));
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      follower.stop();
      followers.delete(follower);
      if (followers.size === 0 && this.#followers.get(job.id) === followers) this.#followers.delete(job.id);
      this.#limiter.release(shares);
      if (this.#followers.size === 0) this.#rest();
    };
    try {
      this.#hear();
      // Patches notify nobody before this is stored; what came until then, the follower reads.
      await this.#markWatched([job.id]);
    } catch (error) {
      leave();
      throw error;
    }
    follower.readMore();
    return leave;
  }

  #hear(): void {
    this.#end ??= this.services.channels.hear(JOB_LOGS_CHANNEL, {
      onNotification: (payload) => this.#readMore(Number(payload)),
      // Notifications may have been missed.
      onConnected: () => this.#readAll(),
    });
    this.#beating ??= setInterval(() => void this.#beat(), HEARTBEAT_MS).unref();
  }

  #rest(): void {
    clearInterval(this.#beating);
    this.#beating = undefined;
  }

  #readMore(jobId: number): void {
    for (const follower of this.#followers.get(jobId) ?? []) follower.readMore();
  }

  #readAll(): void {
    for (const jobId of this.#followers.keys()) this.#readMore(jobId);
  }

  async #beat(): Promise<void> {
    for (const follower of [...this.#followers.values()].flatMap((set) => [...set])) follower.beat();
    try {
      const jobIds = [...this.#followers.keys()];
      await this.#markWatched(jobIds);
      for (const { id } of await this.#findOver(jobIds)) this.#readMore(id);
    } catch (error) {
      this.services.log.warn({ err: error }, 'followed logs could not be looked at; tried again soon');
    }
  }

  /** Jobs that are over: some end without that a log is written. */
  #findOver(jobIds: readonly number[]): Promise<{ id: number }[]> {
    return this.services.db.query(
      expressionBuilder<CiDatabase>()
        .selectFrom('jobs as j')
        .select('j.id')
        .where('j.id', '=', anyOf(jobIds, 'bigint'))
        .where((eb) => eb.not(eb('j.status', '=', anyOf(ALIVE_STATUSES, 'text')))),
    );
  }

  /** Stores that the logs of jobs are followed, so that runners send more often, and patches notify. */
  async #markWatched(jobIds: readonly number[]): Promise<void> {
    const now = this.services.clock.now();
    const until = new Date(now.getTime() + WATCHED_MS);
    await this.services.db.query(
      queries<CiDatabase>()
        .insertInto('job_logs')
        .columns(['project_id', 'job_id', 'watched_until', 'created_at', 'updated_at'])
        .expression((eb) =>
          eb
            .selectFrom('jobs as j')
            .select((of) => [
              'j.project_id',
              'j.id',
              of.val(until).as('watched_until'),
              of.val(now).as('created_at'),
              of.val(now).as('updated_at'),
            ])
            .where('j.id', '=', anyOf(jobIds, 'bigint'))
            .where('j.status', '=', anyOf(ALIVE_STATUSES, 'text'))
            .where('j.kind', '=', 'build')
            .orderBy('j.id'),
        )
        .onConflict((conflict) => conflict.columns(['project_id', 'job_id']).doUpdateSet({ watched_until: until })),
    );
  }

  /** Ends all streams, and refuses new ones. */
  stop(): void {
    this.#stopped = true;
    this.#rest();
    for (const follower of [...this.#followers.values()].flatMap((set) => [...set])) follower.end();
    this.#end?.();
  }
}

const feeds = new WeakMap<OpenServices['db'], LogFeed>();

/** The feed of this process. */
export function getLogFeed(services: FeedServices): LogFeed {
  const feed = feeds.get(services.db) ?? new LogFeed(services);
  feeds.set(services.db, feed);
  return feed;
}
