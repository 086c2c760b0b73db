import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { constant, jsonRows, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import type { Compilation, CompiledJob } from '../configuration/compile.types.js';
import { inheritVariables } from '../configuration/job-variables.js';
import { sealDefinition } from '../processing/job-definition.js';
import type { StoredDefinition } from '../processing/job-definition.js';
import type { Pipeline } from '../pipelines/pipeline.entity.js';

const MAX_KEY = 255;
/** Encrypted without a pause, which takes a few milliseconds. */
const BYTES_AT_ONCE = 512 * 1024;

type JobsPipeline = Pick<Pipeline, 'id' | 'project_id' | 'protected'>;

function getDefinition(job: CompiledJob, compilation: Compilation): StoredDefinition {
  const { explanation: _explanation, rules: _rules, only: _only, except: _except, ...rest } = job;
  return { ...rest, global_variables: inheritVariables(compilation.variables, job) };
}

/** Encrypts what jobs consist of, in their order, some at a time: a pipeline may have thousands of them. */
export async function sealDefinitions(
  ctx: Context<Caller>,
  pipelineId: number,
  compilation: Compilation,
): Promise<Buffer[]> {
  const sealed: Buffer[] = [];
  let sinceTurn = 0;
  for (const job of compilation.jobs) {
    const definition = sealDefinition(ctx, pipelineId, getDefinition(job, compilation));
    sealed.push(definition);
    sinceTurn += definition.length;
    if (sinceTurn < BYTES_AT_ONCE) continue;
    sinceTurn = 0;
    await nextTurn();
  }
  return sealed;
}

/** Stores what the jobs consist of. @returns the ids of the rows, in the order of the jobs */
async function insertDefinitions(
  ctx: SignedInContext,
  { id, project_id: projectId }: JobsPipeline,
  sealed: readonly Buffer[],
): Promise<number[]> {
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('job_definitions')
    .columns(['project_id', 'pipeline_id', 'definition'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedColumns({ definition: [sealed, 'bytea'] }).withPositionAs('u'))
        .select([eb.val(projectId).as('project_id'), eb.val(id).as('pipeline_id'), 'u.definition'])
        .orderBy('u.position'),
    )
    .returning('id')
    .execute();
  return rows.map((row) => row.id).sort((one, other) => one - other);
}

const groupKey = ({ resource_group: key }: CompiledJob): string | null => key?.slice(0, MAX_KEY) || null;

/** Makes the resource groups that are new. @returns their ids by key */
async function upsertResourceGroups(
  ctx: SignedInContext,
  { project_id: projectId }: JobsPipeline,
  jobs: readonly CompiledJob[],
): Promise<Map<string, number>> {
  const keys = [...new Set(jobs.map(groupKey))].filter((key) => key !== null).sort();
  if (keys.length === 0) return new Map();
  const now = ctx.clock.now();
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('resource_groups')
    .columns(['project_id', 'key', 'process_mode', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedColumns({ key: [keys, 'text'] }).as('u'))
        .leftJoin('project_settings as s', (join) => join.on('s.project_id', '=', projectId))
        .select((of) => [
          of.val(projectId).as('project_id'),
          'u.key',
          of.fn.coalesce('s.resource_group_default_process_mode', constant('unordered')).as('process_mode'),
          of.val(now).as('created_at'),
          of.val(now).as('updated_at'),
        ])
        .orderBy('u.key'),
    )
    // Answers also those that there are.
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'key']).doUpdateSet((eb) => ({ key: eb.ref('excluded.key') })),
    )
    .returning(['id', 'key'])
    .execute();
  return new Map(rows.map(({ id, key }) => [key, id]));
}

interface JobRow {
  name: string;
  stage: string;
  stage_index: number;
  when: string;
  needs_jobs: boolean;
  allow_failure: boolean;
  start_in: number | null;
  definition_id: number;
  tag_list: string[];
  interruptible: boolean;
  resource_group_id: number | null;
  timeout: number | null;
}

