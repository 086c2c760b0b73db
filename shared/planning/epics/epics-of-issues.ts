import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { epicsById } from './epic.finder.js';
import type { ListedEpic } from './epic.entity.js';

const findEpicIds = prepareQuery<PlanningDatabase, { ids: readonly number[] }, { issue_id: number; epic_id: number }>(
  (db, { ids }) =>
    db
      .selectFrom('epic_issues as x')
      .select(['x.issue_id', 'x.epic_id'])
      .where('x.issue_id', '=', anyOf(ids, 'bigint')),
);

/** The epic of each issue that has one, as far as the caller may read it, from Premium on. */
export const epicsOfIssues = load(
  (issue: { readonly id: number }) => issue.id,
  async (ctx, issues): Promise<Map<number, ListedEpic>> => {
    if (!ctx.hasPlan('premium')) return new Map();
    const rows = await findEpicIds(ctx, { ids: issues.map(({ id }) => id) });
    if (rows.length === 0) return new Map();
    const epics = await epicsById(ctx, [...new Set(rows.map(({ epic_id }) => epic_id))]);
    return new Map(
      rows.flatMap(({ issue_id, epic_id }): [number, ListedEpic][] => {
        const epic = epics.get(epic_id);
        return epic ? [[issue_id, epic]] : [];
      }),
    );
  },
);

/** An epic as embedded in an issue. */
export const epicOfIssue = serializer<ListedEpic>('EpicOfIssue', {
  id: out.integer((epic) => epic.id),
  iid: out.integer((epic) => epic.iid),
  title: out.text((epic) => epic.title),
  url: out.text((epic) => `/groups/${epic.full_path}/-/epics/${epic.iid}`),
  group_id: out.integer((epic) => epic.namespace_id),
});
