import type { Kysely } from 'kysely';
import { UserCaller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { BasicReader } from '../../core/context/token-source.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { Forbidden, Unauthenticated } from '../../core/values/errors.js';
import { projectsOfIds } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { callerSelection } from '../../tenancy/users/caller-columns.js';
import type { CiDatabase } from '../ci.entities.js';
import type { Job } from '../pipelines/job.entity.js';
import { findRunOfToken, isRunAlive } from './find-run.js';
import { JobTokenCaller } from './job-token-caller.js';
import { noteJobContact } from './note-contact.js';

/** The user name that runners send a job's token with. */
export const JOB_USERNAME = 'gitlab-ci-token';

const findUser = prepareQuery((db: Kysely<CiDatabase>, { id }: Placeholders<{ id: number }>) =>
  db
    .selectFrom('users as u')
    .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
    .select(callerSelection())
    .where('u.id', '=', id),
);

/** Whether the user of a job may read the code of its project now; rights of administrators do not count. */
async function mayReadCode(ctx: Context, { user_id: userId, project_id: projectId }: Job): Promise<boolean> {
  const [user] = userId ? await findUser(ctx, { id: userId }) : [];
  if (!user) return false;
  if (user.state !== 'active') throw new Forbidden('Your account has been blocked.');
  const caller = new UserCaller({ ...user, admin: false, auditor: false });
  const [project] = await projectsOfIds(ctx.as(caller), [projectId]);
  return project !== undefined && projectPolicy.read_code(caller, project);
}

/**
 * Tokens of jobs as Basic credentials of git, for as long as the job runs. Nothing is cached: at the next request the
 * job's end, and what has become of its user's rights, count.
 */
export const basicJobTokens: BasicReader = async (ctx, { username, password }) => {
  if (username !== JOB_USERNAME) return null;
  const found = await findRunOfToken(ctx, password);
  // No user has this name: the token must not be tried as a password.
  if (!found || !isRunAlive(found)) throw new Unauthenticated('unknown');
  if (!(await mayReadCode(ctx, found.job))) throw new Forbidden();
  await noteJobContact(ctx.services.db, ctx.services, found);
  return new JobTokenCaller(found);
};