const TYPES = {
  name: 'text',
  stage: 'text',
  stage_index: 'smallint',
  when: 'text',
  needs_jobs: 'boolean',
  allow_failure: 'boolean',
  start_in: 'int',
  definition_id: 'bigint',
  tag_list: 'text[]',
  interruptible: 'boolean',
  resource_group_id: 'bigint',
  timeout: 'int',
} as const;
const COLUMNS = Object.keys(TYPES) as (keyof JobRow)[];

/** @returns the ids of the jobs by name */
async function insertRows(
  ctx: SignedInContext,
  { id, project_id: projectId, protected: isProtected }: JobsPipeline,
  jobs: readonly JobRow[],
): Promise<Map<string, number>> {
  const now = ctx.clock.now();
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('jobs')
    .columns([
      ...COLUMNS,
      ...(['project_id', 'pipeline_id', 'kind', 'status', 'retried', 'protected'] as const),
      ...(['user_id', 'created_at', 'updated_at'] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom(jsonRows<JobRow>(JSON.stringify(jobs), TYPES).as('u'))
        .select((of) => [
          ...COLUMNS.map((name) => `u.${name}` as const),
          of.val(projectId).as('project_id'),
          of.val(id).as('pipeline_id'),
          constant<'build' | 'status'>('build').as('kind'),
          constant<string>('created').as('status'),
          constant<boolean>(false).as('retried'),
          of.val(isProtected).as('protected'),
          of.val(ctx.caller.id).as('user_id'),
          of.val(now).as('created_at'),
          of.val(now).as('updated_at'),
        ])
        .orderBy('u.definition_id'),
    )
    .returning(['id', 'name'])
    .execute();
  return new Map(rows.map((row) => [row.name, row.id]));
}

async function insertNeeds(
  ctx: SignedInContext,
  { id, project_id: projectId }: JobsPipeline,
  jobs: readonly CompiledJob[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const needs = jobs.flatMap((job) => {
    const byName = new Map((job.needs ?? []).map((need) => [need.job, need]));
    return [...byName.values()].map((need) => ({ ...need, job_id: ids.get(job.name) as number }));
  });
  if (needs.length === 0) return;
  const values = unnestedColumns({
    job_id: [needs.map((need) => need.job_id), 'bigint'],
    name: [needs.map((need) => need.job), 'text'],
    artifacts: [needs.map((need) => need.artifacts), 'boolean'],
    optional: [needs.map((need) => need.optional), 'boolean'],
  });
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('job_needs')
    .columns(['project_id', 'pipeline_id', 'job_id', 'name', 'artifacts', 'optional'])
    .expression((eb) =>
      eb
        .selectFrom(values.as('u'))
        .select((of) => [
          of.val(projectId).as('project_id'),
          of.val(id).as('pipeline_id'),
          'u.job_id',
          'u.name',
          'u.artifacts',
          'u.optional',
        ]),
    )
    .execute();
}

/**
 * Writes the jobs of a new pipeline, with what they consist of, wait for and share, by four statements at most.
 * @param definitions of {@link sealDefinitions}
 */
export async function insertJobs(
  ctx: SignedInContext,
  pipeline: JobsPipeline,
  { jobs, stages }: Compilation,
  definitions: readonly Buffer[],
): Promise<void> {
  const definitionIds = await insertDefinitions(ctx, pipeline, definitions);
  const groupIds = await upsertResourceGroups(ctx, pipeline, jobs);
  const rows = jobs.map((job, index) => ({
    name: job.name,
    stage: job.stage,
    stage_index: stages.indexOf(job.stage),
    when: job.when,
    needs_jobs: job.needs !== null,
    // With exit codes, that a failure is allowed is known only when it has failed.
    allow_failure: job.allow_failure === true,
    start_in: job.start_in,
    definition_id: definitionIds[index] as number,
    tag_list: [...new Set(job.tags)],
    interruptible: job.interruptible,
    resource_group_id: groupIds.get(groupKey(job) ?? '') ?? null,
    timeout: job.timeout,
  }));
  const ids = await insertRows(ctx, pipeline, rows);
  await insertNeeds(ctx, pipeline, jobs, ids);
}
