import type { Context, SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { runnersInNamespace } from '../../tenancy/groups/shared-runners.js';
import { ProjectMember } from '../../tenancy/members/member.entity.js';
import { claimPath } from '../../tenancy/namespaces/claim-path.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';
import { nextExpiration } from '../../tenancy/projects/container-expiration.js';
import { NEW_HOT_SETTINGS, NEW_PROJECT_SETTINGS } from '../../tenancy/projects/new-settings.js';
import type { SettingColumns } from '../../tenancy/projects/new-settings.js';
import { newRunnersToken } from '../../tenancy/projects/project-secrets.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import { TAKEN } from '../../core/values/database-errors.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';

/** The attributes of a new project; all others have defaults. */
export type NewProject = Pick<Project, 'name' | 'path' | 'visibility' | 'description'> & Partial<Project>;

/** Creates the rows for settings and statistics that every project has. */
async function addSettings(ctx: Context, project: Project, settings: Partial<SettingColumns>): Promise<void> {
  const next = nextExpiration(NEW_PROJECT_SETTINGS.container_expiration_policy, ctx.clock.now());
  await ctx.em.insert(ProjectSettings, {
    ...NEW_PROJECT_SETTINGS,
    pages_access_level: project.visibility === 'private' ? 'private' : 'enabled',
    container_expiration_next_run_at: next,
    import_url: null,
    ...settings,
    project_id: project.id,
    ...newRunnersToken(ctx, project.id).columns,
  });
  // All other values are the database's defaults.
  const db = ctx.em.getKysely<RepositoriesDatabase>();
  await db
    .insertInto('project_statistics')
    .columns(['project_id'])
    .expression(db.selectNoFrom((eb) => eb.val(project.id).as('project_id')))
    .execute();
}

/**
 * Stores a project with its settings in a namespace locked by the transaction, after validation, and claims its path.
 * @throws Invalid if a concurrent request took the path; the unique index's error if it took the name
 */
export async function insertProject(
  ctx: SignedInContext,
  namespace: ProjectTarget,
  attributes: NewProject,
  settings: Partial<SettingColumns> = {},
): Promise<Project> {
  const now = ctx.clock.now();
  const { user } = ctx.caller;
  const values = {
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
    import_type: null,
    avatar: null,
    ...NEW_HOT_SETTINGS,
    ci_pipeline_variables_minimum_override_role: ctx.settings.ci_pipeline_variables_minimum_override_role,
    star_count: 0,
    writes_since_upkeep: 0,
    last_activity_at: now,
    created_at: now,
    updated_at: now,
    ...attributes,
  };
  const project: Project = { id: await ctx.em.insert(Project, values), ...values };
  const full = {
    path: `${namespace.full_path}/${attributes.path}`,
    name: `${namespace.full_name} / ${attributes.name}`,
  };
  if (!(await claimPath(ctx, { project_id: project.id }, full)))
    throw new Invalid({ path: [TAKEN], 'project_namespace.name': [TAKEN] });
  const runners = runnersInNamespace(namespace.shared_runners_setting, settings.shared_runners_enabled);
  await addSettings(ctx, project, { ...settings, shared_runners_enabled: runners });
  // In one's own namespace one is the project's Owner, also as a member that lists show.
  if (namespace.kind === 'user' && typeof namespace.owner_id === 'number')
    await ctx.em.insert(ProjectMember, {
      project_id: project.id,
      user_id: namespace.owner_id,
      access_level: 50,
      created_by_id: user.id,
      expires_on: null,
      created_at: now,
    });
  ctx.record({ type: 'project.created', project: { ...project, full_path: full.path } });
  return project;
}
