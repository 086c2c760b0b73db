import type { Context, SignedInContext } from '../../core/context.js';
import { Conflict, Forbidden, NotFound } from '../../core/errors.js';
import { integer, optional } from '../../core/fields.js';
import type { List } from '../../core/list.js';
import { can, operation } from '../../core/operation.js';
import { atLeastOneOf } from '../../core/params.js';
import { raw, sql } from '../../core/sql.js';
import { epic } from '../epics/epic.finder.js';
import { epicPolicy } from '../epics/epic.policy.js';
import type { EpicRecord } from '../epics/epic.record.js';
import { findIssueById } from '../issues/issue.finder.js';
import { issuePolicy } from '../issues/issue.policy.js';
import type { IssueRecord } from '../issues/issue.record.js';
import { GAP } from '../issues/relative-position.js';
import { findEpicIssue, issuesOfEpic, positionInEpic } from './epic-issue.finder.js';
import type { EpicIssueRecord, ListedEpicIssue } from './epic-issue.record.js';
import { putInto, takeFromEpic } from './set-epic.js';

/** List the issues of an epic that the caller may read, in their order. */
export const listEpicIssues = operation({
  name: 'listEpicIssues',
  summary: 'List the issues of an epic',
  subject: epic,
  can: can(epicPolicy, 'read_epic'),
  plan: 'premium',
  gate: 'open',
  kind: 'read',
  statements: 13,
  run: (ctx, found) => Promise.resolve(issuesOfEpic(ctx, found)),
});

const writing = { subject: epic, can: can(epicPolicy, 'update_epic'), plan: 'premium', kind: 'write' } as const;
const rowParam = { epic_issue_id: integer().describe('Id of what says that the issue is in the epic.') };

/** Whoever puts an issue under an epic changes both. @throws NotFound, Forbidden */
async function issueToPlace(ctx: SignedInContext, id: number): Promise<IssueRecord> {
  const issue = await findIssueById(ctx, id);
  if (!issuePolicy.set_issue_metadata(ctx.caller, issue)) throw new Forbidden();
  return issue;
}

/** Put an issue under an epic, out of the one that it was in: Reporters who may also plan the issue. */
export const addIssueToEpic = operation({
  name: 'addIssueToEpic',
  summary: 'Add an issue to an epic',
  ...writing,
  statements: 30,
  params: { epic_issue_id: integer().describe('Global id of the issue.') },
  async run(ctx, found, { epic_issue_id: issueId }): Promise<EpicIssueRecord> {
    const id = await putInto(ctx, await issueToPlace(ctx, issueId), found);
    return findEpicIssue(ctx, found, id);
  },
});

/** Take an issue out of an epic: whoever may put it there. */
export const removeIssueFromEpic = operation({
  name: 'removeIssueFromEpic',
  summary: 'Remove an issue from an epic',
  ...writing,
  statements: 30,
  params: rowParam,
  async run(ctx, found, { epic_issue_id }): Promise<EpicIssueRecord> {
    const row = await findEpicIssue(ctx, found, epic_issue_id);
    await takeFromEpic(ctx, await issueToPlace(ctx, row.issue.id));
    return row;
  },
});

interface Neighbours {
  /** The row that is to stand before it, and the one that is to stand after it. */
  move_before_id?: number | undefined;
  move_after_id?: number | undefined;
}

/** The place next to one, leaving the row that moves aside; null at the end. */
async function nextTo(ctx: Context, epicId: number, id: number, from: number, side: '<' | '>'): Promise<number | null> {
  const row = await ctx.queryOne<{ place: number }>(sql`
    select ${positionInEpic('x')} as "place" from epic_issues x
     where x.epic_id = ${epicId} and x.id <> ${id} and ${positionInEpic('x')} ${raw(side)} ${from}
     order by ${positionInEpic('x')} ${raw(side === '<' ? 'desc' : 'asc')} limit 1`);
  return row?.place ?? null;
}

/** Between which places it goes. @throws NotFound for a neighbour of another epic */
async function placesAround(ctx: Context, found: EpicRecord, id: number, asked: Neighbours) {
  const placeOfRow = async (neighbour: number | undefined) =>
    neighbour === undefined ? null : (await findEpicIssue(ctx, found, neighbour)).relative_position;
  const before = await placeOfRow(asked.move_before_id);
  const after = await placeOfRow(asked.move_after_id);
  const low = before ?? (await nextTo(ctx, found.id, id, after ?? 0, '<')) ?? (after ?? 0) - 2 * GAP;
  const high = after ?? (await nextTo(ctx, found.id, id, low, '>')) ?? low + 2 * GAP;
  return { low, high };
}

/** Spreads the issues of an epic evenly, in their order. */
async function makeRoom(ctx: Context, epicId: number): Promise<void> {
  await ctx.query(sql`
    update epic_issues t set relative_position = c.number * ${GAP}::bigint
      from (select x.id, row_number() over (order by ${positionInEpic('x')}, x.id) as number
              from epic_issues x where x.epic_id = ${epicId}) c
     where t.id = c.id`);
}

async function move(ctx: SignedInContext, found: EpicRecord, id: number, asked: Neighbours): Promise<void> {
  await findEpicIssue(ctx, found, id);
  let { low, high } = await placesAround(ctx, found, id, asked);
  if (high - low < 2) {
    await makeRoom(ctx, found.id);
    ({ low, high } = await placesAround(ctx, found, id, asked));
  }
  if (high - low < 2) throw new Conflict('The issues do not stand next to each other in this order');
  // Plain SQL: whether there was one is answered along.
  const moved = await ctx.query(sql`
    update epic_issues x set relative_position = ${low + Math.floor((high - low) / 2)}::bigint
     where x.id = ${id} and x.epic_id = ${found.id} returning x.id`);
  if (moved.length === 0) throw new NotFound();
}

/** Put an issue of an epic between others of it: Reporters and above. Answers the epic's issues in their order. */
export const moveEpicIssue = operation({
  name: 'moveEpicIssue',
  summary: 'Reorder the issues of an epic',
  ...writing,
  statements: 26,
  example: { move_after_id: 2 },
  params: {
    ...rowParam,
    move_before_id: optional(integer()).describe('Id of the row of the issue that is to stand before it.'),
    move_after_id: optional(integer()).describe('Id of the row of the issue that is to stand after it.'),
  },
  rules: [atLeastOneOf('move_after_id', 'move_before_id')],
  async run(ctx, found, { epic_issue_id, ...asked }): Promise<List<ListedEpicIssue>> {
    await move(ctx, found, epic_issue_id, asked);
    return issuesOfEpic(ctx, found);
  },
});
