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

const countOpen = queryForCaller<MergeRequestsDatabase, { ids: readonly number[] }, { id: number; count: number }>(
  (db, viewer, { ids }) =>
    db
      .with(
        (cte) => cte('counted').materialized(),
        (of) =>
          of
            .selectFrom('merge_request_labels as x')
            .select((eb) => ['x.label_id', 'x.project_id', eb.fn.countAll<number>().as('opened')])
            .where('x.label_id', '=', anyOf(ids, 'bigint'))
            .where((eb) => eb.ref('x.opened'))
            .groupBy(['x.label_id', 'x.project_id']),
      )
      .selectFrom('counted as c')
      .innerJoin('projects as p', 'p.id', 'c.project_id')
      .select((eb) => ['c.label_id as id', eb.cast<number>(eb.fn.sum('c.opened'), 'integer').as('count')])
      .where(seesMergeRequests(viewer))
      .groupBy('c.label_id'),
);

/**
 * How many open merge requests that the caller may see have each of some labels; those that none has are left out.
 * Links carry whether theirs is open, so that they are counted in their index, by project.
 */
export async function openMergeRequestsOfLabels(ctx: Context, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await countOpen(ctx, { ids });
  return new Map(rows.map(({ id, count }) => [id, count]));
}
