import { boolean, instant, optional, oneOf, text, withDefault } from '../../core/fields.js';
import type { TextList, OrderStep } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
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

const SCOPES = ['running', 'pending', 'finished', 'branches', 'tags'] as const;

/** Filters that pipelines of a project and pipelines of a schedule share. */
export const commonFilterParams = {
  scope: optional(oneOf(SCOPES)).describe(
    'Only running, pending or finished ones, or the newest of each branch or tag.',
  ),
  status: optional(oneOf(PIPELINE_STATUSES)).describe('Only those in this state.'),
  updated_before: optional(instant()).describe('Changed before.'),
  updated_after: optional(instant()).describe('Changed after.'),
  created_before: optional(instant()).describe('Made before.'),
  created_after: optional(instant()).describe('Made after.'),
};

export const pipelineFilterParams = {
  ...commonFilterParams,
  source: optional(oneOf(PIPELINE_SOURCES)).describe(
    'Only those started this way; `schedule` and `scheduled` are one.',
  ),
  ref: optional(text()).describe('Only those of this branch or tag.'),
  sha: optional(text()).describe('Only those of this commit.'),
  name: optional(text()).describe('Only those of this name.'),
  username: optional(text()).describe('Only those made for this user.'),
  yaml_errors: optional(boolean()).describe('Only those with, or only those without, an invalid configuration.'),
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

function scopeCondition(scope: CommonFilters['scope']): Fragment[] {
  switch (scope) {
    case 'running':
    case 'pending':
      return [sql`pl.status = ${scope}`];
    case 'finished':
      return [sql`pl.status in ('success', 'failed', 'canceled')`];
    case 'branches':
    case 'tags':
      // The newest pipeline of each ref of that kind that still exists.
      return [
        sql`pl.tag = ${scope === 'tags'} and pl.id = (select max(newest.id) from pipelines newest
          where newest.project_id = pl.project_id and newest.ref = pl.ref and newest.tag = pl.tag)
        and exists (select 1 from repository_refs existing where existing.project_id = pl.project_id
          and existing.kind = ${scope === 'tags' ? 'tag' : 'branch'} and existing.name = pl.ref)`,
      ];
    default:
      return [];
  }
}

/** The conditions that the shared filters stand for. */
export function commonConditions(input: CommonFilters): Fragment[] {
  const where = scopeCondition(input.scope);
  if (input.status !== undefined) where.push(sql`pl.status = ${input.status}`);
  if (input.updated_before) where.push(sql`pl.updated_at < ${input.updated_before}`);
  if (input.updated_after) where.push(sql`pl.updated_at > ${input.updated_after}`);
  if (input.created_before) where.push(sql`pl.created_at < ${input.created_before}`);
  if (input.created_after) where.push(sql`pl.created_at > ${input.created_after}`);
  return where;
}

/** Narrows and orders a list of pipelines. */
export function pipelineFilters(list: TextList<PipelineRecord>, input: PipelineFilters): TextList<PipelineRecord> {
  const where = [...list.where, ...commonConditions(input)];
  if (input.source !== undefined)
    where.push(sql`pl.source = ${input.source === 'scheduled' ? 'schedule' : input.source}`);
  if (input.ref !== undefined) where.push(sql`pl.ref = ${input.ref}`);
  if (input.sha !== undefined) where.push(sql`pl.sha = ${input.sha}`);
  if (input.name !== undefined) where.push(sql`pl.name = ${input.name}`);
  if (input.username !== undefined) where.push(sql`lower(u.username) = lower(${input.username})`);
  if (input.yaml_errors !== undefined) where.push(sql`(pl.yaml_errors is not null) = ${input.yaml_errors}`);
  return { ...list, where, order: orderSteps(input.order_by, input.sort) };
}

function orderSteps(column: PipelineFilters['order_by'], direction: 'asc' | 'desc'): OrderStep<PipelineRecord>[] {
  const last = byId<PipelineRecord>('pl', direction);
  if (column === 'id') return [last];
  const type = column === 'updated_at' ? 'instant' : column === 'user_id' ? 'integer' : 'text';
  return [{ key: column, expression: raw(`pl.${column}`), direction, type, value: (row) => row[column] }, last];
}
