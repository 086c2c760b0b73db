import type { Context } from '../../core/context/context.js';
import { readAll } from '../../core/database/list.js';
import { anyOf } from '../../core/database/expressions.js';
import { onIssues } from './visible-issues.js';
import { issuesOfAll } from './issue.finder.js';
import type { ListedIssue } from './issue.record.js';

/** Issues by their global ids, of those that the caller may read. */
export async function issuesById(ctx: Context, ids: readonly number[]): Promise<Map<number, ListedIssue>> {
  const found = await readAll(ctx, issuesOfAll(ctx, [onIssues('i.id', '=', anyOf(ids, 'bigint'))]));
  return new Map(found.map((issue) => [issue.id, issue]));
}
