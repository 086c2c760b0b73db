import type { Context } from '../../core/context.js';
import { ACCESS_LEVELS } from '../../core/policy.js';
import { and, or, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { memberOfProject, today } from '../../tenancy/access/access.js';
import { openToAll } from '../../tenancy/projects/project.finder.js';

/**
 * That the caller may read the merge requests of project `p`: the same rule as `read_merge_request`, as a condition,
 * for lists over many projects.
 */
export function visibleMergeRequests(ctx: Context): Fragment {
  const { caller } = ctx;
  const standing = sql`p.removal_started_at is null and p.merge_requests_access_level <> 'disabled'
    and p.repository_access_level <> 'disabled'`;
  if (caller.admin) return standing;
  const forAll = and([
    openToAll(caller),
    sql`p.merge_requests_access_level <> 'private' and p.repository_access_level <> 'private'`,
  ]);
  if (caller.anonymous) return and([standing, forAll]);
  // Guests of a private project see no code.
  const guests = and([sql`p.visibility <> 'private'`, memberOfProject(caller.id, today(ctx))]);
  return and([standing, or([forAll, memberOfProject(caller.id, today(ctx), ACCESS_LEVELS.reporter), guests])]);
}

/**
 * Projects `p` of which conditions hold and whose merge requests the caller may read: ids. They are looked up before a
 * list, so that the database knows how many there are when it plans it.
 */
export async function projectsOfMergeRequests(ctx: Context, where: readonly Fragment[]): Promise<number[]> {
  const rows = await ctx.query<{ id: number }>(sql`
    select p.id as "id" from projects p where ${and([visibleMergeRequests(ctx), ...where])}`);
  return rows.map(({ id }) => id);
}
