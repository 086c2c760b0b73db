import type { Context } from '../../core/context/context.js';
import { readAll } from '../../core/database/list.js';
import type { ListedIssue } from '../issues/issue.record.js';
import { linkedWith } from './issue-link.finder.js';
import type { LinkedIssue } from './issue-link.record.js';

type ByIssue = Map<Readonly<ListedIssue>, LinkedIssue[]>;

/**
 * The issues that each of many issues is linked with, of those that the caller may read, in the order in which they were
 * linked. Links are shown to nobody who did not sign in (issue-links.md section 5).
 */
export async function linkedIssuesOf(ctx: Context, issues: readonly Readonly<ListedIssue>[]): Promise<ByIssue> {
  if (ctx.caller.anonymous) return new Map();
  const ids = issues.map(({ id }) => id);
  const rows = await readAll(ctx, linkedWith<LinkedIssue & { of_id: number }>(ctx, ids));
  const byId = Map.groupBy(rows, ({ of_id }) => of_id);
  return new Map(issues.map((issue) => [issue, byId.get(issue.id) ?? []]));
}
