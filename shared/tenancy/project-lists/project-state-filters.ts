import type { z } from 'zod';
import type { Context } from '../../core/context.js';
import { day, boolean, optional, oneOf, text } from '../../core/fields.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { membershipCondition } from './project-access-filters.js';
import { VISIBILITY } from '../namespaces/visibility.js';
import { REPOSITORY_STORAGE } from '../project-settings/setting-rules.js';

/** Parameters about the state that a project is in (projects.md section 2). */
export const projectStateFilterParams = {
  archived: optional(boolean()).describe('True: only archived projects; false: only others.'),
  active: optional(boolean()).describe('True: neither archived nor marked for deletion; false: the rest.'),
  visibility: optional(oneOf(VISIBILITY)).describe('Only projects of this visibility.'),
};

/** Parameters that few may use; of others, and on a lower plan, they are ignored. */
export const instanceFilterParams = {
  marked_for_deletion_on: optional(day()).describe('Only projects marked for deletion on this day. Premium.'),
  repository_storage: optional(text()).describe('Only projects whose repository lies there. For administrators.'),
  include_pending_delete: optional(boolean()).describe('Also projects that are being removed. For administrators.'),
  include_hidden: optional(boolean()).describe(
    'Also hidden projects, of which there are none. For administrators. Premium.',
  ),
  repository_checksum_failed: optional(boolean()).describe('Only projects whose repository failed its check. Premium.'),
  wiki_checksum_failed: optional(boolean()).describe('Only projects whose wiki failed its check. Premium.'),
};

export type StateFilters = Partial<z.output<z.ZodObject<typeof projectStateFilterParams>>>;
export type InstanceFilters = Partial<z.output<z.ZodObject<typeof instanceFilterParams>>>;

/** By itself or with a group that it lies in. */
const archived: Fragment = sql`p.archived
  or p.namespace_id = any(array(select an.id from namespaces an where an.archived))`;
/** A project is marked for deletion by itself, or with its group. */
export const marked: Fragment = sql`p.marked_for_deletion_at is not null
  or p.namespace_id = any(array(select fn.id from namespaces fn where fn.frozen))`;

/** Visibilities that a caller sees only as a member, for whom memberships then lead to the projects. */
function membersOnly({ caller }: Context, visibility: string): boolean {
  if (caller.admin || caller.anonymous) return false;
  return visibility === 'private' || (visibility === 'internal' && caller.user.external);
}

/** Conditions on `p`. */
export function projectStateConditions(ctx: Context, input: StateFilters): Fragment[] {
  const conditions: Fragment[] = [];
  if (input.archived !== undefined) conditions.push(input.archived ? archived : sql`not (${archived})`);
  if (input.active !== undefined) {
    const inactive = sql`(${archived}) or (${marked})`;
    conditions.push(input.active ? sql`not (${inactive})` : inactive);
  }
  if (input.visibility !== undefined) {
    conditions.push(sql`p.visibility = ${input.visibility}`);
    if (membersOnly(ctx, input.visibility)) conditions.push(membershipCondition(ctx));
  }
  return conditions;
}

/** Conditions on `p` for filters that need a plan or an administrator; else they are as if they were not sent. */
export function instanceConditions(ctx: Context, input: InstanceFilters): Fragment[] {
  const conditions: Fragment[] = [];
  const premium = ctx.hasPlan('premium');
  if (premium && input.marked_for_deletion_on !== undefined) {
    const from = sql`(${input.marked_for_deletion_on}::date)::timestamp at time zone 'UTC'`;
    conditions.push(sql`p.marked_for_deletion_at >= ${from} and p.marked_for_deletion_at < ${from} + interval '1 day'`);
  }
  // Every repository is checked when it is read: no failure is ever stored.
  if (premium && (input.repository_checksum_failed || input.wiki_checksum_failed)) conditions.push(sql`false`);
  if (ctx.caller.admin && input.repository_storage !== undefined && input.repository_storage !== REPOSITORY_STORAGE)
    conditions.push(sql`false`);
  return conditions;
}

/** Whether the list holds projects whose removal has begun too. */
export function seesRemoved(ctx: Context, input: InstanceFilters): boolean {
  return ctx.caller.admin && input.include_pending_delete === true;
}
