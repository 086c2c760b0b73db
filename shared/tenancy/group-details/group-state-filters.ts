import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { isOnDay } from '../../core/database/expressions.js';
import { day, boolean, optional } from '../../core/operations/fields.js';
import { onGroups } from '../groups/group.finder.js';

/** Parameters about the state that a group is in, by itself or with one above it (core-resources.md section 3). */
export const groupStateFilterParams = {
  archived: optional(boolean()).describe(
    'If `true`, returns only archived groups; if `false`, only groups that are not archived.',
  ),
  active: optional(boolean()).describe(
    'If `true`, returns only groups neither archived nor marked for deletion; if `false`, only the other groups.',
  ),
  marked_for_deletion_on: optional(day()).describe('Returns groups marked for deletion on this date. Premium.'),
};

/** Conditions on `n` and `gs`. */
export function groupStateConditions(
  ctx: Context,
  input: Partial<z.output<z.ZodObject<typeof groupStateFilterParams>>>,
): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  const isArchived = onGroups.ref('n.archived');
  const isInactive = onGroups.or([onGroups.ref('n.frozen'), isArchived]);
  if (input.archived !== undefined) conditions.push(input.archived ? isArchived : onGroups.not(isArchived));
  if (input.active !== undefined) conditions.push(input.active ? onGroups.not(isInactive) : isInactive);
  if (input.marked_for_deletion_on !== undefined && ctx.hasPlan('premium'))
    conditions.push(isOnDay(onGroups.ref('gs.marked_for_deletion_at'), input.marked_for_deletion_on));
  return conditions;
}
