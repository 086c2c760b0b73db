import type { Expression, SqlBool } from 'kysely';
import { constant, sameText } from '../../core/database/expressions.js';
import { boolean, instant, optional, oneOf, text, withDefault } from '../../core/operations/fields.js';
import type { List, OrderStep } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import { onPipelines } from './pipeline.finder.js';
import type { PipelineRecord } from './pipeline.finder.js';

/** All states of a pipeline (delivery-resources.md section 3). */
export const PIPELINE_STATUSES = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'success',
  'failed',
  'canceling',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const;

const PIPELINE_SOURCES = [
  'unknown',
  'push',
  'web',
  'trigger',
  'schedule',
  'scheduled',
  'api',
  'external',
  'pipeline',
  'chat',
  'webide',
  'merge_request_event',
  'external_pull_request_event',
  'parent_pipeline',
  'ondemand_dast_scan',
  'ondemand_dast_validation',
  'security_orchestration_policy',
  'container_registry_push',
] as const;

/** States in which a pipeline is done, as constants. */
export const FINISHED = ['success', 'failed', 'canceled'].map((status) => constant(status));

const SCOPES = ['running', 'pending', 'finished', 'branches', 'tags'] as const;

/** Filters that pipelines of a project and pipelines of a schedule share. */
export const commonFilterParams = {
  scope: optional(oneOf(SCOPES)).describe(
    'Filter by scope: running, pending or finished pipelines, or the newest pipeline of each branch or tag.',
  ),
  status: optional(oneOf(PIPELINE_STATUSES)).describe('Filter by status of the pipeline.'),
  updated_before: optional(instant()).describe('Return pipelines updated before this time.'),
  updated_after: optional(instant()).describe('Return pipelines updated after this time.'),
  created_before: optional(instant()).describe('Return pipelines created before this time.'),
  created_after: optional(instant()).describe('Return pipelines created after this time.'),
};

export const pipelineFilterParams = {
  ...commonFilterParams,
  source: optional(oneOf(PIPELINE_SOURCES)).describe(
    'Filter by source of the pipeline; `schedule` and `scheduled` are equivalent.',
  ),
  ref: optional(text()).describe('Filter by branch or tag of the pipeline.'),
  sha: optional(text()).describe('Filter by SHA of the commit.'),
  name: optional(text()).describe('Filter by name of the pipeline.'),
  username: optional(text()).describe('Filter by username of the user for whom the pipeline was created.'),
  yaml_errors: optional(boolean()).describe(
    'If `true`, returns only pipelines with an invalid configuration; if `false`, only pipelines without an invalid configuration.',
  ),
  order_by: withDefault(oneOf(['id', 'status', 'ref', 'updated_at', 'user_id']), 'id').describe('Column to order by.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order.'),
};

interface CommonFilters {
  scope?: (typeof SCOPES)[number] | undefined;
  status?: string | undefined;
  updated_before?: Date | undefined;
  updated_after?: Date | undefined;
  created_before?: Date | undefined;
  created_after?: Date | undefined;
}

interface PipelineFilters extends CommonFilters {
  source?: string | undefined;
  ref?: string | undefined;
  sha?: string | undefined;
  name?: string | undefined;
  username?: string | undefined;
  yaml_errors?: boolean | undefined;
  order_by: 'id' | 'status' | 'ref' | 'updated_at' | 'user_id';
  sort: 'asc' | 'desc';
}

/** The newest pipeline of each ref of a kind that still exists. */
function isNewestOfRef(kind: 'branch' | 'tag'): Expression<SqlBool> {
  const eb = onPipelines;
  const newest = eb
    .selectFrom('pipelines as newest')
    .select((of) => of.fn.max('newest.id').as('id'))
    .whereRef('newest.project_id', '=', 'pl.project_id')
    .whereRef('newest.ref', '=', 'pl.ref')
    .whereRef('newest.tag', '=', 'pl.tag');
  const existing = eb
    .selectFrom('repository_refs as existing')
    .select(eb.lit(1).as('one'))
    .whereRef('existing.project_id', '=', 'pl.project_id')
    .where('existing.kind', '=', constant(kind))
    .whereRef('existing.name', '=', 'pl.ref');
  return eb.and([eb('pl.tag', '=', constant(kind === 'tag')), eb('pl.id', '=', newest), eb.exists(existing)]);
}

function scopeConditions(scope: CommonFilters['scope']): Expression<SqlBool>[] {
  switch (scope) {
    case 'running':
    case 'pending':
      return [onPipelines('pl.status', '=', scope)];
    case 'finished':
      return [onPipelines('pl.status', 'in', FINISHED)];
    case 'branches':
      return [isNewestOfRef('branch')];
    case 'tags':
      return [isNewestOfRef('tag')];
    default:
      return [];
  }
}

/** The conditions for the shared filters. */
export function commonConditions(input: CommonFilters): Expression<SqlBool>[] {
  const where = scopeConditions(input.scope);
  if (input.status !== undefined) where.push(onPipelines('pl.status', '=', input.status));
  if (input.updated_before) where.push(onPipelines('pl.updated_at', '<', input.updated_before));
  if (input.updated_after) where.push(onPipelines('pl.updated_at', '>', input.updated_after));
  if (input.created_before) where.push(onPipelines('pl.created_at', '<', input.created_before));
  if (input.created_after) where.push(onPipelines('pl.created_at', '>', input.created_after));
  return where;
}

/** Pipelines made for the user of a name. */
const runsFor = (username: string): Expression<SqlBool> =>
  onPipelines(
    'pl.user_id',
    '=',
    onPipelines
      .selectFrom('users as named')
      .select('named.id')
      .where((eb) => sameText(eb.ref('named.username'), username)),
  );

/** How a source is stored: both its names are one. */
export const storedSource = (source: string): string => (source === 'scheduled' ? 'schedule' : source);

/** Narrows and orders a list of pipelines. */
export function pipelineFilters(list: List<PipelineRecord>, input: PipelineFilters): List<PipelineRecord> {
  const where = commonConditions(input);
  if (input.source !== undefined) where.push(onPipelines('pl.source', '=', storedSource(input.source)));
  if (input.ref !== undefined) where.push(onPipelines('pl.ref', '=', input.ref));
  if (input.sha !== undefined) where.push(onPipelines('pl.sha', '=', input.sha));
  if (input.name !== undefined) where.push(onPipelines('pl.name', '=', input.name));
  if (input.username !== undefined) where.push(runsFor(input.username));
  if (input.yaml_errors !== undefined)
    where.push(onPipelines('pl.yaml_errors', input.yaml_errors ? 'is not' : 'is', null));
  return { ...narrow(list, where), order: orderSteps(input.order_by, input.sort) };
}

function orderSteps(column: PipelineFilters['order_by'], direction: 'asc' | 'desc'): OrderStep<PipelineRecord>[] {
  const last = byId<PipelineRecord>('pl', direction);
  if (column === 'id') return [last];
  const type = column === 'updated_at' ? 'instant' : column === 'user_id' ? 'integer' : 'text';
  return [
    { key: column, expression: onPipelines.ref(`pl.${column}`), direction, type, value: (row) => row[column] },
    last,
  ];
}
