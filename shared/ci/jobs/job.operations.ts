import type { Expression, SqlBool } from 'kysely';
import { z } from 'zod';
import { constant, anyOf } from '../../core/database/expressions.js';
import { boolean, oneOf, withDefault, asArray, optional } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { byId } from '../../core/database/list.js';
import { pipeline } from '../pipelines/pipeline.finder.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { PIPELINE_STATUSES } from '../pipelines/pipeline.filters.js';
import { job, findPipelineJobs, onPipelineJobs } from './job.finder.js';
import type { JobRecord } from './job.finder.js';

const STATUSES: ReadonlySet<unknown> = new Set(PIPELINE_STATUSES);

/** States to keep: one, several, or none for all. One bad state makes the whole `scope` bad. */
const jobScope = optional(
  z
    .preprocess(
      (value) => [asArray(value)].flat(),
      z
        .array(z.unknown())
        .refine((values) => values.every((value) => STATUSES.has(value)), 'does not have a valid value'),
    )
    .meta({ type: 'array', items: { type: 'string', enum: [...PIPELINE_STATUSES] } }),
).describe('Filter by states of the jobs.');

/** The condition on `j` for a scope. */
function scopeCondition(scope: readonly unknown[] | undefined): Expression<SqlBool>[] {
  return scope === undefined || scope.length === 0
    ? []
    : [onPipelineJobs('j.status', '=', anyOf(scope as readonly string[], 'text'))];
}

/** List a project's jobs, newest first. By keyset for callers who are signed in (core-resources.md section 9). */
export const listJobs = operation({
  name: 'listJobs',
  summary: "List a project's jobs",
  resource: project,
  can: can(projectPolicy, 'read_pipeline'),
  authentication: 'open',
  kind: 'read',
  statements: 8,
  params: {
    scope: jobScope,
    order_by: withDefault(oneOf(['id']), 'id').describe('Column to sort the jobs by.'),
    sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order.'),
  },
  run(ctx, found, input) {
    const list = findPipelineJobs(found, scopeCondition(input.scope));
    const offered = input.sort === 'desc' && !ctx.caller.anonymous;
    return Promise.resolve({
      ...list,
      order: [byId<JobRecord>('j', input.sort)],
      keyset: { type: 'Ci::Build', by: 'cursor' as const, offered },
    });
  },
});

/** Read one job. */
export const getJob = operation({
  name: 'getJob',
  summary: 'Read a job',
  resource: job,
  authentication: 'open',
  kind: 'read',
  statements: 7,
  run: (_ctx, found) => Promise.resolve(found),
});

const filters = {
  scope: jobScope,
  include_retried: withDefault(boolean(), false).describe(
    'If `true`, also includes jobs that newer ones of the same name replaced.',
  ),
};

/** List the jobs of a pipeline, newest first. */
export const listJobsOfPipeline = operation({
  name: 'listJobsOfPipeline',
  summary: 'List the jobs of a pipeline',
  resource: pipeline,
  authentication: 'open',
  kind: 'read',
  statements: 9,
  params: filters,
  run(_ctx, found, input) {
    const where: Expression<SqlBool>[] = [
      onPipelineJobs('j.pipeline_id', '=', found.id),
      ...scopeCondition(input.scope),
    ];
    if (!input.include_retried) where.push(onPipelineJobs('j.retried', '=', constant(false)));
    return Promise.resolve(findPipelineJobs(found.project, where));
  },
});

/** List the jobs of a pipeline that start others. Nothing that executors report does, so there are none. */
export const listBridgesOfPipeline = operation({
  name: 'listBridgesOfPipeline',
  summary: 'List the trigger jobs of a pipeline',
  resource: pipeline,
  authentication: 'open',
  kind: 'read',
  statements: 6,
  params: filters,
  run: (_ctx, found) => Promise.resolve(findPipelineJobs(found.project, [constant(false)])),
});
