import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { Clock } from '../values/clock.js';
import { asConnectionError } from '../database/connection-errors.js';
import { databaseWork, sessionLimits } from '../database/database-work.js';
import { KEEP_ALIVE, WatchedClient } from '../database/watched-client.js';
import type { Limit, LimitName } from './limits.js';
import type { Logger } from '../log/log.js';
import { limitExceeded } from '../metrics/count.js';
import type { Settings } from '../values/settings.js';

/** What has been used of a limit in the running period, this time included. */
export interface Usage {
  name: LimitName;
  allowed: number;
  periodSeconds: number;
  observed: number;
  /** More than allowed: refuse. */
  exceeded: boolean;
  /** When the period ends, in whole seconds since 1970, and how many seconds are left until then. */
  resetAtSeconds: number;
  retryAfterSeconds: number;
}

/** The counted caller or resource: ids and addresses, and at most a name that a caller sent. */
export type LimitKey = readonly (string | number)[];

interface Terms {
  name: LimitName;
  /** Name, period and key: a changed period starts a new count. */
  row: string;
  allowed: number;
  periodSeconds: number;
  endsAt: number;
}

interface Full {
  points: number;
  endsAt: number;
}

const CONNECTIONS = 3;
const TIMEOUT_MS = databaseWork.limits.acquireTimeout;
/** After a failure the store is left alone for so long, and everything is allowed. */
const RETRY_DELAY_MS = 1000;
const SWEEP_MS = 60_000;
const SWEPT_AT_ONCE = 5000;
const REMEMBER_AT_MOST = 10_000;

const COUNT = {
  name: 'rate_limit_count',
  // Plain SQL: on connections of its own, once for each request.
  text: `insert into rate_limit_counts as c (key, points, expires_at) values ($1, $3, $2)
    on conflict (key) do update
      set points = case when c.expires_at < excluded.expires_at then excluded.points
                        else c.points + excluded.points end,
          expires_at = greatest(c.expires_at, excluded.expires_at)
    returning points`,
};

const SWEEP = `delete from rate_limit_counts where key in (
  select key from rate_limit_counts where expires_at <= $1 limit ${SWEPT_AT_ONCE} for update skip locked)`;

/** One part of a row's key. Values that a caller can choose freely are hashed: they could be long, or invalid text. */
function keyPart(part: string | number): string {
  const text = String(part);
  return /^[\w.:-]{1,64}$/.test(text) ? text : createHash('sha256').update(text).digest('base64url');
}

/**
 * Counts actions across all processes (decisions/0009-rate-limits.md). Periods follow the database's clock and are the
 * same for all callers. A disabled limit costs nothing; an exhausted one is rejected from memory until its period ends;
 * and if the store fails, everything is allowed.
 */
