import { randomBytes } from 'node:crypto';
import type { Services } from '../../core/context/context.js';
import { pollsHeld } from '../../core/metrics/instruments.js';
import { listWaitingJobs } from './list-waiting-jobs.js';
import { couldTake, RUNNERS_CHANNEL } from '../job-queue/offered-jobs.js';
import type { MatchedRunner, OfferedJobs, RunnersNotification } from '../job-queue/offered-jobs.js';
import { listAssignedRunners } from './assigned-runners.js';

/** How often jobs that are queued and that nobody took are offered again. */
const OFFER_AGAIN_MS = 5_000;
/** Younger jobs have only just been offered. */
const OFFERED_MS = 2_000;
/** Requests that one look at the queue wakes for jobs of one kind. */
const WOKEN_AGAIN = 10;
/** Runners whose last value a process remembers. */
const REMEMBERED = 20_000;
/** Values of other processes are taken over, and they come from clients. */
const VALUE = /^[\w.-]{1,64}$/;

/** Jobs that wake one request after the other, until one of them finds none. */
export interface JobOffer {
  /** Wakes the next request that could take such jobs. */
  pass(): void;
}

/** Why a request waits no longer. */
export type PollEnd = JobOffer | 'runner_changed' | 'timeout' | 'draining' | 'gone';

interface HeldPoll {
  readonly runner: MatchedRunner;
  end(reason: PollEnd): void;
}

interface KnownRunner {
  runner: MatchedRunner;
  /** Changes with each offer of jobs that it could take. */
  value: string;
  /** Whether other processes may know it by the same value. */
  agreed: boolean;
  polls: number;
}

/** A value that no runner has. */
export const newValue = (): string => randomBytes(9).toString('base64url');

/**
 * Requests of runners for jobs that this process holds until there is one. One connection of the process hears of jobs;
 * a held request costs no statement.
 */
export class HeldPolls {
  readonly #known = new Map<number, KnownRunner>();
  /** In the order in which they came. */
  readonly #held = new Set<HeldPoll>();
  /** How many changes of runners it has heard of, and at which of them each runner changed last. */
  #changes = 0;
  readonly #changedAt = new Map<number, number>();
  /** Of earlier ones it does not know which runners they were of. */
  #sureFrom = 0;
  #wasLost = false;
  #unhear: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #offering = false;
  #hearing = false;
  #stopped = false;

  constructor(private readonly services: Pick<Services, 'channels' | 'db' | 'clock' | 'log'>) {}

  /** How many requests are held. */
  get size(): number {
    return this.#held.size;
  }

  /** Whether it hears of jobs now. */
  get hearing(): boolean {
    return this.#hearing;
  }

  /** How many changes of runners it has heard of: read it before a runner is read. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether a runner may have changed since it was read. @param changes how many were heard of by then */
  hasChanged(runnerId: number, changes: number): boolean {
    return changes < this.#sureFrom || (this.#changedAt.get(runnerId) ?? 0) > changes;
  }

