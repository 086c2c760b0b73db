import type { SignedInContext } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import { integer, optional } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { epic } from '../epics/epic.finder.js';
import { epicPolicy } from '../epics/epic.policy.js';
import { findIssueById } from './issue.finder.js';
import { issuePolicy } from './issue.policy.js';
import type { IssueRecord } from './issue.entity.js';
import { moveAmongSiblings } from '../issuables/move-among-siblings.js';
import { findEpicIssue, issuesOfEpic } from './epic-issue.finder.js';
import type { EpicIssueRecord, ListedEpicIssue } from './epic-issue.entity.js';
import { putInto, takeFromEpic } from './set-epic.js';

/** List the issues of an epic that the caller may read, in their order. */
export const listEpicIssues = operation({
  name: 'listEpicIssues',
  summary: 'List the issues of an epic',
  resource: epic,
  can: can(epicPolicy, 'read_epic'),
  plan: 'premium',
  authentication: 'open',
  kind: 'read',
  statements: 13,
  run: (ctx, found) => Promise.resolve(issuesOfEpic(ctx, found)),
});

const writing = { resource: epic, can: can(epicPolicy, 'update_epic'), plan: 'premium', kind: 'write' } as const;
const rowParam = { epic_issue_id: integer().describe('ID of the association between the epic and the issue.') };

/** Adding an issue to an epic changes both records. @throws NotFound, Forbidden */
async function findMovableIssue(ctx: SignedInContext, id: number): Promise<IssueRecord> {
  const issue = await findIssueById(ctx, id);
  if (!issuePolicy.set_issue_metadata(ctx.caller, issue)) throw new Forbidden();
  return issue;
}

/** Add an issue to an epic, removing it from its previous one: Reporters who can also plan the issue. */
export const addIssueToEpic = operation({
  name: 'addIssueToEpic',
  summary: 'Add an issue to an epic',
  ...writing,
  statements: 30,
  params: { epic_issue_id: integer().describe('Global ID of the issue.') },
  async run(ctx, found, { epic_issue_id: issueId }): Promise<EpicIssueRecord> {
    const id = await putInto(ctx, await findMovableIssue(ctx, issueId), found);
    return findEpicIssue(ctx, found, id);
  },
});

/** Remove an issue from an epic: callers who can add it. */
export const removeIssueFromEpic = operation({
  name: 'removeIssueFromEpic',
  summary: 'Remove an issue from an epic',
  ...writing,
  statements: 30,
  params: rowParam,
  async run(ctx, found, { epic_issue_id }): Promise<EpicIssueRecord> {
    const row = await findEpicIssue(ctx, found, epic_issue_id);
    await takeFromEpic(ctx, await findMovableIssue(ctx, row.issue.id));
    return row;
  },
});

/** Put an issue of an epic between others of it: Reporters and above. Answers the epic's issues in their order. */
export const moveEpicIssue = operation({
  name: 'moveEpicIssue',
  summary: 'Reorder the issues of an epic',
  ...writing,
  statements: 26,
  example: { move_after_id: 2 },
  params: {
    ...rowParam,
    move_before_id: optional(integer()).describe('ID of the epic-issue association that comes before the moved one.'),
    move_after_id: optional(integer()).describe('ID of the epic-issue association that comes after the moved one.'),
  },
  rules: [getAtLeastOne('move_after_id', 'move_before_id')],
  async run(ctx, found, { epic_issue_id, ...neighbours }): Promise<List<ListedEpicIssue>> {
    const { id } = await findEpicIssue(ctx, found, epic_issue_id);
    await moveAmongSiblings(
      ctx,
      { table: 'epic_issues', parent: 'epic_id', parentId: found.id },
      id,
      neighbours,
      async (neighbour) => (await findEpicIssue(ctx, found, neighbour)).relative_position,
      'issues',
    );
    return issuesOfEpic(ctx, found);
  },
});
