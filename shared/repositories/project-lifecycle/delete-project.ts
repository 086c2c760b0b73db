import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { boolean, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { lockProject } from '../../tenancy/projects/lock-project.js';
import { freeLocation, moveProject } from './move-project.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { deleteProjects } from '../../tenancy/tenancy.jobs.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { TAKEN } from '../../core/values/database-errors.js';

const DAY_MS = 86_400_000;

/**
 * Suffix of the name and path of a project marked for deletion: releases its location for another project (projects.md
 * section 6).
 */
const deletionSuffix = (id: number) => `-deletion_scheduled-${id}`;

// Own pattern: an id.
/** The original name or path of a marked project, also if the marked location was taken ({@link freeLocation}). */
export const withoutSuffix = (id: number, text: string) =>
  text.replace(new RegExp(`${deletionSuffix(id)}(-[0-9a-f]{8})?$`), '');

/** @throws Invalid unless the project may be removed for good now (core-resources.md section 5, contract decision 23) */
function requireRemovable(ctx: Context, found: ProjectRecord, fullPath: string | undefined): void {
  if (ctx.caller.admin) return;
  if (!found.marked_for_deletion_at) throw new Invalid('Project must be marked for deletion first.');
  if (fullPath !== found.full_path)
    throw new Invalid('`full_path` is incorrect. You must enter the complete path for the project.');
}

/** Marks a project and gives its path free. @returns when it was marked */
async function mark(ctx: Context, found: ProjectRecord): Promise<Date> {
  const now = ctx.clock.now();
  const suffix = deletionSuffix(found.id);
  // A project that occupies that location, perhaps deliberately, must not prevent the deletion.
  const location = await freeLocation(ctx, found, { name: found.name + suffix, path: found.path + suffix });
  if (!(await moveProject(ctx, found, location))) throw new Invalid({ path: [TAKEN] });
  await ctx.em.nativeUpdate(Project, { id: found.id }, { marked_for_deletion_at: now });
  ctx.record({ type: 'project.deletion_marked', project: found });
  return now;
}

/**
 * Marks a project that is locked for deletion, unless it is marked, and has it removed after `days`; at once for 0.
 * Its location is free then.
 */
export async function scheduleDeletion(ctx: Context, locked: ProjectRecord, days: number): Promise<void> {
  const markedAt = locked.marked_for_deletion_at ?? (await mark(ctx, locked));
  if (days === 0) await ctx.em.nativeUpdate(Project, { id: locked.id }, { removal_started_at: ctx.clock.now() });
  await ctx.jobs.send(
    deleteProjects,
    { project_id: locked.id, marked_at: markedAt.toISOString() },
    days > 0 ? { startAfter: new Date(markedAt.getTime() + days * DAY_MS) } : {},
  );
}

/** Delete a project: Owners. It is marked and removed after some days, or with `permanently_remove` at once. */
export const deleteProject = operation({
  name: 'deleteProject',
  summary: 'Delete a project',
  resource: project,
  can: can(projectPolicy, 'remove_project'),
  kind: 'write',
  statements: 18,
  conditional: true,
  params: {
    permanently_remove: optional(boolean()).describe(
      'If `true`, deletes the project immediately: a project marked for deletion, or any project for administrators.',
    ),
    full_path: optional(text()).describe('Full path of the project marked for deletion, as confirmation.'),
  },
  async run(ctx, found, input) {
    const locked = await lockProject(ctx, found, 'remove_project');
    if (input.permanently_remove) requireRemovable(ctx, locked, input.full_path);
    else if (locked.marked_for_deletion_at) throw new Invalid('Project has been already marked for deletion');
    // contract decision 23: an instance without a period removes everything at once.
    await scheduleDeletion(ctx, locked, input.permanently_remove ? 0 : ctx.settings.deletion_adjourned_period);
  },
});