export class RateLimiter {
  #pool: pg.Pool | undefined;
  readonly #full = new LRUCache<string, Full>({ max: REMEMBER_AT_MOST });
  #restUntil = 0;
  #sweepAt = 0;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: {
      url: string;
      applicationName: string;
      clock: Clock;
      limits: Readonly<Record<LimitName, Limit>>;
      settings: { readonly current: Settings };
      log: Logger;
    },
  ) {}

  get limits(): Readonly<Record<LimitName, Limit>> {
    return this.options.limits;
  }

  /**
   * Counts one action, or as many points as it costs.
   * @param allowedBy the setting with the allowed number, if it is not the limit's own
   * @returns the usage, or null when the limit is disabled or its store is unavailable
   */
  async consume(name: LimitName, key: LimitKey, allowedBy?: Limit['setting'], cost = 1): Promise<Usage | null> {
    const terms = this.#terms(name, key, allowedBy);
    if (!terms) return null;
    const full = this.#fullFor(terms);
    if (full) full.points += cost;
    const points = full ? full.points : await this.#count(terms, cost);
    if (points === null) return null;
    if (!full && points >= terms.allowed) this.#remember(terms, points);
    const usage = this.#usage(terms, points);
    if (usage.exceeded) limitExceeded(name);
    return usage;
  }

  /** The usage of a limit that this process knows to be exhausted; otherwise null. Counts nothing and costs nothing. */
  consumed(name: LimitName, key: LimitKey): Usage | null {
    if (this.#full.size === 0) return null;
    const terms = this.#terms(name, key);
    const full = terms && this.#fullFor(terms);
    return full ? this.#usage(terms, full.points + 1) : null;
  }

  /** Waits for a sweep that is under way. */
  swept(): Promise<void> {
    return this.#sweeping;
  }

  async close(): Promise<void> {
    await this.#sweeping;
    await this.#pool?.end();
  }

  #terms(name: LimitName, key: LimitKey, allowedBy?: Limit['setting']): Terms | null {
    const limit = this.limits[name];
    const settings = this.options.settings.current;
    const allowed = settings[allowedBy ?? limit.setting];
    if (allowed === 0 || (limit.enabledBy && !settings[limit.enabledBy])) return null;
    const periodSeconds = typeof limit.period === 'number' ? limit.period : settings[limit.period];
    const period = periodSeconds * 1000;
    const endsAt = (Math.floor(this.options.clock.now().getTime() / period) + 1) * period;
    return { name, row: [name, periodSeconds, ...key.map(keyPart)].join('/'), allowed, periodSeconds, endsAt };
  }

  /** Refused from memory, unless the period is over or the limit was raised since. */
  #fullFor(terms: Terms): Full | undefined {
    const full = this.#full.get(terms.row);
    return full && full.endsAt === terms.endsAt && full.points >= terms.allowed ? full : undefined;
  }

  #remember(terms: Terms, points: number) {
    this.#full.set(terms.row, { points, endsAt: terms.endsAt });
  }

  #usage({ name, allowed, periodSeconds, endsAt }: Terms, points: number): Usage {
    return {
      name,
      allowed,
      periodSeconds,
      observed: points,
      exceeded: points > allowed,
      resetAtSeconds: endsAt / 1000,
      retryAfterSeconds: Math.max(Math.ceil((endsAt - this.options.clock.now().getTime()) / 1000), 1),
    };
  }

  async #count(terms: Terms, cost: number): Promise<number | null> {
    if (performance.now() < this.#restUntil) return null;
    try {
      const { rows } = await this.#connections().query<{ points: number }>({
        ...COUNT,
        values: [terms.row, new Date(terms.endsAt), cost],
      });
      this.#sweep();
      return rows[0]?.points ?? null;
    } catch (error) {
      this.#restUntil = performance.now() + RETRY_DELAY_MS;
      this.options.log.error(
        { err: asConnectionError(error), limit: terms.name },
        'rate limits cannot be counted; everything is allowed',
      );
      return null;
    }
  }

  /**
   * Connections of its own: a request that holds one of the process's few must not wait for a second, and a busy
   * pool must not be what limits are judged by.
   */
  #connections(): pg.Pool {
    if (this.#pool) return this.#pool;
    this.#pool = new pg.Pool({
      connectionString: this.options.url,
      application_name: this.options.applicationName,
      max: CONNECTIONS,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      ...sessionLimits(databaseWork.limits),
      ...KEEP_ALIVE,
      Client: WatchedClient,
    } as pg.PoolConfig);
    // Without a listener a lost idle connection would end the process.
    this.#pool.on('error', (error) =>
      this.options.log.warn({ err: asConnectionError(error) }, 'rate limits lost a connection'),
    );
    return this.#pool;
  }

  /** Deletes expired counts periodically, without delaying the request that triggers it. */
  #sweep() {
    const now = this.options.clock.now();
    if (now.getTime() < this.#sweepAt) return;
    this.#sweepAt = now.getTime() + SWEEP_MS;
    this.#sweeping = this.#connections()
      .query(SWEEP, [now])
      .then(() => undefined)
      .catch((error: unknown) =>
        this.options.log.warn({ err: asConnectionError(error) }, 'old rate limit counts were not dropped'),
      );
  }
}
