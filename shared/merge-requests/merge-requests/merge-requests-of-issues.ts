import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { queryForCaller } from '../../tenancy/namespaces/for-caller.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { seesMergeRequests } from './visible-merge-requests.js';

const countClosing = queryForCaller<MergeRequestsDatabase, { ids: readonly number[] }, { id: number; count: number }>(
  (db, viewer, { ids }) =>
    db
      .selectFrom('merge_requests_closing_issues as c')
      .innerJoin('merge_requests as i', 'i.id', 'c.merge_request_id')
      .innerJoin('projects as p', 'p.id', 'i.project_id')
      .select((eb) => ['c.issue_id as id', eb.fn.countAll<number>().as('count')])
      .where('c.issue_id', '=', anyOf(ids, 'bigint'))
      .where((eb) => eb.ref('c.closes'))
      .where(seesMergeRequests(viewer))
      .groupBy('c.issue_id'),
);

/** How many merge requests that the caller may read close each of some issues; those that none closes are left out. */
export async function mergeRequestsClosingIssues(ctx: Context, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await countClosing(ctx, { ids });
  return new Map(rows.map(({ id, count }) => [id, count]));
}
