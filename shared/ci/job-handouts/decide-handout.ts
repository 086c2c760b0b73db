import type { Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import type { StoredDefinition } from '../processing/job-definition.js';
import { readDefinition } from '../processing/job-definition.js';
import type { RunnerFeatures } from '../runners/runner.entity.js';

/** Hand-outs of a job that no runner acknowledges; after them it fails. */
export const MOST_HANDOUTS = 3;

const lockJob = prepareQuery(
  (db: Kysely<CiDatabase>, { job_id, runner_id }: Placeholders<{ job_id: number; runner_id: number }>) =>
    db
      .selectFrom('jobs as j')
      .innerJoin('projects as p', 'p.id', 'j.project_id')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .innerJoin('project_settings as s', 's.project_id', 'p.id')
      .innerJoin('pipelines as pl', 'pl.id', 'j.pipeline_id')
      .innerJoin('runners as r', (join) => join.on('r.id', '=', runner_id))
      .leftJoin('users as u', 'u.id', 'j.user_id')
      .leftJoin('job_definitions as d', 'd.id', 'j.definition_id')
      .select((eb) => [
        'j.pipeline_id',
        'pl.status as pipeline_status',
        'j.handouts',
        's.build_timeout',
        'r.maximum_timeout',
        'p.builds_access_level',
        eb.or([eb.ref('p.archived'), eb.ref('n.archived')]).as('archived'),
        eb
          .or([
            eb('p.removal_started_at', 'is not', null),
            eb('p.marked_for_deletion_at', 'is not', null),
            eb.ref('n.frozen'),
          ])
          .as('removed'),
        'u.state as user_state',
        'd.definition',
      ])
      .where('j.id', '=', job_id)
      .where('j.status', '=', constant('pending'))
      .where('j.kind', '=', constant('build'))
      .forNoKeyUpdate('j'),
  'lock_job_for_handout',
);

type Row = Awaited<ReturnType<typeof lockJob>>[number];

/** What a runner must be able to do for a job, by the names that it declares. */
function requiredFeatures({ artifacts, allow_failure, retry }: StoredDefinition): string[] {
  const features: [string, boolean][] = [
    ['artifacts_exclude', (artifacts?.exclude.length ?? 0) > 0],
    ['upload_multiple_artifacts', Object.keys(artifacts?.reports ?? {}).length > 0],
    ['return_exit_code', typeof allow_failure === 'object' || (retry?.exit_codes.length ?? 0) > 0],
  ];
  return features.filter(([, needed]) => needed).map(([name]) => name);
}

/** Why a job fails instead of being handed out, whoever asks. */
function whyDropped(row: Row): string | null {
  if (row.removed) return 'project_deleted';
  if (row.archived) return 'archived_failure';
  if (row.builds_access_level === 'disabled') return 'builds_disabled';
  if (row.user_state !== 'active') return 'user_blocked';
  if (row.handouts >= MOST_HANDOUTS) return 'scheduler_failure';
  return row.definition === null ? 'data_integrity_failure' : null;
}

/** How a queued job is handed out, or why it fails instead. */
interface HandoutDecision {
  readonly pipeline_id: number;
  /** Whether its pipeline is not running yet. */
  readonly starts_pipeline: boolean;
  /** Seconds that it may run. */
  readonly timeout: number;
  readonly drop: string | null;
}

/** Locks a queued job and decides whether a runner gets it; null if it is not pending any more. */
export async function decideHandout(
  ctx: Context<Caller>,
  jobId: number,
  runnerId: number,
  features: RunnerFeatures,
): Promise<HandoutDecision | null> {
  const [row] = await lockJob(ctx, { job_id: jobId, runner_id: runnerId });
  if (!row) return null;
  const { pipeline_id, definition: sealed, build_timeout, maximum_timeout } = row;
  const starts_pipeline = row.pipeline_status !== 'running';
  const dropped = whyDropped(row);
  if (dropped !== null || sealed === null) return { pipeline_id, starts_pipeline, timeout: 0, drop: dropped };
  const definition = readDefinition(ctx, pipeline_id, sealed);
  if (!definition) return { pipeline_id, starts_pipeline, timeout: 0, drop: 'data_integrity_failure' };
  const isAble = requiredFeatures(definition).every((name) => features[name]);
  // Of its file: a hand-out that was taken back has left the shorter one of a runner.
  const timeout = Math.min(definition.timeout ?? build_timeout, maximum_timeout ?? Number.POSITIVE_INFINITY);
  return { pipeline_id, starts_pipeline, timeout, drop: isAble ? null : 'runner_unsupported' };
}
