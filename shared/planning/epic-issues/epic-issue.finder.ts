import type { Context } from '../../core/context.js';
import { byId } from '../../core/list.js';
import type { List } from '../../core/list.js';
import { sql } from '../../core/sql.js';
import { NotFound } from '../../core/errors.js';
import { issuesOfAll } from '../issues/issue.finder.js';
import { readAll } from '../../core/list.js';
import type { ListedIssue } from '../issues/issue.record.js';
import { positionOf } from '../issues/relative-position.js';
import type { EpicRecord } from '../epics/epic.record.js';
import type { EpicIssueRecord, ListedEpicIssue } from './epic-issue.record.js';

const joined = sql`join epic_issues x on x.issue_id = i.id`;

/** The issues of an epic that the caller may read, in their order. */
export function issuesOfEpic(ctx: Context, { id, full_path }: EpicRecord): List<ListedEpicIssue> {
  const issues = issuesOfAll(ctx, [sql`x.epic_id = ${id}`]);
  return {
    ...(issues as unknown as List<ListedEpicIssue>),
    select: sql`${issues.select}, x.id as "epic_issue_id", ${positionOf('x')} as "epic_position"`,
    from: sql`${issues.from} ${joined}`,
    ...(issues.matching ? { matching: sql`${issues.matching} ${joined}` } : {}),
    order: [
      {
        key: 'epic_position',
        expression: positionOf('x'),
        direction: 'asc',
        type: 'integer',
        value: (issue) => issue.epic_position,
      },
      { ...byId<ListedEpicIssue>('x', 'asc'), value: (issue) => issue.epic_issue_id },
    ],
    read: (row) => ({ ...row, seen_from: { kind: 'group', full_path } }),
  };
}

/** That an issue which the caller may read is in this very epic. @throws NotFound "404 Not found" */
export async function findEpicIssue(ctx: Context, epic: EpicRecord, id: number): Promise<EpicIssueRecord> {
  const list = issuesOfEpic(ctx, epic);
  const [found] = await readAll(ctx, { ...list, where: [...list.where, sql`x.id = ${id}`] });
  if (!found) throw new NotFound();
  const issue: ListedIssue = found;
  return { id, relative_position: found.epic_position, epic, issue };
}
