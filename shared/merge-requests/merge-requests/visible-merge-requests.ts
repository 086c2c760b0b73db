import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { memberOfProject } from '../../tenancy/namespaces/access.js';
import { forCaller } from '../../tenancy/namespaces/for-caller.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import { isOpenToAll } from '../../tenancy/projects/project.finder.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';

/** Merge requests `i` and their projects `p`, as conditions name them. */
export type OfMergeRequests = Aliased<MergeRequestsDatabase, { i: 'merge_requests'; p: 'projects' }>;

/** Builds conditions on merge requests `i` and their projects `p`. */
export const onMergeRequests = expressionBuilder<OfMergeRequests, 'i' | 'p'>();

const standing = onMergeRequests.and([
  onMergeRequests('p.removal_started_at', 'is', null),
  onMergeRequests('p.merge_requests_access_level', '<>', constant('disabled')),
  onMergeRequests('p.repository_access_level', '<>', constant('disabled')),
]);

/** Projects `p` whose merge requests a viewer can read. */
export function seesMergeRequests(viewer: Viewer): Expression<SqlBool> {
  if (viewer.admin) return standing;
  const { userId, day } = viewer;
  const forAll = onMergeRequests.and([
    isOpenToAll(viewer),
    onMergeRequests('p.merge_requests_access_level', '<>', constant('private')),
    onMergeRequests('p.repository_access_level', '<>', constant('private')),
  ]);
  if (viewer.anonymous) return onMergeRequests.and([standing, forAll]);
  // Guests of a private project see no code.
  const guests = onMergeRequests.and([
    onMergeRequests('p.visibility', '<>', constant('private')),
    memberOfProject(userId, day),
  ]);
  return onMergeRequests.and([
    standing,
    onMergeRequests.or([forAll, memberOfProject(userId, day, ACCESS_LEVELS.reporter), guests]),
  ]);
}

/**
 * That the caller may read the merge requests of project `p`: the same rule as `read_merge_request`, as a condition,
 * for lists over many projects.
 */
export const visibleMergeRequests = forCaller(seesMergeRequests);

/**
 * Ids of projects `p` that match the conditions and whose merge requests the caller can read. They are looked up before
 * a list, so that the database knows their number when it plans the list.
 */
export async function projectsOfMergeRequests(ctx: Context, where: readonly Expression<SqlBool>[]): Promise<number[]> {
  const rows = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('projects as p')
    .where(onMergeRequests.and([visibleMergeRequests(ctx), ...where]))
    .select('p.id')
    .execute();
  return rows.map(({ id }) => id);
}
