import type { Caller } from '../../core/context/callers.js';
import type { Context, RecordedEvent } from '../../core/context/context.js';
import { unnestedRows } from '../../core/database/expressions.js';
import type { IssuableChange } from '../issuables/issuable-changes.js';
import { epicType, issueType, getContainerId } from '../issuables/issuable-type.js';
import type { IssuableType, LabelledRef, LabelledType } from '../issuables/issuable-type.js';
import type { PlanningDatabase } from '../planning.entities.js';

/** A change of a record and its author, derived from the events of its kind. */
export interface RecordedChange<C extends IssuableChange = IssuableChange> {
  readonly ctx: Context<Caller>;
  readonly record: LabelledRef & { readonly state: string };
  readonly change: C;
}

type Happened<A extends IssuableChange['attribute']> = RecordedChange<Extract<IssuableChange, { attribute: A }>>;

/** The changes of one attribute, in the order in which they happened. */
const getChanges = <A extends IssuableChange['attribute']>(recorded: readonly RecordedChange[], attribute: A) =>
  recorded.filter((one): one is Happened<A> => one.change.attribute === attribute);

const getUser = ({ caller }: Context<Caller>): number | null => (caller.kind === 'user' ? caller.id : null);

/** Columns common to events of all kinds, in addition to those that reference the record and its container. */
interface Written {
  readonly ctx: Context<Caller>;
  readonly record: LabelledRef;
}

const OWN_TYPES = {
  state: { state: 'text', source_commit: 'text' },
  label: { label_id: 'bigint', action: 'text' },
  milestone: { milestone_id: 'bigint', action: 'text', state: 'text' },
  weight: { weight: 'int' },
} as const;
type Attribute = keyof typeof OWN_TYPES;

/**
 * Inserts the rows of one table in a single statement; ids follow the order of the rows.
 * @param own the attribute-specific columns of an event; the same columns for each
 */
async function insertEvents<H extends Written>(
  { kind, tables: { container_id, record_id } }: LabelledType,
  attribute: Attribute,
  happened: readonly H[],
  own: (one: H) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const [first] = happened;
  if (!first) return;
  const rows = happened.map((one) => ({
    [container_id]: getContainerId(one.record),
    [record_id]: one.record.id,
    user_id: getUser(one.ctx),
    created_at: one.ctx.clock.now(),
    ...own(one),
  }));
  const ownTypes = Object.entries(OWN_TYPES[attribute]).filter(([name]) => name in own(first));
  const types = {
    [container_id]: 'bigint',
    [record_id]: 'bigint',
    user_id: 'bigint',
    created_at: 'timestamptz',
    ...Object.fromEntries(ownTypes),
  } as const;
  // The columns depend on the table, so those of one table are used as the type for all.
  const columns = Object.keys(types) as 'user_id'[];
  await first.ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto(`${kind}_${attribute}_events` as 'issue_state_events')
    .columns(columns)
    .expression((eb) =>
      eb
        .selectFrom(
          unnestedRows<{ user_id: number | null }, 'user_id'>(rows, types as { user_id: 'bigint' }).withPositionAs('u'),
        )
        .select(columns.map((name) => `u.${name}` as const))
        .orderBy('u.position'),
    )
    .execute();
}

async function insertLabelEvents(type: LabelledType, recorded: readonly RecordedChange[]): Promise<void> {
  const labels = getChanges(recorded, 'labels').flatMap(({ change: { added, removed }, ...happened }) => [
    ...added.map(({ id }) => ({ ...happened, id, action: 'add' })),
    ...removed.map(({ id }) => ({ ...happened, id, action: 'remove' })),
  ]);
  await insertEvents(type, 'label', labels, ({ id, action }) => ({ label_id: id, action }));
}

/**
 * Records changes to records of a kind, each once (discussions-and-notes.md section 8): state, labels, milestone and
 * weight as resource events, all others as system notes. Initial values are recorded as well, except for the state.
 */
export async function insertResourceEvents(type: IssuableType, recorded: readonly RecordedChange[]): Promise<void> {
  await insertEvents(type, 'state', getChanges(recorded, 'state'), ({ change }) => ({
    state: change.to,
    source_commit: change.commit ?? null,
  }));
  await insertLabelEvents(type, recorded);
  await insertEvents(type, 'milestone', getChanges(recorded, 'milestone'), ({ change: { from, to }, record }) => ({
    milestone_id: (to ?? from)?.id ?? null,
    action: to ? 'add' : 'remove',
    state: record.state,
  }));
  await insertEvents(type, 'weight', getChanges(recorded, 'weight'), ({ change }) => ({ weight: change.to }));
}

/** The same of issues, by their events. */
export const recordResourceEvents = (
  recorded: readonly RecordedEvent<'issue.created' | 'issue.changed'>[],
): Promise<void> =>
  insertResourceEvents(
    issueType,
    recorded.flatMap(({ ctx, event: { issue, changes } }) =>
      changes.map((change): RecordedChange => ({ ctx, record: issue, change })),
    ),
  );

/** The same for epics, which have events for state and labels. */
export async function recordEpicEvents(
  events: readonly RecordedEvent<'epic.created' | 'epic.changed'>[],
): Promise<void> {
  const recorded = events.flatMap(({ ctx, event: { epic, changes } }) =>
    changes.flatMap((change): RecordedChange[] =>
      change.attribute === 'state' || change.attribute === 'labels' ? [{ ctx, record: epic, change }] : [],
    ),
  );
  await insertEvents(epicType, 'state', getChanges(recorded, 'state'), ({ change }) => ({ state: change.to }));
  await insertLabelEvents(epicType, recorded);
}
