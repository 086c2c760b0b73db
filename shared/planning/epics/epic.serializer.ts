import type { Context } from '../../core/context/context.js';
import type { Load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { textColorOn } from '../labels/label-colors.js';
import { labelSummary } from '../labels/label-summary.serializer.js';
import { inheritedDates } from './epic-dates.js';
import { labelsOfEpics, parentsOfEpics, subscriptionsToEpics } from './epic.loads.js';
import type { ListedEpic } from './epic.entity.js';

const apiUrl = (ctx: Context, { namespace_id, iid }: ListedEpic, suffix = '') =>
  `${ctx.config.externalUrl}/api/v4/groups/${namespace_id}/epics/${iid}${suffix}`;

const getParent = (epic: ListedEpic, ctx: Context): ListedEpic | null => parentsOfEpics.of(epic, ctx) ?? null;

function parentLink(epic: ListedEpic, ctx: Context): string | null {
  const parent = getParent(epic, ctx);
  return parent && apiUrl(ctx, parent);
}

const linksSerializer = serializer<ListedEpic>('EpicUrls', {
  self: out.text((epic, ctx) => apiUrl(ctx, epic)),
  epic_issues: out.text((epic, ctx) => apiUrl(ctx, epic, '/issues')),
  group: out.text((epic, ctx) => `${ctx.config.externalUrl}/api/v4/groups/${epic.namespace_id}`),
  parent: out.nullableText(parentLink),
});

/** How an epic is referenced elsewhere: `&5` within its own group, otherwise with the group's path. */
export const epicReference = (from: string | undefined, { full_path, iid }: ListedEpic): string =>
  from === full_path ? `&${iid}` : `${full_path}&${iid}`;

const referencesSerializer = serializer<ListedEpic>('EpicReferences', {
  short: out.text((epic) => `&${epic.iid}`),
  relative: out.text((epic) => epicReference(epic.reference_base, epic), {
    description: 'Reference relative to the project or group of the request.',
  }),
  full: out.text((epic) => `${epic.full_path}&${epic.iid}`),
});

const inheritedStart = (epic: ListedEpic, ctx: Context) => inheritedDates.of(epic, ctx)?.start_date ?? null;
const inheritedEnd = (epic: ListedEpic, ctx: Context) => inheritedDates.of(epic, ctx)?.due_date ?? null;
const getStart = (epic: ListedEpic, ctx: Context) =>
  epic.start_date_is_fixed ? (epic.start_date_fixed ?? null) : inheritedStart(epic, ctx);
const endOf = (epic: ListedEpic, ctx: Context) =>
  epic.due_date_is_fixed ? (epic.due_date_fixed ?? null) : inheritedEnd(epic, ctx);

/** Where people read it. */
export const epicUrl = (epic: ListedEpic, ctx: Context) =>
  `${ctx.config.externalUrl}/groups/${epic.full_path}/-/epics/${epic.iid}`;

const fields: Record<string, OutField<ListedEpic>> = {
  id: out.integer((epic) => epic.id),
  work_item_id: out.nullableInteger(() => null, { description: 'Always null: epics have no second ID.' }),
  iid: out.integer((epic) => epic.iid),
  color: out.text((epic) => epic.color, { description: 'Color of the epic, as `#rrggbb`.' }),
  text_color: out.text((epic) => textColorOn(epic.color), {
    description: 'Color of text that is readable on the color of the epic.',
  }),
  group_id: out.integer((epic) => epic.namespace_id),
  parent_id: out.nullableInteger((epic, ctx) => getParent(epic, ctx)?.id ?? null),
  parent_iid: out.nullableInteger((epic, ctx) => getParent(epic, ctx)?.iid ?? null),
  imported: out.boolean((epic) => epic.imported_from !== 'none'),
  imported_from: out.text((epic) => epic.imported_from),
  title: out.text((epic) => epic.title),
  description: out.nullableText((epic) => epic.description ?? null),
  confidential: out.boolean((epic) => epic.confidential),
  author: out.nullableRecord(userSummary, (epic) => epic.author),
  start_date: out.nullableDay(getStart),
  start_date_is_fixed: out.boolean((epic) => epic.start_date_is_fixed),
  start_date_fixed: out.nullableDay((epic) => epic.start_date_fixed ?? null),
  start_date_from_inherited_source: out.nullableDay(inheritedStart),
  start_date_from_milestones: out.nullableDay(inheritedStart),
  end_date: out.nullableDay(endOf),
  due_date: out.nullableDay(endOf),
  due_date_is_fixed: out.boolean((epic) => epic.due_date_is_fixed),
  due_date_fixed: out.nullableDay((epic) => epic.due_date_fixed ?? null),
  due_date_from_inherited_source: out.nullableDay(inheritedEnd),
  due_date_from_milestones: out.nullableDay(inheritedEnd),
  state: out.text((epic) => epic.state, { enum: ['opened', 'closed'] }),
  web_edit_url: out.text((epic, ctx) => `${epicUrl(epic, ctx)}/edit`),
  web_url: out.text(epicUrl),
  references: out.record(referencesSerializer, (epic) => epic),
  created_at: out.instant((epic) => epic.created_at),
  updated_at: out.instant((epic) => epic.updated_at),
  closed_at: out.nullableInstant((epic) => epic.closed_at ?? null),
  labels: out.texts((epic, ctx) => (labelsOfEpics.of(epic, ctx) ?? []).map(({ title }) => title)),
  upvotes: out.integer((epic) => epic.upvotes),
  downvotes: out.integer((epic) => epic.downvotes),
  _links: out.record(linksSerializer, (epic) => epic),
};

/** Data that an epic shows in addition to its record. */
export const epicLoads = [labelsOfEpics, parentsOfEpics, inheritedDates];

/** An epic in lists (core-resources.md section 8). */
export const epicSerializer = serializer<ListedEpic>('Epic', fields, { loads: epicLoads });

/** Labels of epics with what they show as records. */
const labelsInFull: Load<ListedEpic> = {
  of: labelsOfEpics.of,
  put: () => undefined,
  async fill(ctx, epics) {
    await labelsOfEpics.fill(ctx, epics);
    await labelSummary.load(
      ctx,
      epics.flatMap((epic) => labelsOfEpics.of(epic, ctx) ?? []),
    );
  },
};

/** The same with the labels as records, for lists with `with_labels_details`. */
export const epicWithLabelDetails = serializer<ListedEpic>(
  'EpicWithLabelDetails',
  { ...fields, labels: out.records(labelSummary, (epic, ctx) => labelsOfEpics.of(epic, ctx) ?? []) },
  { loads: [labelsInFull, parentsOfEpics, inheritedDates] },
);

/** A single epic, including whether the caller is subscribed. */
export const epicDetails = serializer<ListedEpic>(
  'EpicDetails',
  { ...fields, subscribed: out.boolean((epic, ctx) => subscriptionsToEpics.of(epic, ctx) ?? false) },
  { loads: [...epicLoads, subscriptionsToEpics] },
);
