import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { UserCaller } from '../../core/context/callers.js';
import type { CallerUser } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { roleIn } from '../../core/operations/policy.js';
import { constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { writable } from '../../tenancy/projects/project.policy.js';
import { callerAsUser } from '../../tenancy/users/caller-columns.js';
import type { MirrorRules } from './mirror-changes.js';

/** The source of a mirror, its rules, and its mirror user. */
export interface MirrorRow extends MirrorRules {
  import_url: Uint8Array | null;
  mirror_trigger_builds: boolean;
  user: CallerUser | null;
}

/** An update is not allowed. The message says why. */
export class MirrorRejectedError extends Error {}

/** The settings have another URL or user than at the start of the update, so it belongs to a replaced mirror. */
export class MirrorReplaced extends Error {}

/** The mirror of a project; null if there is none. */
export async function loadMirror(ctx: Context, projectId: number): Promise<MirrorRow | null> {
  const row = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('project_settings as s')
    .leftJoin('users as u', 'u.id', 's.mirror_user_id')
    .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
    .select([
      's.import_url',
      's.mirror_trigger_builds',
      's.only_mirror_protected_branches',
      's.mirror_overwrites_diverged_branches',
      ...callerAsUser(),
    ])
    .where('s.project_id', '=', projectId)
    .where('s.mirror', '=', constant(true))
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The context of the mirror user, with current permissions: past ones do not count.
 * @throws MirrorRejectedError
 */
export async function actAsMirrorUser(
  ctx: Context,
  projectId: number,
  user: CallerUser | null,
): Promise<{ acting: Context; found: ProjectRecord }> {
  if (user?.state !== 'active')
    throw new MirrorRejectedError('The user who answers for the mirror is gone or blocked.');
  const acting = ctx.as(new UserCaller(user));
  const found = await findVisibleProject(acting, projectId);
  if (!found || !roleIn(acting.caller, found, 'maintainer'))
    throw new MirrorRejectedError('The user who answers for the mirror is no Maintainer of the project.');
  if (!writable(found)) throw new MirrorRejectedError('The project is read-only.');
  if (found.repository_access_level === 'disabled') throw new MirrorRejectedError('The repository is disabled.');
  return { acting, found };
}

const sameUrl = (one: Uint8Array | null, other: Uint8Array | null) =>
  one !== null && other !== null && Buffer.compare(one, other) === 0;

/**
 * The same within the transaction that writes the result of an update: the project's row is locked, so that settings
 * and permissions stay valid until the commit.
 * @throws MirrorRejectedError, MirrorReplaced
 */
export async function actAtWrite(
  ctx: Context,
  projectId: number,
  began: MirrorRow,
): Promise<{ acting: Context; found: ProjectRecord }> {
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('projects as p')
    .select('p.id')
    .where('p.id', '=', projectId)
    .forNoKeyUpdate()
    .execute();
  const now = ctx.hasPlan('premium') ? await loadMirror(ctx, projectId) : null;
  if (!now || !sameUrl(now.import_url, began.import_url) || now.user?.id !== began.user?.id) throw new MirrorReplaced();
  return actAsMirrorUser(ctx, projectId, now.user);
}
