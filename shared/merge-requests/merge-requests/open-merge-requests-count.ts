import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

interface Counted {
  readonly project_id: number;
  readonly state: string;
}

/** One that is being merged is not done yet. */
const isOpen = (state: string) => state === 'opened' || state === 'locked';

/**
 * Follows a change of merge requests in the counts of open ones of their projects: last in the transaction, since
 * writers of a project wait for each other from here on, and in the order of the projects.
 * @param before as they were; those that are new are left out
 * @param after as they are; those that are gone are left out
 */
export async function followOpenMergeRequests(
  ctx: Context,
  before: readonly Counted[],
  after: readonly Counted[],
): Promise<void> {
  const differences = new Map<number, number>();
  const add = ({ project_id: id, state }: Counted, sign: number) => {
    if (isOpen(state)) differences.set(id, (differences.get(id) ?? 0) + sign);
  };
  for (const one of before) add(one, -1);
  for (const one of after) add(one, 1);
  const changed = [...differences].filter(([, by]) => by !== 0).sort(([a], [b]) => a - b);
  if (changed.length === 0) return;
  await ctx.query(sql`
    insert into project_merge_request_counts (project_id, opened)
    select * from unnest(${changed.map(([id]) => id)}::bigint[], ${changed.map(([, by]) => by)}::int[])
    on conflict (project_id) do update set opened = project_merge_request_counts.opened + excluded.opened`);
}
