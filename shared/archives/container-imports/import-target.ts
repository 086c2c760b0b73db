import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { anything } from '../../core/operations/fields.js';
import { authorize } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { aboutNamespace, NOWHERE } from '../../core/values/job-context.js';
import { mayCreateGroups, parentOfNewGroup } from '../../tenancy/group-details/create-group.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import { today, unexpired } from '../../tenancy/namespaces/access.js';
import { findProjectTarget, readableNamespaceId } from '../../tenancy/projects/project-target.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy, readOnly } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { ImportAborted } from '../archive-imports/import-state.js';
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
 * The parent that a form identifies by `parent_id`, if the caller may create groups there. The field may follow the
 * file in the form: until it is known, only callers who cannot create groups anywhere are rejected.
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

/** Parses an id from a form or query; undefined if missing, null if invalid. */
function parseId(value: unknown): number | null | undefined {
  if (value === undefined || value === '') return undefined;
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The target of imports of groups (group-export-import.md section 4). */
export const groupImportTarget: Resource<GroupImportTarget> = {
  noun: 'Group',
  // An invalid id is rejected together with all other parameters, by their declarations.
  params: { parent_id: anything().optional() },
  find(ctx, { parent_id: value }) {
    const parentId = parseId(value);
    return parentId === null ? Promise.resolve({ parent: null }) : findGroupImportTarget(ctx, parentId);
  },
  about: ({ parent }) => (parent ? aboutNamespace(parent) : NOWHERE),
};

/** The namespace in which to create a project; null until the form provides it. */
export interface ProjectImportTarget {
  namespace: ProjectTarget | null;
}

/** A namespace as forms name it: an id or a full path. */
const asReference = (value: unknown): string | null =>
  (typeof value === 'string' && value !== '' && !value.includes('\0')) || typeof value === 'number'
    ? String(value)
    : null;

/** Whether a form provides no namespace, or one that parameter validation rejects. */
export const namesNoNamespace = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.includes('\0'));

/**
 * The namespace in the form, by default the caller's own, if the caller may import a project there: the user it belongs
 * to, or Maintainers who may create projects there.
 * @throws NotFound "404 Namespace Not Found", Forbidden
 */
export async function findImportNamespace(ctx: SignedInContext, value: unknown): Promise<ProjectTarget> {
  const reference = asReference(value);
  const id = reference === null ? ctx.caller.user.namespace_id : await readableNamespaceId(ctx, reference);
  if (typeof id !== 'number') throw new NotFound('Namespace');
  const namespace = await findProjectTarget(ctx, id);
  if (!namespace) throw new Forbidden();
  const { kind, access } = namespace;
  if (kind === 'group' && access < ACCESS_LEVELS.maintainer && !ctx.caller.admin) throw new Forbidden();
  return namespace;
}

/**
 * The target of project imports (group-export-import.md section 1). The namespace field may follow the file in the
 * form: until the whole form has been received, a missing namespace is not rejected.
 */
export const projectImportTarget: Resource<ProjectImportTarget> = {
  noun: 'Namespace',
  params: { namespace: anything().optional() },
  async find(ctx: Context<Caller>, { namespace: value }) {
    const { caller } = ctx;
    // Callers that are no users are rejected elsewhere.
    if (caller.kind !== 'user' || (namesNoNamespace(value) && !ctx.inTransaction)) return { namespace: null };
    return { namespace: await findImportNamespace(ctx.as(caller), value) };
  },
  about: ({ namespace }) => (namespace ? aboutNamespace(namespace) : NOWHERE),
};

const GROUP_GONE = 'The user who asked for the import is no Owner of the group any more.';
export const PROJECT_GONE = 'The user who asked for the import may not change the project any more.';

/** The group that an import made, if its importer is still its Owner and it still takes anything. @throws ImportAborted */
export async function requireImportedGroup(ctx: SignedInContext, groupId: number): Promise<GroupRecord> {
  const found = await findGroup(ctx, groupId).catch((error: unknown) => {
    if (error instanceof NotFound) throw new ImportAborted(GROUP_GONE);
    throw error;
  });
  if (!groupPolicy.admin_group(ctx.caller, found)) throw new ImportAborted(GROUP_GONE);
  if (found.frozen || found.archived) throw new ImportAborted('The group is archived, or about to be deleted.');
  return found;
}

/** The project that an import made, if its importer may still fill it. @throws ImportAborted */
export async function requireImportedProject(ctx: SignedInContext, projectId: number): Promise<ProjectRecord> {
  const found = await findVisibleProject(ctx, projectId);
  if (!found || !projectPolicy.admin_project(ctx.caller, found)) throw new ImportAborted(PROJECT_GONE);
  if (readOnly(found)) throw new ImportAborted('The project is archived, or about to be deleted.');
  return found;
}
