import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden, Invalid, NotFound } from '../../core/values/errors.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { EpicName } from '../issuables/issuable-changes.js';
import { epicPolicy } from '../epics/epic.policy.js';
import type { EpicRecord } from '../epics/epic.entity.js';
import { EpicIssue } from './epic-issue.entity.js';
import { readableEpic } from '../epics/epic.finder.js';
import type { IssueRecord } from './issue.entity.js';

type EpicChild = Pick<IssueRecord, 'id' | 'project_id' | 'project' | 'confidential'>;

/** Takes an issue out of its epic. @returns the epic, null for none */
async function takeOut(ctx: Context, { id }: EpicChild): Promise<EpicName | null> {
  // Deleted rows are reported together with the epics they reference.
  const epic = await ctx.em
    .getKysely<PlanningDatabase>()
    .deleteFrom('epic_issues as x')
    .using(['epics as e', 'routes as r'])
    .where('x.issue_id', '=', id)
    .whereRef('e.id', '=', 'x.epic_id')
    .whereRef('r.namespace_id', '=', 'e.namespace_id')
    .returning(['e.id', 'e.iid', 'e.namespace_id', 'r.path as full_path'])
    .executeTakeFirst();
  return epic ?? null;
}

/** @throws Invalid for an epic that the issue cannot be in */
function requireFitting(issue: EpicChild, epic: EpicRecord): void {
  if (!issue.project.namespace.traversal_ids.includes(epic.namespace_id))
    throw new Invalid({ epic: ["belongs neither to the group of the issue's project nor to a group above it"] });
  if (epic.confidential && !issue.confidential) throw new Invalid({ epic: ['is confidential, and the issue is not'] });
}

/**
 * Adds a locked issue to an epic in last position, removing it from its previous epic.
 * @returns the id of the epic-issue row
 * @throws Invalid
 */
export async function putInto(ctx: SignedInContext, issue: IssueRecord, epic: EpicRecord): Promise<number> {
  requireFitting(issue, epic);
  const existing = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('epic_issues as x')
    .select('x.id')
    .where('x.issue_id', '=', issue.id)
    .where('x.epic_id', '=', epic.id)
    .executeTakeFirst();
  if (existing) return existing.id;
  const from = await takeOut(ctx, issue);
  const id = await ctx.em.insert(EpicIssue, {
    project_id: issue.project_id,
    epic_id: epic.id,
    issue_id: issue.id,
  });
  ctx.record({ type: 'epic_issue.changed', issue, project: issue.project, from, to: epic });
  return id;
}

/** Takes an issue that is locked out of its epic, if it is in one. */
export async function takeFromEpic(ctx: SignedInContext, issue: IssueRecord): Promise<void> {
  const from = await takeOut(ctx, issue);
  if (from) ctx.record({ type: 'epic_issue.changed', issue, project: issue.project, from, to: null });
}

/**
 * Gives an issue that is locked the epic of a global id, 0 for none, from Premium on.
 * @throws NotFound for one that the caller may not read, Forbidden for one that they may not change, Invalid
 */
export async function setEpic(ctx: SignedInContext, issue: IssueRecord, id: number | undefined): Promise<void> {
  if (id === undefined || !ctx.hasPlan('premium')) return;
  if (id === 0) return takeFromEpic(ctx, issue);
  const epic = await readableEpic(ctx, id);
  if (!epic) throw new NotFound();
  if (!epicPolicy.update_epic(ctx.caller, epic)) throw new Forbidden();
  await putInto(ctx, issue, epic);
}

/** Issues of a confidential epic are confidential themselves. @throws Invalid if the issue would no longer be */
export async function requireOpenEpic(ctx: Context, { id }: Pick<IssueRecord, 'id'>): Promise<void> {
  const hidden = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('epic_issues as x')
    .innerJoin('epics as e', 'e.id', 'x.epic_id')
    .select('e.id')
    .where('x.issue_id', '=', id)
    .where((eb) => eb.ref('e.confidential'))
    .executeTakeFirst();
  if (hidden) throw new Invalid({ confidential: ['is the epic of the issue, too'] });
}
