import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** How many branches each rule, by its id, holds for; a rule that holds for none is missing. */
export async function countMatchingBranches(ctx: Context, ruleIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await ctx.query<{ id: number; branches: number }>(sql`
    select r.id as "id", count(*)::int as "branches"
      from protected_branches r
      join repository_refs f on f.project_id = r.project_id and f.full_name like 'refs/heads/' || r.name_pattern
     where r.id = any(${ruleIds}::bigint[]) group by r.id`);
  return new Map(rows.map((row) => [row.id, row.branches]));
}
