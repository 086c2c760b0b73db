import { userIdOf } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import { memberOfProject, today } from '../../tenancy/access/access.js';
import { visibleProjectsCondition } from '../../tenancy/projects/project.finder.js';
import { featureOpenSql } from '../planning-rights/planning-rights.js';
import type { LabelRecord } from './label.record.js';

/** What has a label, as far as the caller may see it. */
interface LabelCounts {
  opened: number;
  closed: number;
}

interface CountRow extends LabelCounts {
  id: number;
}

const PLANNER = 15;

/** Whether the caller sees all confidential issues of project `p`. */
const seesConfidential = (ctx: Context) =>
  ctx.caller.admin ? sql`true` : memberOfProject(userIdOf(ctx.caller), today(ctx), PLANNER);

/**
 * Open and closed issues by label. Links carry the state of their issue, so that they are counted in their index, by
 * project, and only projects are asked for rights. Confidential issues count for Planners and above of their project,
 * for their authors and for their assignees.
 */
async function countsOf(ctx: Context, ids: readonly number[]): Promise<Map<number, LabelCounts>> {
  const userId = userIdOf(ctx.caller);
  const rows = await ctx.query<CountRow>(sql`
    with counted as materialized (
      select il.label_id, il.project_id, il.closed, il.confidential, count(*) as issues
        from issue_labels il where il.label_id = any(${ids}::bigint[]) group by 1, 2, 3, 4),
    readable as materialized (
      select p.id, ${seesConfidential(ctx)} as whole from projects p
       where p.id = any(array(select distinct c.project_id from counted c))
         and ${visibleProjectsCondition(ctx)} and ${featureOpenSql(ctx, 'issues_access_level')}),
    visible as (
      select c.label_id, c.closed, c.issues from counted c join readable r on r.id = c.project_id
       where r.whole or not c.confidential
      union all
      select il.label_id, il.closed, 1 from issue_labels il
        join readable r on r.id = il.project_id join issues i on i.id = il.issue_id
       where il.label_id = any(${ids}::bigint[]) and il.confidential and not r.whole and ${userId} <> 0
         and (i.author_id = ${userId} or exists (
           select 1 from issue_assignees a where a.issue_id = i.id and a.user_id = ${userId})))
    select v.label_id as "id", coalesce(sum(v.issues) filter (where not v.closed), 0)::int as "opened",
           coalesce(sum(v.issues) filter (where v.closed), 0)::int as "closed"
      from visible v group by 1`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The counts of a page of labels, by one statement. */
export const labelCounts = load(
  ({ id }: Readonly<LabelRecord>) => id,
  (ctx, labels) =>
    countsOf(
      ctx,
      labels.map(({ id }) => id),
    ),
);
