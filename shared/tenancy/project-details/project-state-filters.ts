import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { day, boolean, optional, oneOf, text } from '../../core/operations/fields.js';
import { anyIn, arrayFrom, constant, isOnDay } from '../../core/database/expressions.js';
import { onProjects } from '../projects/project.finder.js';
import { membershipCondition } from './project-access-filters.js';
import { VISIBILITY } from '../namespaces/namespace.entity.js';
import { REPOSITORY_STORAGE } from '../projects/setting-rules.js';

/** Parameters about the state that a project is in (projects.md section 2). */
export const projectStateFilterParams = {
  archived: optional(boolean()).describe(
    'If `true`, returns only archived projects; if `false`, only projects that are not archived.',
  ),
  active: optional(boolean()).describe(
    'If `true`, returns only projects neither archived nor marked for deletion; if `false`, only the other projects.',
  ),
  visibility: optional(oneOf(VISIBILITY)).describe('Filter by the visibility of the project.'),
};

/** Parameters that few may use; of others, and on a lower plan, they are ignored. */
export const instanceFilterParams = {
  marked_for_deletion_on: optional(day()).describe('Returns projects marked for deletion on this date. Premium.'),
  repository_storage: optional(text()).describe(
    'Name of the storage that holds the repository of the project. For administrators.',
  ),
  include_pending_delete: optional(boolean()).describe(
    'If `true`, includes projects that are being removed. For administrators.',
  ),
  include_hidden: optional(boolean()).describe(
    'If `true`, includes hidden projects, of which there are none. For administrators. Premium.',
  ),
  repository_checksum_failed: optional(boolean()).describe(
    'If `true`, returns only projects whose repository failed its check. Premium.',
  ),
  wiki_checksum_failed: optional(boolean()).describe(
    'If `true`, returns only projects whose wiki failed its check. Premium.',
  ),
};

export type StateFilters = Partial<z.output<z.ZodObject<typeof projectStateFilterParams>>>;
export type InstanceFilters = Partial<z.output<z.ZodObject<typeof instanceFilterParams>>>;

/** That the namespace of project `p` is in such a state. */
function isIn(state: 'archived' | 'frozen'): Expression<SqlBool> {
  const ids = onProjects
    .selectFrom('namespaces as o')
    .select('o.id')
    .where((eb) => eb.ref(`o.${state}`));
  return onProjects('p.namespace_id', '=', anyIn(arrayFrom(ids)));
}

/** By itself or with a group that it lies in. */
const archived: Expression<SqlBool> = onProjects.or([onProjects.ref('p.archived'), isIn('archived')]);
/** A project is marked for deletion by itself, or with its group. */
export const marked: Expression<SqlBool> = onProjects.or([
  onProjects('p.marked_for_deletion_at', 'is not', null),
  isIn('frozen'),
]);

/** Visibilities that the caller sees only as a member; their memberships then lead to the projects. */
function membersOnly({ caller }: Context, visibility: string): boolean {
  if (caller.admin || caller.anonymous) return false;
  return visibility === 'private' || (visibility === 'internal' && caller.user.external);
}

/** Conditions on `p`. */
export function projectStateConditions(ctx: Context, input: StateFilters): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (input.archived !== undefined) conditions.push(input.archived ? archived : onProjects.not(archived));
  if (input.active !== undefined) {
    const inactive = onProjects.or([archived, marked]);
    conditions.push(input.active ? onProjects.not(inactive) : inactive);
  }
  if (input.visibility !== undefined) {
    conditions.push(onProjects('p.visibility', '=', input.visibility));
    if (membersOnly(ctx, input.visibility)) conditions.push(membershipCondition(ctx));
  }
  return conditions;
}

/** Conditions on `p` for filters that need a plan or an administrator; else they are as if they were not sent. */
export function instanceConditions(ctx: Context, input: InstanceFilters): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  const premium = ctx.hasPlan('premium');
  if (premium && input.marked_for_deletion_on !== undefined)
    conditions.push(isOnDay(onProjects.ref('p.marked_for_deletion_at'), input.marked_for_deletion_on));
  // Every repository is checked when it is read: no failure is ever stored.
  if (premium && (input.repository_checksum_failed || input.wiki_checksum_failed)) conditions.push(constant(false));
  if (ctx.caller.admin && input.repository_storage !== undefined && input.repository_storage !== REPOSITORY_STORAGE)
    conditions.push(constant(false));
  return conditions;
}

/** Whether the list includes projects whose removal has begun. */
export function seesRemoved(ctx: Context, input: InstanceFilters): boolean {
  return ctx.caller.admin && input.include_pending_delete === true;
}
