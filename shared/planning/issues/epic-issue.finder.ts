import { expressionBuilder } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { issuesOfAll } from './issue.finder.js';
import type { OfIssues } from './visible-issues.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { ListedIssue } from './issue.entity.js';
import { selectPosition } from '../issuables/move-among-siblings.js';
import type { EpicRecord } from '../epics/epic.entity.js';
import type { EpicIssueRecord, ListedEpicIssue } from './epic-issue.entity.js';

/** Issues `i` with their entry `x` in an epic. */
type OfEpicIssues = OfIssues & Aliased<PlanningDatabase, { x: 'epic_issues' }>;
const onEpicIssues = expressionBuilder<OfEpicIssues, 'x'>();
type EpicIssueQuery = SelectQueryBuilder<OfEpicIssues, 'i' | 'x', object>;

/** The issues of an epic that the caller may read, in their order. */
export function issuesOfEpic(ctx: Context, { id, full_path }: EpicRecord): List<ListedEpicIssue> {
  const issues = issuesOfAll(ctx);
  const position = selectPosition('x');
  return {
    matching: (issues.matching as EpicIssueQuery)
      .innerJoin('epic_issues as x', 'x.issue_id', 'i.id')
      .where('x.epic_id', '=', id),
    select: (query) =>
      (issues.select(query) as EpicIssueQuery).select(['x.id as epic_issue_id', position.as('epic_position')]),
    order: [
      {
        key: 'epic_position',
        expression: position,
        direction: 'asc',
        type: 'integer',
        value: (issue) => issue.epic_position,
      },
      { ...byId<ListedEpicIssue>('x', 'asc'), value: (issue) => issue.epic_issue_id },
    ],
    read: (row) => ({ ...row, reference_base: { kind: 'group', full_path } }),
  };
}

/** That an issue which the caller may read is in this very epic. @throws NotFound "404 Not found" */
export async function findEpicIssue(ctx: Context, epic: EpicRecord, id: number): Promise<EpicIssueRecord> {
  const [found] = await readAll(ctx, narrow(issuesOfEpic(ctx, epic), [onEpicIssues('x.id', '=', id)]));
  if (!found) throw new NotFound();
  const issue: ListedIssue = found;
  return { id, relative_position: found.epic_position, epic, issue };
}
