import type { Context } from '../core/context.js';
import { Invalid } from '../core/errors.js';
import { ProjectMember } from '../members/member.entity.js';
import { claimPath } from '../namespaces/claim-path.js';
import { Project } from './project.entity.js';
import type { ProjectTarget } from './project-target.js';
import { TAKEN } from './project.rules.js';

/** What a project is made from; all else has the defaults of a new one. */
export type NewProject = Pick<Project, 'name' | 'path' | 'visibility' | 'description'> & Partial<Project>;

/**
 * Stores a project in a namespace that the transaction holds, its values checked, and gives it its path.
 * @throws Invalid when somebody was quicker with the path
 */
export async function insertProject(ctx: Context, namespace: ProjectTarget, given: NewProject): Promise<Project> {
  const now = ctx.clock.now();
  const { signedInUser: user } = ctx;
  const project = ctx.em.create(Project, {
    namespace_id: namespace.id,
    creator_id: user.id,
    default_branch: null,
    repository_created: false,
    archived: false,
    marked_for_deletion_at: null,
    removal_started_at: null,
    forked_from_id: null,
    import_status: 'none',
    import_error: null,
    public_jobs: true,
    builds_access_level: 'enabled',
    repository_access_level: 'enabled',
    ci_pipeline_variables_minimum_override_role: ctx.settings.ci_pipeline_variables_minimum_override_role,
    star_count: 0,
    last_activity_at: now,
    created_at: now,
    updated_at: now,
    ...given,
  });
  await ctx.em.flush();
  const claimed = await claimPath(
    ctx,
    { project_id: project.id },
    { path: `${namespace.full_path}/${given.path}`, name: `${namespace.full_name} / ${given.name}` },
  );
  if (!claimed) throw new Invalid({ path: [TAKEN], 'project_namespace.name': [TAKEN] });
  // In one's own namespace one is the project's Owner, also as a member that lists show.
  if (namespace.kind === 'user' && typeof namespace.owner_id === 'number')
    ctx.em.create(ProjectMember, {
      project_id: project.id,
      user_id: namespace.owner_id,
      access_level: 50,
      created_by_id: user.id,
      expires_on: null,
      created_at: now,
    });
  await ctx.em.flush();
  return project;
}
