import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { anything } from '../../core/operations/fields.js';
import { aboutNamespace, NOWHERE } from '../../core/values/job-context.js';
import type { Subject } from '../../core/operations/operation.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy, readOnly } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { findProjectTarget, readableNamespaceId } from '../../tenancy/projects/project-target.js';
import { ImportAborted } from '../archive-imports/import-state.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';

/** Where a project is to be made; null before the form has named it. */
export interface ProjectImportTarget {
  namespace: ProjectTarget | null;
}

/** A namespace as forms name it: an id or a full path. */
const asReference = (value: unknown): string | null =>
  (typeof value === 'string' && value !== '' && !value.includes('\0')) || typeof value === 'number'
    ? String(value)
    : null;

/** Whether a form names no namespace, or by what the check of parameters rejects. */
export const namesNoNamespace = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.includes('\0'));

/**
 * The namespace that a form names, or the caller's own one, if they may fill it with a project: its person, or
 * Maintainers who may make projects there.
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
 * The target of imports of projects (group-export-import.md section 1). The form may name its namespace behind its
 * file: before the whole form is there, nobody is rejected who names none.
 */
export const projectImportTarget: Subject<ProjectImportTarget> = {
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

export const GONE = 'The user who asked for the import may not change the project any more.';

/** The project, if its importer may still fill it. @throws ImportAborted */
export async function stillTheirs(ctx: SignedInContext, projectId: number): Promise<ProjectRecord> {
  const found = await findVisibleProject(ctx, projectId);
  if (!found || !projectPolicy.admin_project(ctx.caller, found)) throw new ImportAborted(GONE);
  if (readOnly(found)) throw new ImportAborted('The project is archived, or about to be deleted.');
  return found;
}
