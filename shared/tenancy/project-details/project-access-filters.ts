import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { boolean, optional, oneOfIntegers } from '../../core/operations/fields.js';
import { constant } from '../../core/database/expressions.js';
import { onProjects } from '../projects/project.finder.js';
import { memberOfProject, today } from '../namespaces/access.js';

/** Access levels that the filter accepts. */
const LEVELS = [10, 15, 20, 30, 40, 50];

/** Parameters about the caller's relation to a project (projects.md section 2). */
export const accessFilterParams = {
  owned: optional(boolean()).describe('If `true`, returns only projects in which the caller is an Owner.'),
  membership: optional(boolean()).describe(
    'If `true`, returns only projects that the caller is a member of, in any way.',
  ),
  starred: optional(boolean()).describe('If `true`, returns only projects that the caller starred.'),
  imported: optional(boolean()).describe('If `true`, returns only projects that the caller imported from elsewhere.'),
  min_access_level: optional(oneOfIntegers(LEVELS)).describe('Minimum access level of the caller in the project.'),
};

export type AccessFilters = Partial<z.output<z.ZodObject<typeof accessFilterParams>>>;

const OWNER = 50;
const GUEST = 10;

/**
 * The level that the caller must have by membership, regardless of being an administrator. Null requires no membership.
 */
function memberLevel(input: AccessFilters): number | null {
  if (input.owned) return OWNER;
  return input.min_access_level ?? (input.membership ? GUEST : null);
}

/**
 * The caller's memberships as a condition on `p`. Anonymous callers have none: they get an empty list, not an error.
 */
export function membershipCondition(ctx: Context, level: number = GUEST): Expression<SqlBool> {
  return ctx.caller.anonymous ? constant(false) : memberOfProject(ctx.caller.id, today(ctx), level);
}

/** Conditions on `p`. `false` counts as not submitted. */
export function accessConditions(ctx: Context, input: AccessFilters): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  const level = memberLevel(input);
  if (level !== null) conditions.push(membershipCondition(ctx, level));
  // Anonymous callers have the id 0, which matches no user.
  if (input.starred) conditions.push(starredBy(ctx.caller.id));
  if (input.imported)
    conditions.push(onProjects('p.creator_id', '=', ctx.caller.id), onProjects('p.import_type', 'is not', null));
  return conditions;
}

/** Projects that a user starred, as a condition on `p`. */
export function starredBy(userId: number): Expression<SqlBool> {
  const ids = onProjects.selectFrom('project_stars as st').select('st.project_id').where('st.user_id', '=', userId);
  return onProjects('p.id', 'in', ids);
}
