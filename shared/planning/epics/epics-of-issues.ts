import { load } from '../../core/loads.js';
import { out, shape } from '../../core/shape.js';
import { sql } from '../../core/sql.js';
import { epicsById } from './epic.finder.js';
import type { ListedEpic } from './epic.record.js';

/** The epic of each issue that has one, as far as the caller may read it, from Premium on. */
export const epicsOfIssues = load(
  (issue: { readonly id: number }) => issue.id,
  async (ctx, issues): Promise<Map<number, ListedEpic>> => {
    if (!ctx.hasPlan('premium')) return new Map();
    const rows = await ctx.query<{ issue_id: number; epic_id: number }>(sql`
      select x.issue_id as "issue_id", x.epic_id as "epic_id" from epic_issues x
       where x.issue_id = any(${issues.map(({ id }) => id)}::bigint[])`);
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

/** How an epic is named inside an issue. */
export const epicOfIssue = shape<ListedEpic>('EpicOfIssue', {
  id: out.integer((epic) => epic.id),
  iid: out.integer((epic) => epic.iid),
  title: out.text((epic) => epic.title),
  url: out.text((epic) => `/groups/${epic.full_path}/-/epics/${epic.iid}`),
  group_id: out.integer((epic) => epic.namespace_id),
});
