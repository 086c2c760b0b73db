import { isAlive } from './status-predicates.js';

/** A job, as the state of a set of jobs counts it. */
export interface CountedJob {
  status: string;
  allow_failure: boolean;
}

/** A failed or canceled job that may fail counts as successful, and warns; one that nobody has to start as ignored. */
function getCountedStatus({ status, allow_failure }: CountedJob): string {
  if (!allow_failure) return status;
  if (status === 'failed' || status === 'canceled') return 'warning';
  return status === 'manual' ? 'ignored' : status;
}

/** In this order the first state that is found decides. */
const DECIDING = ['waiting_for_resource', 'manual', 'scheduled', 'preparing'] as const;

/** How many jobs of a set are in which state; it can grow. */
export class StatusCounts {
  readonly #counts = new Map<string, number>();

  add(job: CountedJob): void {
    const status = getCountedStatus(job);
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  has(...statuses: string[]): boolean {
    return statuses.some((status) => this.#counts.has(status));
  }

  /** Something may still happen to one of them. */
  get hasUnfinished(): boolean {
    return [...this.#counts.keys()].some(isAlive);
  }

  #hasOnly(...statuses: string[]): boolean {
    return [...this.#counts.keys()].every((status) => statuses.includes(status));
  }

  /** The state of the set, or null of no jobs. The first rule that fits decides (ci-execution.md 8). */
  get status(): string | null {
    if (this.isEmpty) return null;
    if (this.#hasOnly('skipped', 'ignored')) return 'skipped';
    if (this.#hasOnly('success', 'warning', 'skipped', 'ignored')) return 'success';
    if (this.#hasOnly('created', 'warning', 'ignored')) return 'created';
    if (this.#hasOnly('preparing')) return 'preparing';
    if (this.#hasOnly('canceled', 'success', 'warning', 'skipped', 'ignored')) return 'canceled';
    if (this.#hasOnly('pending', 'created', 'warning', 'skipped', 'ignored')) return 'pending';
    if (this.has('running', 'pending')) return 'running';
    const deciding = DECIDING.find((status) => this.has(status));
    if (deciding !== undefined) return deciding;
    if (this.has('created')) return 'running';
    return this.has('canceling') ? 'canceling' : 'failed';
  }
}

/**
 * The state of a pipeline with a configuration, or of one of its stages, as its newest jobs make it; null without any.
 * Pipelines that only record what is reported have another rule, `getPipelineStatus`.
 */
export function combineStatuses(jobs: Iterable<CountedJob>): string | null {
  const counts = new StatusCounts();
  for (const job of jobs) counts.add(job);
  return counts.status;
}
