import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyIn, constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import { hasItsTags, mayUseItsRef, servesItsProject } from '../job-handouts/fitting-jobs.js';
import type { RunnerType } from '../runners/runner.entity.js';
import { jobsNow } from '../runners/runner.finder.js';
import { getRunnerStatus } from '../runners/runner-status.js';

/** Runners that one answer considers: those that fit come first. */
const RUNNERS = 1_000;

/** Why a runner does not do a job, in the order in which they are listed. */
export const WAITING_REASONS = ['tags', 'protected', 'paused', 'offline', 'kind', 'busy'] as const;
type WaitingReason = (typeof WAITING_REASONS)[number];

/** A runner of a job's project, of a group above it or of the instance, and why it does not do the job now. */
export interface RunnerForJob {
  readonly id: number;
  readonly description: string | null;
  readonly runner_type: RunnerType;
  /** Whether it will take the job once it is online and asks. */
  readonly fits: boolean;
  readonly reasons: readonly WaitingReason[];
}

const listCandidates = prepareQuery((db: Kysely<CiDatabase>, { job_id }: Placeholders<{ job_id: number }>) =>
  db
    // What is asked of a queued job is asked of this one.
    .selectFrom('jobs as q')
    .innerJoin('projects as p', 'p.id', 'q.project_id')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .innerJoin('project_settings as s', 's.project_id', 'p.id')
    .innerJoin('runners as r', (join) => join.onTrue())
    .select((eb) => [
      'r.id',
      'r.description',
      'r.runner_type',
      'r.paused',
      'r.contacted_at',
      'r.created_at',
      eb.and([hasItsTags]).as('has_tags'),
      eb.and([mayUseItsRef]).as('may_use_ref'),
      eb.and([servesItsProject]).as('serves'),
      jobsNow('runner_id', 'r.id'),
    ])
    .where('q.id', '=', job_id)
    .where((eb) =>
      eb.or([
        eb('r.runner_type', '=', constant('instance_type')),
        eb('r.namespace_id', '=', anyIn(eb.ref('n.traversal_ids'))),
        eb(
          'r.id',
          'in',
          eb.selectFrom('runner_projects as x').select('x.runner_id').whereRef('x.project_id', '=', 'p.id'),
        ),
      ]),
    )
    .orderBy((eb) => eb.and([hasItsTags, mayUseItsRef, servesItsProject, eb.not('r.paused')]), 'desc')
    .orderBy('r.id')
    .limit(constant(RUNNERS)),
);

/** The runners that could be asked to do a job: those that would take it first. */
export async function listRunnersForJob(ctx: Context, jobId: number): Promise<RunnerForJob[]> {
  const now = ctx.clock.now();
  const rows = await listCandidates(ctx, { job_id: jobId });
  return rows.map((row) => {
    const applies: Record<WaitingReason, boolean> = {
      tags: !row.has_tags,
      protected: !row.may_use_ref,
      paused: row.paused,
      offline: getRunnerStatus(row, now) !== 'online',
      kind: !row.serves,
      busy: row.executing,
    };
    const reasons = WAITING_REASONS.filter((reason) => applies[reason]);
    const fits = reasons.every((reason) => reason === 'offline' || reason === 'busy');
    return { id: row.id, description: row.description ?? null, runner_type: row.runner_type, fits, reasons };
  });
}
