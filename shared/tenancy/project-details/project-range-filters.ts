import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import { Invalid } from '../../core/values/errors.js';
import { instant, integer, optional } from '../../core/operations/fields.js';
import { onProjects } from '../projects/project.finder.js';

/** Parameters that cut a range out of ids and times (projects.md section 2). */
export const rangeFilterParams = {
  id_after: optional(integer()).describe('Returns projects with an ID greater than this one.'),
  id_before: optional(integer()).describe('Returns projects with an ID less than this one.'),
  last_activity_after: optional(instant()).describe('Returns projects with activity after this time.'),
  last_activity_before: optional(instant()).describe('Returns projects whose last activity was before this time.'),
  updated_after: optional(instant()).describe(
    'Returns projects updated at or after this time. Requires `order_by=updated_at`.',
  ),
  updated_before: optional(instant()).describe(
    'Returns projects updated at or before this time. Requires `order_by=updated_at`.',
  ),
};

export type RangeFilters = Partial<z.output<z.ZodObject<typeof rangeFilterParams>>>;

/** @throws Invalid where `updated_*` come with another order, the default one included (projects.md section 2.3) */
function requirePaired(input: RangeFilters & { order_by?: string | undefined }): void {
  const bound = input.updated_after ?? input.updated_before;
  if (bound !== undefined && input.order_by !== 'updated_at')
    throw new Invalid('400 Bad request - `updated_at` filter and `updated_at` sorting must be paired');
}

/** Conditions on `p`. @throws Invalid */
export function rangeConditions(input: RangeFilters & { order_by?: string | undefined }): Expression<SqlBool>[] {
  requirePaired(input);
  const conditions: Expression<SqlBool>[] = [];
  if (input.id_after !== undefined) conditions.push(onProjects('p.id', '>', input.id_after));
  if (input.id_before !== undefined) conditions.push(onProjects('p.id', '<', input.id_before));
  if (input.last_activity_after) conditions.push(onProjects('p.last_activity_at', '>', input.last_activity_after));
  if (input.last_activity_before) conditions.push(onProjects('p.last_activity_at', '<', input.last_activity_before));
  if (input.updated_after) conditions.push(onProjects('p.updated_at', '>=', input.updated_after));
  if (input.updated_before) conditions.push(onProjects('p.updated_at', '<=', input.updated_before));
  return conditions;
}