  /** Begins to hear of jobs. */
  start(): void {
    if (this.#unhear || this.#stopped) return;
    this.#unhear = this.services.channels.hear(RUNNERS_CHANNEL, {
      onNotification: (payload) => this.#hear(JSON.parse(payload) as RunnersNotification),
      onConnected: () => this.#begin(),
      onLost: () => {
        this.#hearing = false;
        this.#wasLost = true;
      },
    });
  }

  /** The value of a runner that a request is answered with, and that the next one is to bring. */
  getValue(runner: MatchedRunner): string {
    return this.#know(runner).value;
  }

  /**
   * Notes that nothing fits a runner: as long as no job is offered, requests with the value that it brought are held.
   * @param before the value of the runner before this was found
   * @param brought what its request brought
   * @returns the value to answer it with
   */
  noteNothing(runner: MatchedRunner, before: string, brought: string | null): string {
    const known = this.#know(runner);
    if (known.value !== before) return before;
    // The value of another process, which hears of the same offers.
    if (!known.agreed && brought !== null && VALUE.test(brought)) known.value = brought;
    known.agreed = true;
    return known.value;
  }

  /** Holds a request until jobs are offered to it, for `ms` at most. */
  wait(runner: MatchedRunner, ms: number, signal: AbortSignal): Promise<PollEnd> {
    this.start();
    if (this.#stopped) return Promise.resolve('draining');
    if (signal.aborted) return Promise.resolve('gone');
    const known = this.#know(runner);
    return new Promise((resolve) => {
      const end = (reason: PollEnd) => {
        if (!this.#held.delete(poll)) return;
        known.polls -= 1;
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        pollsHeld.set(this.#held.size);
        resolve(reason);
      };
      const poll: HeldPoll = { runner, end };
      const leave = () => end('gone');
      const timer = setTimeout(() => end('timeout'), ms);
      signal.addEventListener('abort', leave, { once: true });
      known.polls += 1;
      this.#held.add(poll);
      pollsHeld.set(this.#held.size);
      this.#timer ??= setInterval(() => void this.#offerAgain(OFFERED_MS), OFFER_AGAIN_MS).unref();
    });
  }

  #know(runner: MatchedRunner): KnownRunner {
    const known = this.#known.get(runner.id) ?? { runner, value: newValue(), agreed: false, polls: 0 };
    known.runner = runner;
    // The last that is known is the one that asked last.
    this.#known.delete(runner.id);
    this.#known.set(runner.id, known);
    if (this.#known.size > REMEMBERED) this.#forgetOldest();
    return known;
  }

  #forgetOldest(): void {
    for (const [id, { polls }] of this.#known) {
      if (polls > 0) continue;
      this.#known.delete(id);
      return;
    }
  }

  #hear({ jobs = [], version, runner }: RunnersNotification): void {
    if (runner !== undefined) this.#change(runner);
    if (version !== undefined) this.#renewValues(jobs, version);
    void this.#offerAll(jobs, Number.POSITIVE_INFINITY);
  }

  /** Those that do not ask at the moment are not held the next time. */
  #renewValues(jobs: readonly OfferedJobs[], version: string | null): void {
    for (const known of this.#known.values())
      if (jobs.some((some) => couldTake(known.runner, some)))
        Object.assign(known, { value: version ?? newValue(), agreed: version !== null });
  }

  #change(runnerId: number): void {
    this.#changes += 1;
    this.#changedAt.delete(runnerId);
    this.#changedAt.set(runnerId, this.#changes);
    if (this.#changedAt.size > REMEMBERED) this.#forgetChange();
    this.#known.delete(runnerId);
    for (const poll of this.#held) if (poll.runner.id === runnerId) poll.end('runner_changed');
  }

  #forgetChange(): void {
    for (const [id, at] of this.#changedAt) {
      this.#changedAt.delete(id);
      this.#sureFrom = at;
      return;
    }
  }

  /** Every runner may have changed while nothing was heard. */
  #distrust(): void {
    this.#changes += 1;
    this.#sureFrom = this.#changes;
    for (const poll of this.#held) poll.end('runner_changed');
  }

  /** Offers jobs of several kinds, at most so many of each. */
  async #offerAll(jobs: readonly OfferedJobs[], most: number): Promise<void> {
    for (const some of jobs) await this.#offer(some, Math.min(some.count, most));
  }

  async #offer(jobs: OfferedJobs, count: number): Promise<void> {
    let assigned: ReadonlySet<number> = new Set();
    const isOwn = ({ runner }: HeldPoll) => runner.runner_type === 'project_type' && couldTake(runner, jobs);
    const own = [...this.#held].filter(isOwn).map(({ runner }) => runner.id);
    if (own.length > 0)
      try {
        assigned = await listAssignedRunners(this.services.db, jobs.project_id, own);
      } catch (error) {
        this.services.log.warn(
          { err: error },
          'jobs were not offered to the runners of a project; they are again soon',
        );
      }
    const wakeOne = (): boolean => {
      for (const poll of this.#held) {
        const { runner } = poll;
        if (!couldTake(runner, jobs) || (runner.runner_type === 'project_type' && !assigned.has(runner.id))) continue;
        poll.end({ pass: wakeOne });
        return true;
      }
      return false;
    };
    let woken = 0;
    while (woken < count && wakeOne()) woken += 1;
  }

  /** What was offered before it could hear is offered again. */
  #begin(): void {
    this.#hearing = true;
    if (this.#wasLost) this.#distrust();
    if (this.#known.size > 0) void this.#offerAgain(0);
  }

  /** Offers what nobody took: a request that was woken may have failed, or a setting of a project has changed. */
  async #offerAgain(ageMs: number): Promise<void> {
    if (this.#offering || this.#stopped || (this.#held.size === 0 && ageMs > 0)) return;
    this.#offering = true;
    try {
      const before = new Date(this.services.clock.now().getTime() - ageMs);
      const jobs = await listWaitingJobs(this.services.db, before);
      await this.#offerAll(jobs, WOKEN_AGAIN);
      // Only once: a job that waits for long would have every runner ask again and again that could take it.
      if (ageMs === 0) this.#renewValues(jobs, null);
    } catch (error) {
      this.services.log.warn({ err: error }, 'the queue of jobs could not be looked at; tried again soon');
    } finally {
      this.#offering = false;
    }
  }

  /** Ends all waits; further requests are answered at once. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#unhear?.();
    for (const poll of this.#held) poll.end('draining');
  }
}

const polls = new WeakMap<Services['db'], HeldPolls>();

/** The requests that this process holds. */
export function getHeldPolls(services: Pick<Services, 'channels' | 'db' | 'clock' | 'log'>): HeldPolls {
  const held = polls.get(services.db) ?? new HeldPolls(services);
  polls.set(services.db, held);
  return held;
}
