import type { Context } from '../../core/context.js';
import { readAll } from '../../core/list.js';
import { sql } from '../../core/sql.js';
import { issuesOfAll } from './issue.finder.js';
import type { ListedIssue } from './issue.record.js';

/** Issues by their global ids, of those that the caller may read. */
export async function issuesById(ctx: Context, ids: readonly number[]): Promise<Map<number, ListedIssue>> {
  const found = await readAll(ctx, issuesOfAll(ctx, [sql`i.id = any(${ids}::bigint[])`]));
  return new Map(found.map((issue) => [issue.id, issue]));
}
