import type { z } from 'zod';
import type { Context } from '../core/context.js';
import { flag, maybe, oneOfIntegers } from '../core/fields.js';
import { sql } from '../core/sql.js';
import type { Sql } from '../core/sql.js';
import { memberOfProject, today } from '../members/access.js';

/** Roles that a filter may ask for. */
const LEVELS = [10, 15, 20, 30, 40, 50];

/** Parameters about what the caller is to a project (projects.md section 2). */
export const accessFilterParams = {
  owned: maybe(flag()).describe('Only projects in which the caller is an Owner.'),
  membership: maybe(flag()).describe('Only projects that the caller is a member of, in any way.'),
  min_access_level: maybe(oneOfIntegers(LEVELS)).describe('Only projects in which the caller has this level or more.'),
};

export type AccessFilters = Partial<z.output<z.ZodObject<typeof accessFilterParams>>>;

const OWNER = 50;
const GUEST = 10;

/** The level that the caller must have by membership; being an administrator is none. Null asks for no membership. */
function memberLevel(input: AccessFilters): number | null {
  if (input.owned) return OWNER;
  return input.min_access_level ?? (input.membership ? GUEST : null);
}

/** The caller's memberships as a condition on `p`. Nobody who is not signed in has any: an empty list, not an error. */
export function membershipCondition(ctx: Context, level: number = GUEST): Sql {
  return ctx.caller.anonymous ? sql`false` : memberOfProject(ctx.caller.id, today(ctx), level);
}

/** Conditions on `p`. What is false is as if it were not sent. */
export function accessConditions(ctx: Context, input: AccessFilters): Sql[] {
  const conditions: Sql[] = [];
  const level = memberLevel(input);
  if (level !== null) conditions.push(membershipCondition(ctx, level));
  return conditions;
}
