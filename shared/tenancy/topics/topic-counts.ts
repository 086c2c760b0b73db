import type { Context } from '../../core/context.js';
import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { visibleProjectsCondition } from '../projects/project.finder.js';
import type { Topic } from './topic.entity.js';

/** Projects that are not open to everybody and have topic `t`, of those that the caller may see. */
const hiddenProjects = (ctx: Context): Fragment => sql`
  select pt.topic_id from project_topics pt join projects p on p.id = pt.project_id
   where pt.topic_id = t.id and not pt.public and ${visibleProjectsCondition(ctx)}`;

/** How many projects that the caller may see have each topic: one statement, or none where that is known. */
export const topicCounts = load(
  (topic: Readonly<Topic>) => topic.id,
  async (ctx, topics): Promise<Map<number, number>> => {
    const { caller } = ctx;
    if (caller.admin) return new Map(topics.map((topic) => [topic.id, topic.total_projects_count]));
    const ids = topics.flatMap(({ id, total_projects_count: all, public_projects_count: open }) =>
      all > open && !caller.anonymous ? [id] : [],
    );
    const rows =
      ids.length === 0
        ? []
        : await ctx.query<{ id: number; count: number }>(sql`
            select t.id as "id", (select count(*)::int from (${hiddenProjects(ctx)}) hidden) as "count"
              from topics t where t.id = any(${ids}::bigint[])`);
    const hidden = new Map(rows.map(({ id, count }) => [id, count]));
    return new Map(topics.map(({ id, public_projects_count: open }) => [id, open + (hidden.get(id) ?? 0)]));
  },
);

/** That no project that the caller may see has topic `t`. */
export function withoutProjects(ctx: Context): Fragment {
  if (ctx.caller.admin) return sql`t.total_projects_count = 0`;
  if (ctx.caller.anonymous) return sql`t.public_projects_count = 0`;
  return sql`t.public_projects_count = 0 and not exists (${hiddenProjects(ctx)})`;
}

/** The column that topics are ordered by: it counts projects that everybody sees, but for administrators. */
export const countColumn = (ctx: Context): 'total_projects_count' | 'public_projects_count' =>
  ctx.caller.admin ? 'total_projects_count' : 'public_projects_count';
