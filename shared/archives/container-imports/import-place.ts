import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import { anything } from '../../core/operations/fields.js';
import { aboutNamespace, NOWHERE } from '../../core/values/job-context.js';
import { authorize } from '../../core/operations/operation.js';
import type { Subject } from '../../core/operations/operation.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { constant } from '../../core/database/expressions.js';
import { mayCreateGroups, parentOfNewGroup } from '../../tenancy/group-details/create-group.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import { today, unexpired } from '../../tenancy/namespaces/access.js';
import { tables } from '../archive-imports/restoring.js';

/** Where a group is to be made: below another one, or at the top. */
export interface GroupImportTarget {
  parent: GroupRecord | null;
}

/** Whether a user may make a group anywhere, as far as their own roles say. */
async function mayCreateSomewhere(ctx: SignedInContext): Promise<boolean> {
  const row = await tables({ ctx })
    .selectFrom('group_members as m')
    .select('m.id')
    .where('m.user_id', '=', ctx.caller.id)
    .where('m.access_level', '>=', constant(ACCESS_LEVELS.maintainer))
    .where(unexpired('m', today(ctx)))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The parent that a form names by `parent_id`, if the caller may make groups there. The form may name it behind its
 * file: before that is known, whoever may make a group nowhere is rejected, and all others may go on.
 * @throws NotFound "404 Group Not Found", Forbidden
 */
export async function findGroupImportTarget(
  ctx: Context<Caller>,
  parentId: number | undefined,
): Promise<GroupImportTarget> {
  const { caller } = ctx;
  // Callers that are no users are rejected elsewhere.
  if (caller.kind !== 'user') return { parent: null };
  const signedIn = ctx.as(caller);
  if (parentId !== undefined && ctx.inTransaction) return { parent: await parentOfNewGroup(signedIn, parentId) };
  if (parentId !== undefined) {
    const parent = await findGroup(signedIn, parentId);
    authorize(signedIn, groupPolicy, 'create_subgroup', parent);
    return { parent };
  }
  if (await mayCreateGroups(signedIn)) return { parent: null };
  if (ctx.inTransaction || !(await mayCreateSomewhere(signedIn))) throw new Forbidden();
  return { parent: null };
}

/** An id as forms and queries have it; undefined for none, null for what is no id. */
function parseId(value: unknown): number | null | undefined {
  if (value === undefined || value === '') return undefined;
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The target of imports of groups (group-export-import.md section 4). */
export const groupImportTarget: Subject<GroupImportTarget> = {
  noun: 'Group',
  // What is no id is rejected with all other parameters, by their declarations.
  params: { parent_id: anything().optional() },
  find(ctx, { parent_id: value }) {
    const parentId = parseId(value);
    return parentId === null ? Promise.resolve({ parent: null }) : findGroupImportTarget(ctx, parentId);
  },
  about: ({ parent }) => (parent ? aboutNamespace(parent) : NOWHERE),
};
