import type { Context } from '../../core/context.js';
import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { projectIssuePolicy } from './issue.policy.js';

type Counted = Pick<
  { project_id: number; state: string; confidential: boolean },
  'project_id' | 'state' | 'confidential'
>;

interface Difference {
  opened: number;
  confidential: number;
}

/**
 * Which part of a project's counts a transaction writes: one of its connection, so that writers of one project rarely
 * wait for each other. The count is the sum of all parts; a part alone may be below 0.
 */
export const COUNT_PART = sql`(pg_backend_pid() % 16)::smallint`;

/**
 * Follows a change of issues in the counts of open ones of their projects: last in the transaction, since others may
 * wait from here on, and in the order of the projects, so that nobody waits in a circle.
 * @param before as they were; those that are new are left out
 * @param after as they are; those that are gone are left out
 */
export async function followOpenIssues(
  ctx: Context,
  before: readonly Counted[],
  after: readonly Counted[],
): Promise<void> {
  const differences = new Map<number, Difference>();
  const add = ({ project_id: id, state, confidential }: Counted, sign: number) => {
    if (state !== 'opened') return;
    const known = differences.get(id) ?? { opened: 0, confidential: 0 };
    differences.set(id, {
      opened: known.opened + sign,
      confidential: known.confidential + (confidential ? sign : 0),
    });
  };
  for (const one of before) add(one, -1);
  for (const one of after) add(one, 1);
  const changed = [...differences]
    .filter(([, { opened, confidential }]) => opened !== 0 || confidential !== 0)
    .sort(([a], [b]) => a - b);
  if (changed.length === 0) return;
  await ctx.query(sql`
    insert into project_issue_counts as c (project_id, part, opened, opened_confidential)
    select u.id, ${COUNT_PART}, u.opened, u.hidden from unnest(${changed.map(([id]) => id)}::bigint[], ${changed.map(([, by]) => by.opened)}::int[],
      ${changed.map(([, by]) => by.confidential)}::int[]) as u (id, opened, hidden) order by u.id
    on conflict (project_id, part) do update set opened = c.opened + excluded.opened,
      opened_confidential = c.opened_confidential + excluded.opened_confidential`);
}

/** Open issues of projects: all for Planners and above, those that are not confidential for others, as the public API. */
export const openIssueCounts = load(
  (project: Readonly<ProjectRecord>) => project.id,
  async (ctx, projects): Promise<Map<number, number>> => {
    const rows = await ctx.query<{ project_id: number; opened: number; opened_confidential: number }>(sql`
      select c.project_id as "project_id", sum(c.opened)::int as "opened",
             sum(c.opened_confidential)::int as "opened_confidential"
        from project_issue_counts c where c.project_id = any(${projects.map(({ id }) => id)}::bigint[])
       group by c.project_id`);
    const known = new Map(rows.map((row) => [row.project_id, row]));
    return new Map(
      projects.map((project) => {
        const { opened, opened_confidential: hidden } = known.get(project.id) ?? { opened: 0, opened_confidential: 0 };
        return [
          project.id,
          projectIssuePolicy.read_confidential_issues(ctx.caller, project) ? opened : opened - hidden,
        ];
      }),
    );
  },
);
