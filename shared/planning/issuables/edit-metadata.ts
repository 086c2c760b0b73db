import type { SignedInContext } from '../../core/context/context.js';
import type { Load } from '../../core/context/loads.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { assignableUsers } from './assignable-users.js';
import { changedLabels } from './change-labels.js';
import type { LabelInput } from './change-labels.js';
import { chosenMilestone } from './chosen-milestone.js';
import type { IssuableChange, LabelSummary, MilestoneSummary } from './issuable-changes.js';
import type { IssuableType } from './issuable-type.js';
import { setAssignees, setLabels } from './set-people-and-labels.js';

interface Edited {
  readonly id: number;
  readonly project_id: number;
  readonly project: ProjectRecord;
  readonly milestone_id?: number | null | undefined;
}

/** A kind of records with what of them an edit has to know. */
export interface EditedType<T extends Edited> {
  readonly type: IssuableType;
  readonly labels: Load<T, readonly LabelSummary[]>;
  readonly assignees: Load<T, readonly UserSummary[]>;
  /** Of the project's feature that the records lie in. */
  readonly level: (project: ProjectRecord) => string;
}

/** The requested values; undefined if omitted. */
export interface MetadataInput extends LabelInput {
  /** `0` for no assignee. */
  readonly assignee_ids?: readonly number[] | undefined;
  readonly milestone_id?: number | null | undefined;
}

/** The column changes of an edit and the changes to report. */
export interface MetadataEdit {
  readonly columns: { milestone_id?: number | null };
  readonly changes: IssuableChange[];
}

async function milestoneById(ctx: SignedInContext, id: number): Promise<MilestoneSummary | null> {
  const milestone = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('milestones as m')
    .select(['m.id', 'm.title'])
    .where('m.id', '=', id)
    .executeTakeFirst();
  return milestone ?? null;
}

/** @throws Invalid for a milestone that the project does not have */
async function editMilestone(ctx: SignedInContext, record: Edited, input: MetadataInput, edit: MetadataEdit) {
  if (input.milestone_id === undefined) return;
  const before = record.milestone_id ?? null;
  if ((input.milestone_id ?? 0) === (before ?? 0)) return;
  const to = await chosenMilestone(ctx, record.project, input.milestone_id ?? 0);
  const from = before === null ? null : await milestoneById(ctx, before);
  edit.columns.milestone_id = to?.id ?? null;
  edit.changes.push({ attribute: 'milestone', from, to });
}

async function editAssignees<T extends Edited>(
  ctx: SignedInContext,
  { type, assignees, level }: EditedType<T>,
  record: T,
  input: MetadataInput,
  edit: MetadataEdit,
) {
  if (input.assignee_ids === undefined) return;
  await assignees.fill(ctx, [record]);
  const before = assignees.of(record, ctx) ?? [];
  const after = await assignableUsers(ctx, record.project, input.assignee_ids, level(record.project));
  edit.changes.push(...(await setAssignees(ctx, type, record, { before, after })));
}

/** @throws Invalid for a title that is too long */
async function editLabels<T extends Edited>(
  ctx: SignedInContext,
  { type, labels }: EditedType<T>,
  record: T,
  input: MetadataInput,
  edit: MetadataEdit,
) {
  if (!input.labels && !input.add_labels && !input.remove_labels) return;
  await labels.fill(ctx, [record]);
  const before = (labels.of(record, ctx) ?? []).map(({ id, title }) => ({ id, title }));
  const after = await changedLabels(ctx, record.project, before, input);
  edit.changes.push(...(await setLabels(ctx, type, record, { before, after })));
}

/**
 * Updates labels, assignees and milestone of a locked record, as far as they were requested.
 * @throws Invalid
 */
export async function editIssuableMetadata<T extends Edited>(
  ctx: SignedInContext,
  type: EditedType<T>,
  record: T,
  input: MetadataInput,
  edit: MetadataEdit,
): Promise<void> {
  await editMilestone(ctx, record, input, edit);
  await editLabels(ctx, type, record, input, edit);
  await editAssignees(ctx, type, record, input, edit);
}
