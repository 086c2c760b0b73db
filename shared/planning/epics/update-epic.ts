import type { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { instant, oneOf, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { changedLabels } from '../issuables/change-labels.js';
import { epicType } from '../issuables/issuable-type.js';
import { setLabels } from '../issuables/set-people-and-labels.js';
import { optionalParam, labelTitles } from '../issuables/issue-values.js';
import { colorCode } from '../labels/label-colors.js';
import type { EpicChange } from '../issuables/issuable-changes.js';
import { Epic } from './epic.entity.js';
import type { EpicRecord } from './epic.entity.js';
import { epic, findEpic } from './epic.finder.js';
import { labelsOfEpics, parentsOfEpics } from './epic.loads.js';
import { epicPolicy, groupEpicPolicy } from './epic.policy.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { chosenParent } from './epic-parent.js';
import { epicParams, requireEpicValues } from './epic-values.js';

const editParams = {
  title: optionalParam(text()).describe('Title of the epic, of at most 255 characters.'),
  ...epicParams,
  add_labels: labelTitles().describe('Titles of labels to add to the epic.'),
  remove_labels: labelTitles().describe('Titles of labels to remove from the epic.'),
  state_event: optional(oneOf(['close', 'reopen'])).describe('Event that closes or reopens the epic.'),
  updated_at: optional(instant()).describe(
    'Timestamp of when the epic was updated: for Owners; for others, the current time is used.',
  ),
};
type Input = z.output<z.ZodObject<typeof editParams>>;

/** Columns that an edit writes; what stays is left out. */
type EpicColumns = { [Column in keyof Epic]?: Exclude<Epic[Column], undefined> };

interface Edit {
  readonly columns: EpicColumns;
  readonly changes: EpicChange[];
}

function editText(ctx: SignedInContext, found: EpicRecord, input: Input, { columns, changes }: Edit): void {
  const title = input.title?.trim();
  if (title !== undefined && title !== found.title) {
    columns.title = title;
    changes.push({ attribute: 'title', from: found.title, to: title });
  }
  if (input.description !== undefined && (input.description ?? '') !== (found.description ?? '')) {
    columns.description = input.description;
    changes.push({ attribute: 'description' });
  }
  if (changes.length > 0) columns.last_edited_at = ctx.clock.now();
}

function editState(ctx: SignedInContext, found: EpicRecord, input: Input, { columns, changes }: Edit): void {
  const closed = input.state_event === 'close';
  const to = closed ? 'closed' : 'opened';
  if (input.state_event === undefined || to === found.state) return;
  const [closed_at, closed_by_id] = closed ? [ctx.clock.now(), ctx.caller.id] : [null, null];
  Object.assign(columns, { state: to, closed_at, closed_by_id });
  changes.push({ attribute: 'state', to: closed ? 'closed' : 'reopened' });
}

/** The fixed dates, whether in effect or not; changes are reported only for those in effect. */
function editDates(found: EpicRecord, input: Input, { columns, changes }: Edit): void {
  for (const date of ['start_date', 'due_date'] as const) {
    const [fixes, day] = [`${date}_is_fixed`, `${date}_fixed`] as const;
    const isFixed = input[fixes] ?? found[fixes];
    const value = input[day] === undefined ? (found[day] ?? null) : input[day];
    if (isFixed === found[fixes] && value === (found[day] ?? null)) continue;
    Object.assign(columns, { [fixes]: isFixed, [day]: value });
    changes.push({
      attribute: `fixed_${date}`,
      from: found[fixes] ? (found[day] ?? null) : null,
      to: isFixed ? value : null,
    });
  }
}

/** Whether there is an epic or issue below an epic that is not confidential. */
async function hasOpenBelow(ctx: SignedInContext, id: number): Promise<boolean> {
  const db = ctx.em.getKysely<PlanningDatabase>();
  const issues = db
    .selectFrom('epic_issues as x')
    .innerJoin('issues as s', 's.id', 'x.issue_id')
    .select('s.id')
    .where('x.epic_id', '=', id)
    .where((eb) => eb.not(eb.ref('s.confidential')));
  const other = await db
    .selectFrom('epics as c')
    .select('c.id')
    .where('c.parent_id', '=', id)
    .where((eb) => eb.not(eb.ref('c.confidential')))
    .unionAll(issues)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Whether the epic above one is confidential. */
const isBelowConfidential = async (ctx: SignedInContext, { parent_id: id }: EpicRecord): Promise<boolean> =>
  (await ctx.em.count(Epic, { id: id ?? 0, confidential: true })) > 0;

/** @throws Invalid if a descendant is not confidential, or the parent is */
async function editConfidentiality(
  ctx: SignedInContext,
  found: EpicRecord,
  input: Input,
  { columns, changes }: Edit,
): Promise<void> {
  const to = input.confidential;
  if (to === undefined || to === found.confidential) return;
  const isHindered = to
    ? await hasOpenBelow(ctx, found.id)
    : (input.parent_id ?? null) === null && (await isBelowConfidential(ctx, found));
  if (isHindered)
    throw new Invalid({
      confidential: [to ? 'cannot hold while it has issues or epics that are not' : 'is the epic above it, too'],
    });
  columns.confidential = to;
  changes.push({ attribute: 'confidential', to });
}

/** @throws Invalid, Forbidden */
async function editParent(
  ctx: SignedInContext,
  found: EpicRecord,
  input: Input,
  { columns, changes }: Edit,
): Promise<void> {
  const id = input.parent_id === undefined ? undefined : (input.parent_id ?? 0);
  if (id === undefined || id === (found.parent_id ?? 0)) return;
  const confidential = input.confidential ?? found.confidential;
  const to = id === 0 ? null : await chosenParent(ctx, found.group, { child: found, id, confidential });
  await parentsOfEpics.fill(ctx, [found]);
  columns.parent_id = to?.id ?? null;
  columns.relative_position = null;
  changes.push({ attribute: 'parent', from: parentsOfEpics.of(found, ctx) ?? null, to });
}

/** @throws Invalid for a title that is too long */
async function editLabels(ctx: SignedInContext, found: EpicRecord, input: Input, { changes }: Edit): Promise<void> {
  if (!input.labels && !input.add_labels && !input.remove_labels) return;
  await labelsOfEpics.fill(ctx, [found]);
  const before = (labelsOfEpics.of(found, ctx) ?? []).map(({ id, title }) => ({ id, title }));
  const after = await changedLabels(ctx, found.group, before, input);
  changes.push(...((await setLabels(ctx, epicType, found, { before, after })) as EpicChange[]));
}

function editColor(found: EpicRecord, { color }: Input, { columns, changes }: Edit): void {
  const to = color === undefined ? null : colorCode(color);
  if (to === null || to === found.color) return;
  columns.color = to;
  changes.push({ attribute: 'color', from: found.color, to });
}

/** Changes an epic that the caller may change. @throws Invalid, Forbidden */
export async function editEpic(ctx: SignedInContext, found: EpicRecord, input: Input): Promise<EpicRecord> {
  requireEpicValues(input);
  const edit: Edit = { columns: {}, changes: [] };
  editText(ctx, found, input, edit);
  editState(ctx, found, input, edit);
  editDates(found, input, edit);
  editColor(found, input, edit);
  await editConfidentiality(ctx, found, input, edit);
  await editParent(ctx, found, input, edit);
  await editLabels(ctx, found, input, edit);
  if (edit.changes.length === 0) return found;
  const chosen = groupEpicPolicy.set_epic_origin(ctx.caller, found.group) ? input.updated_at : undefined;
  const values = { updated_by_id: ctx.caller.id, ...edit.columns, updated_at: chosen ?? ctx.clock.now() };
  await ctx.em.nativeUpdate(Epic, { id: found.id }, values as Required<EpicColumns>);
  const after = await findEpic(ctx, found.group, found.iid);
  ctx.record({ type: 'epic.changed', epic: after, group: found.group, changes: edit.changes });
  return after;
}

/** Edit an epic: Reporters and above (core-resources.md section 8). */
export const updateEpic = operation({
  name: 'updateEpic',
  summary: 'Edit an epic',
  resource: epic,
  can: can(epicPolicy, 'update_epic'),
  plan: 'premium',
  kind: 'write',
  statements: 32,
  example: { state_event: 'close' },
  params: editParams,
  rules: [getAtLeastOne(...Object.keys(editParams).filter((name) => name !== 'updated_at'))],
  run: (ctx, found, input) => editEpic(ctx, found, input),
});
