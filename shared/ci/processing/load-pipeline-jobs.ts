import type { Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import { Job } from '../pipelines/job.entity.js';

const COLUMNS = [
  'id',
  'kind',
  'name',
  'stage_index',
  'status',
  'when',
  'needs_jobs',
  'allow_failure',
  'retried',
  'start_in',
  'scheduled_at',
  'resource_group_id',
  'coverage',
  'queued_at',
  'started_at',
  'finished_at',
  'created_at',
] as const;

/** A job of a pipeline, as far as its processing reads it. */
type PipelineJob = Pick<Job, (typeof COLUMNS)[number]>;

const jobsOfPipeline = prepareQuery<CiDatabase, { id: number }, PipelineJob>((db, { id }) =>
  db
    .selectFrom('jobs as j')
    .select(columns(Job, 'j', COLUMNS))
    .where('j.pipeline_id', '=', id)
    .orderBy('j.id'),
);

const needsOfPipeline = prepareQuery((db: Kysely<CiDatabase>, { id }: Placeholders<{ id: number }>) =>
  db.selectFrom('job_needs as n').select(['n.job_id', 'n.name']).where('n.pipeline_id', '=', id),
);

/** All jobs of a pipeline, and those among them that its configuration made and nothing replaced. */
export interface PipelineJobs {
  all: PipelineJob[];
  newest: PipelineJob[];
  configured: PipelineJob[];
}

/** Loads the jobs of a pipeline by one statement. */
export async function loadPipelineJobs(ctx: Context<Caller>, pipelineId: number): Promise<PipelineJobs> {
  const all = await jobsOfPipeline(ctx, { id: pipelineId });
  const newest = all.filter((job) => !job.retried);
  return { all, newest, configured: newest.filter((job) => job.kind === 'build') };
}

/** The names of the jobs that each job of a pipeline needs. */
export async function loadPipelineNeeds(ctx: Context<Caller>, pipelineId: number): Promise<Map<number, string[]>> {
  const rows = await needsOfPipeline(ctx, { id: pipelineId });
  const needs = new Map<number, string[]>();
  for (const { job_id, name } of rows) {
    const names = needs.get(job_id);
    if (names) names.push(name);
    else needs.set(job_id, [name]);
  }
  return needs;
}

const PIPELINE = [
  'pl.id',
  'pl.status',
  'pl.finished_at',
  'pl.updated_at',
  'pl.yaml_errors',
  'pl.auto_cancel_on_job_failure',
] as const;

const configPipeline = prepareQuery((db: Kysely<CiDatabase>, { id }: Placeholders<{ id: number }>) =>
  db
    .selectFrom('pipelines as pl')
    .select(PIPELINE)
    .where('pl.id', '=', id)
    .where('pl.kind', '=', constant('config'))
    .forNoKeyUpdate(),
);

/** A pipeline with a configuration, its row locked; null where there is none. */
export async function lockConfigPipeline(ctx: Context<Caller>, pipelineId: number) {
  const [row] = await configPipeline(ctx, { id: pipelineId });
  return row ?? null;
}
