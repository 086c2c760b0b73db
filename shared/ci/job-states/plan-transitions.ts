import { StatusCounts } from './combine-statuses.js';
import { decideReadiness, getQueuedStatus, getStartStatus } from './job-readiness.js';

/** A job of a configuration, with what decides when it begins. */
export interface PlannedJob {
  id: number;
  name: string;
  stage_index?: number | null | undefined;
  status: string;
  when?: string | null | undefined;
  /** It waits for the jobs that it needs, and not for the stages before its own. */
  needs_jobs: boolean;
  allow_failure: boolean;
  start_in?: number | null | undefined;
  scheduled_at?: Date | null | undefined;
  resource_group_id?: number | null | undefined;
}

/** A job that comes from one state to another by itself. */
export interface Transition {
  id: number;
  from: string;
  status: string;
  /** When a delayed job begins. */
  scheduled_at: Date | null;
}

/**
 * What follows from the states of a pipeline's jobs, up to the point where nothing more does: what waited begins, is
 * skipped, or waits for a user, a time or a resource. The result does not depend on the order of the jobs.
 * @param jobs of its configuration, without those that newer ones replaced
 * @param needs names of the jobs that a job needs, by its id
 */
export function planTransitions(
  jobs: readonly PlannedJob[],
  needs: ReadonlyMap<number, readonly string[]>,
  now: Date,
): Transition[] {
  return new TransitionPlan(jobs, needs, now).run();
}

const hasResource = ({ resource_group_id: id }: PlannedJob) => typeof id === 'number';

class TransitionPlan {
  readonly #jobs: readonly PlannedJob[];
  readonly #needs: ReadonlyMap<number, readonly string[]>;
  readonly #now: Date;
  /** The states that jobs come to, by name. */
  readonly #states: Map<string, PlannedJob>;
  readonly #before = new StatusCounts();
  readonly #visited = new Set<number>();
  readonly #transitions: Transition[] = [];

  constructor(jobs: readonly PlannedJob[], needs: ReadonlyMap<number, readonly string[]>, now: Date) {
    this.#jobs = jobs;
    this.#needs = needs;
    this.#now = now;
    this.#states = new Map(jobs.map((job) => [job.name, { ...job }]));
  }

  run(): Transition[] {
    const stages = Map.groupBy(this.#states.values(), (job) => job.stage_index ?? 0);
    for (const index of [...stages.keys()].sort((one, other) => one - other)) {
      const jobs = stages.get(index) ?? [];
      for (const job of jobs) this.#settle(job);
      for (const job of jobs) this.#before.add(job);
    }
    const order = new Map(this.#jobs.map(({ id }, position) => [id, position]));
    return this.#transitions.sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
  }

  /** Jobs that it needs and that are in its own stage are settled first. */
  #settle(job: PlannedJob): void {
    if (this.#visited.has(job.id)) return;
    this.#visited.add(job.id);
    if (job.status === 'scheduled') this.#settleScheduled(job);
    if (job.status === 'created') this.#settleCreated(job);
  }

  #settleScheduled(job: PlannedJob): void {
    if (job.scheduled_at && job.scheduled_at <= this.#now)
      this.#move(job, getQueuedStatus(hasResource(job)), job.scheduled_at ?? null);
  }

  #settleCreated(job: PlannedJob): void {
    const when = job.when ?? 'on_success';
    const byNeeds = job.needs_jobs;
    const readiness = decideReadiness(when, { counts: byNeeds ? this.#countNeeds(job) : this.#before, byNeeds });
    if (readiness === 'wait') return;
    if (readiness === 'skip') return this.#move(job, 'skipped', null);
    const status = getStartStatus(when, hasResource(job));
    const delay = (job.start_in ?? 0) * 1000;
    this.#move(
      job,
      status,
      status === 'scheduled' ? new Date(this.#now.getTime() + delay) : (job.scheduled_at ?? null),
    );
  }

  #countNeeds(job: PlannedJob): StatusCounts {
    const counts = new StatusCounts();
    for (const name of this.#needs.get(job.id) ?? []) {
      const needed = this.#states.get(name);
      if (!needed) continue;
      if (needed.stage_index === job.stage_index) this.#settle(needed);
      counts.add(needed);
    }
    return counts;
  }

  #move(job: PlannedJob, status: string, scheduledAt: Date | null): void {
    this.#transitions.push({ id: job.id, from: job.status, status, scheduled_at: scheduledAt });
    job.status = status;
    job.scheduled_at = scheduledAt;
  }
}
