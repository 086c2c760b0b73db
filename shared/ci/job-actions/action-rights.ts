import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { Forbidden } from '../../core/values/errors.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { CiDatabase } from '../ci.entities.js';
import type { JobRecord } from '../jobs/job.finder.js';

/** Permissions for one job (ci-execution.md 13). Those on the ref of its pipeline apply in addition. */
export const jobPolicy = policy({
  update_job: (caller: UserOrAnonymous, job: JobRecord) => projectPolicy.create_pipeline(caller, job.project),
});

/**
 * @throws Forbidden if the project does not let the caller, or any user, cancel
 * (`ci_restrict_pipeline_cancellation_role`)
 */
export async function requireCancelRole(ctx: Context, project: ProjectRecord): Promise<void> {
  const found = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('project_settings as s')
    .select('s.ci_restrict_pipeline_cancellation_role as role')
    .where('s.project_id', '=', project.id)
    .executeTakeFirst();
  const role = found?.role ?? 'developer';
  if (role === 'no_one' || (role === 'maintainer' && !roleIn(ctx.caller, project, 'maintainer'))) throw new Forbidden();
}
