import { availableParallelism } from 'node:os';
import { SlotPool } from './process-slots.js';
import type { PoolLimits, SlotOwner } from './process-slots.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const cores = availableParallelism();

/** A half of the slots for one caller, three quarters for one repository. */
const shared = (concurrency: number) => ({
  concurrency,
  perCaller: Math.ceil(concurrency / 2),
  perProject: Math.ceil((concurrency * 3) / 4),
});

const request = { waiting: 512, waitMs: 10 * SECOND, runMs: 10 * SECOND };

const LIMITS = {
  /**
   * For reading a few objects. One caller can use all cores but no more: the API process turns the results into
   * responses.
   */
  short: { ...shared(Math.max(8, 4 * cores)), perCaller: Math.max(2, cores), ...request },
  /** What compares files or walks through history: as long as a core is busy. */
  long: { ...shared(Math.max(4, cores)), ...request },
  /** Content that is sent as fast as its client takes it. */
  stream: { ...shared(32), perCaller: 8, ...request, runMs: 10 * MINUTE },
  /** The same, where git can hold the content in memory only as a whole. */
  heavy: { ...shared(2), perCaller: 1, perProject: 1, ...request, runMs: 2 * MINUTE },
  /** Clones and fetches: as long as the other end takes them, and it waits rather than fails. */
  transfer: { ...shared(64), perCaller: 16, ...request, waitMs: MINUTE, runMs: 60 * MINUTE },
  /** What writes. It holds a transaction meanwhile, so it waits for no reader. */
  write: { ...shared(Math.max(8, 2 * cores)), ...request, runMs: 2 * MINUTE },
  /** Pushes that move refs. Each holds a transaction, which requests wait for: so they wait here, in turns. */
  refs: { concurrency: 4, perCaller: 3, perProject: 1, ...request, waitMs: MINUTE, runMs: null },
} satisfies Record<string, PoolLimits>;

export type PoolName = keyof typeof LIMITS;

/** Other limits than the usual ones, for tests. */
export interface GitLimits {
  pools?: Partial<Record<PoolName, Partial<PoolLimits>>>;
  /** Milliseconds to wait for a slot, and to be done, in all pools. */
  timeoutMs?: number;
  /** Maximum time in milliseconds that a client may read no content; 30 s by default. */
  stallMs?: number;
  /** Milliseconds without a byte, in either direction, after which a transfer is aborted; 60 s by default. */
  silenceMs?: number;
}

/** The slots of a process for the git processes of its requests. */
export class GitPools {
  readonly #pools: Record<PoolName, SlotPool>;
  readonly stallMs: number;
  readonly silenceMs: number;

  constructor({ pools = {}, timeoutMs, stallMs = 30 * SECOND, silenceMs = MINUTE }: GitLimits = {}) {
    const timeouts = timeoutMs === undefined ? {} : { waitMs: timeoutMs, runMs: timeoutMs };
    const entries = Object.entries(LIMITS).map(([name, limits]) => {
      return [name, new SlotPool({ ...limits, ...timeouts, ...pools[name as PoolName] })];
    });
    this.#pools = Object.fromEntries(entries) as Record<PoolName, SlotPool>;
    this.stallMs = stallMs;
    this.silenceMs = silenceMs;
  }

  pool(name: PoolName): SlotPool {
    return this.#pools[name];
  }
}

declare module '../core/context/context.js' {
  interface Services {
    /** Slots for the git processes of requests. */
    git: GitPools;
  }
}

/** A repository as one caller's request works on it. */
export interface OpenRepository {
  path: string;
  /** The key of the caller: `user 1`, or an address. */
  caller: string;
  pools: GitPools;
  /** Ends what runs and what waits for it; what writes goes on once it runs. */
  signal?: AbortSignal;
  /** Path of another repository whose objects are read as well. */
  alternate?: string;
  /** A folder of objects that git reads in addition to the repository's own, and writes new ones to. */
  quarantine?: string;
}

/** A path alone is how jobs work on a repository: in a pool of their own, with time limits of their own. */
export type Repository = string | OpenRepository;

/** How many jobs run at once is limited by their workers; they wait as long as it takes. */
const background = new SlotPool({
  concurrency: 32,
  perCaller: 32,
  perProject: 32,
  waiting: 10_000,
  waitMs: 60 * MINUTE,
  runMs: null,
});

/** The slot of a git process on a repository (or none). */
export interface GitSlot {
  path: string | null;
  pool: SlotPool;
  /** `background` for jobs. */
  poolName: PoolName | 'background';
  owner: SlotOwner;
  signal: AbortSignal | undefined;
  /** Path of another repository whose objects are read as well. */
  alternate: string | undefined;
  stallMs: number;
  silenceMs: number;
  quarantine?: string | undefined;
}

/** The slot that a process of this kind on this repository needs. */
export function slotFor(repository: Repository | null, name: PoolName): GitSlot {
  if (repository === null || typeof repository === 'string') {
    const owner = { caller: '', project: repository ?? '' };
    return {
      path: repository,
      pool: background,
      poolName: 'background',
      owner,
      signal: undefined,
      alternate: undefined,
      stallMs: 10 * MINUTE,
      silenceMs: 10 * MINUTE,
    };
  }
  const { path, caller, pools, signal, quarantine } = repository;
  return {
    path,
    pool: pools.pool(name),
    poolName: name,
    owner: { caller, project: path },
    signal,
    alternate: repository.alternate,
    stallMs: pools.stallMs,
    silenceMs: pools.silenceMs,
    quarantine,
  };
}
