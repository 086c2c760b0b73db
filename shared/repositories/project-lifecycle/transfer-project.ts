import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden, Invalid, NotFound } from '../../core/values/errors.js';
import { presentText, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { ProjectMember } from '../../tenancy/members/member.entity.js';
import { runnersInNamespace } from '../../tenancy/groups/shared-runners.js';
import { mustKeepPath } from '../../tenancy/projects/path-holds.js';
import { lockProject } from '../../tenancy/projects/lock-project.js';
import { findProject, onProjects, project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { projectVisibilityProblems } from '../../tenancy/projects/project.rules.js';
import { findProjectTarget, readableNamespaceId, requireRoom } from '../../tenancy/projects/project-target.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';
import { acceptsProjects } from '../../tenancy/group-details/groups-for-projects.js';
import { groupMatchesName, onGroups, visibleGroups } from '../../tenancy/groups/group.finder.js';
import { moveProject, findConflicts } from './move-project.js';

const NOT_ALLOWED = "You don't have permission to transfer projects into that namespace.";
const IMAGES_STAY = 'Project cannot be transferred, because tags are present in its container registry';
const NAME_CONFLICT = 'Project with same name or path in target namespace already exists';

/** The problem in the notation that clients of the public API match on. */
const failure = (text: string) => new Invalid(`Failed to transfer project {:new_namespace=>[${JSON.stringify(text)}]}`);

/** The namespace that a project goes to, if the caller may put one there. @throws Invalid */
async function requireTarget(ctx: Context, found: ProjectRecord, id: number): Promise<ProjectTarget> {
  if (found.namespace_id === id) throw failure('Project is already in this namespace.');
  if (found.marked_for_deletion_at) throw failure('Project is scheduled for deletion.');
  const target = await findProjectTarget(ctx, id);
  if (!target) throw failure(NOT_ALLOWED);
  try {
    await requireRoom(ctx, target);
  } catch (error) {
    throw error instanceof Forbidden ? failure(NOT_ALLOWED) : error;
  }
  return target;
}

/** The user of a personal namespace becomes Owner of the project, as a listed member. */
async function makeOwner(ctx: SignedInContext, found: ProjectRecord, ownerId: number): Promise<void> {
  const owner = { project_id: found.id, user_id: ownerId, access_level: 50, expires_on: null };
  await ctx.em.upsert(
    ProjectMember,
    { ...owner, created_by_id: ctx.caller.user.id, created_at: ctx.clock.now() },
    { onConflictFields: ['project_id', 'user_id'], onConflictMergeFields: ['access_level', 'expires_on'] },
  );
}

/**
 * Move a project to another namespace. Requires an Owner who may create projects there. Direct members and contents
 * move along; roles inherited from the old namespace are lost. Its visibility is limited by that of the target group.
 */
export const transferProject = operation({
  name: 'transferProject',
  summary: 'Transfer a project',
  resource: project,
  can: can(projectPolicy, 'transfer_project'),
  kind: 'write',
  statements: 39,
  params: {
    namespace: presentText()
      .describe('ID or full path of the namespace to transfer the project to.')
      .meta({ examples: ['engineering'] }),
  },
  async run(ctx, found, input) {
    const targetId = await readableNamespaceId(ctx, input.namespace);
    if (targetId === null) throw new NotFound('Namespace');
    const before = await lockProject(ctx, found, 'transfer_project', [targetId]);
    const target = await requireTarget(ctx, before, targetId);
    const location = { name: before.name, path: before.path, namespace: target };
    if (await mustKeepPath(ctx, onProjects('p.id', '=', before.id))) throw failure(IMAGES_STAY);
    const conflicts = await findConflicts(ctx, before, location);
    if (conflicts.path || conflicts.name || !(await moveProject(ctx, before, location))) throw failure(NAME_CONFLICT);
    if (projectVisibilityProblems(before.visibility, target).length > 0)
      await ctx.em.nativeUpdate(Project, { id: before.id }, { visibility: target.visibility });
    if (!runnersInNamespace(target.shared_runners_setting, true))
      await ctx.em.nativeUpdate(ProjectSettings, { project_id: before.id }, { shared_runners_enabled: false });
    if (target.owner_id) await makeOwner(ctx, before, target.owner_id);
    ctx.record({ type: 'access.reduced', of: 'everybody', to: { kind: 'project', id: before.id } });
    const after = await findProject(ctx, before.id);
    ctx.record({ type: 'project.transferred', before, after });
    return after;
  },
});

/** List the groups that a project can be transferred to: Owners, by name. */
export const listTransferLocations = operation({
  name: 'listTransferLocations',
  summary: 'List the groups that a project can be transferred to',
  resource: project,
  can: can(projectPolicy, 'transfer_project'),
  kind: 'read',
  statements: 4,
  params: { search: optional(text()).describe('Part of the name or path of the group.') },
  run(ctx, found, { search }) {
    const where = [acceptsProjects(ctx), onGroups('n.id', '<>', found.namespace_id)];
    if (search !== undefined) where.push(groupMatchesName(search));
    return Promise.resolve(visibleGroups(ctx, where));
  },
});
