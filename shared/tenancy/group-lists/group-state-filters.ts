import type { z } from 'zod';
import type { Context } from '../../core/context.js';
import { day, boolean, optional } from '../../core/fields.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

/** Parameters about the state that a group is in, by itself or with one above it (core-resources.md section 3). */
export const groupStateFilterParams = {
  archived: optional(boolean()).describe('True: only archived groups; false: only others.'),
  active: optional(boolean()).describe('True: neither archived nor marked for deletion; false: the rest.'),
  marked_for_deletion_on: optional(day()).describe('Only groups marked for deletion on this day. Premium.'),
};

/** Conditions on `n` and `gs`. */
export function groupStateConditions(
  ctx: Context,
  input: Partial<z.output<z.ZodObject<typeof groupStateFilterParams>>>,
): Fragment[] {
  const conditions: Fragment[] = [];
  if (input.archived !== undefined) conditions.push(input.archived ? sql`n.archived` : sql`not n.archived`);
  if (input.active !== undefined)
    conditions.push(input.active ? sql`not n.frozen and not n.archived` : sql`n.frozen or n.archived`);
  if (input.marked_for_deletion_on !== undefined && ctx.hasPlan('premium')) {
    const from = sql`(${input.marked_for_deletion_on}::date)::timestamp at time zone 'UTC'`;
    conditions.push(
      sql`gs.marked_for_deletion_at >= ${from} and gs.marked_for_deletion_at < ${from} + interval '1 day'`,
    );
  }
  return conditions;
}
