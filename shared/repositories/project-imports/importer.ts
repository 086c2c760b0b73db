import { UserCaller } from '../../core/context/callers.js';
import type { CallerUser } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy, readOnly } from '../../tenancy/projects/project.policy.js';
import { callerSelection } from '../../tenancy/users/caller-columns.js';

/** A repository must not be imported. The message says why. */
export class ImportRejectedError extends Error {}

/**
 * The context of the user who requested a project's import. The conditions of the request must still hold: the account
 * is active, and the project is visible to the user and not read-only.
 * @throws ImportRejectedError
 */
export async function actAsImporter(ctx: Context, projectId: number): Promise<Context> {
  const user: CallerUser | undefined = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('projects as p')
    .innerJoin('users as u', 'u.id', 'p.creator_id')
    .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
    .select(callerSelection())
    .where('p.id', '=', projectId)
    .executeTakeFirst();
  if (user?.state !== 'active')
    throw new ImportRejectedError('The user who asked for the repository is gone or blocked.');
  const acting = ctx.as(new UserCaller(user));
  const found = await findVisibleProject(acting, projectId);
  if (!found) throw new ImportRejectedError('The user who asked for the repository does not see the project any more.');
  if (readOnly(found)) throw new ImportRejectedError('The project is read-only.');
  return acting;
}

/**
 * The same for a fork: they may still fork its upstream.
 * @throws ImportRejectedError
 */
export async function requireForkable(ctx: Context, projectId: number, sourceId: number): Promise<void> {
  const acting = await actAsImporter(ctx, projectId);
  const source = await findVisibleProject(acting, sourceId);
  if (!source || !projectPolicy.fork_project(acting.caller, source))
    throw new ImportRejectedError('The user who asked for the fork may not fork the project any more.');
}
