import type { Caller } from '../../core/callers.js';
import type { Context, RecordedEvent } from '../../core/context.js';
import { join, raw, sql } from '../../core/sql.js';
import type { IssuableChange } from '../issuables/issuable-changes.js';
import { epicType, issueType, placeIdOf } from '../issuables/issuable-type.js';
import type { IssuableType, LabelledRef, LabelledType } from '../issuables/issuable-type.js';

/** A change of a record, with who made it: what a kind's own events are turned into. */
export interface RecordedChange<C extends IssuableChange = IssuableChange> {
  readonly ctx: Context<Caller>;
  readonly record: LabelledRef & { readonly state: string };
  readonly change: C;
}

/** A column of rows that are written together: its name, its type in the database, and the values. */
type Column = readonly [name: string, type: string, values: readonly unknown[]];

type Happened<A extends IssuableChange['attribute']> = RecordedChange<Extract<IssuableChange, { attribute: A }>>;

/** The changes of one attribute, in the order in which they happened. */
const changesOf = <A extends IssuableChange['attribute']>(recorded: readonly RecordedChange[], attribute: A) =>
  recorded.filter((one): one is Happened<A> => one.change.attribute === attribute);

const userOf = ({ caller }: Context<Caller>): number | null => (caller.kind === 'user' ? caller.id : null);

/** Writes rows of one table by one statement; the order of ids is theirs. */
async function insertEvents(
  { kind, column, place }: LabelledType,
  attribute: 'state' | 'label' | 'milestone' | 'weight',
  happened: readonly Pick<RecordedChange, 'ctx' | 'record'>[],
  own: readonly Column[],
): Promise<void> {
  const [first] = happened;
  if (!first) return;
  const all: readonly Column[] = [
    [place.sql, 'bigint', happened.map(({ record }) => placeIdOf(record))],
    [column.sql, 'bigint', happened.map(({ record }) => record.id)],
    ['user_id', 'bigint', happened.map(({ ctx }) => userOf(ctx))],
    ['created_at', 'timestamptz', happened.map(({ ctx }) => ctx.clock.now())],
    ...own,
  ];
  const arrays = join(
    all.map(([, type, values]) => sql`${values}::${raw(type)}[]`),
    ', ',
  );
  const names = raw(all.map(([name]) => name).join(', '));
  await first.ctx.query(sql`
    insert into ${raw(`${kind}_${attribute}_events`)} (${names})
    select ${names} from unnest(${arrays}) with ordinality as u (${names}, position) order by u.position`);
}

async function insertLabelEvents(type: LabelledType, recorded: readonly RecordedChange[]): Promise<void> {
  const labels = changesOf(recorded, 'labels').flatMap(({ change: { added, removed }, ...happened }) => [
    ...added.map(({ id }) => ({ ...happened, id, action: 'add' })),
    ...removed.map(({ id }) => ({ ...happened, id, action: 'remove' })),
  ]);
  await insertEvents(type, 'label', labels, [
    ['label_id', 'bigint', labels.map(({ id }) => id)],
    ['action', 'text', labels.map(({ action }) => action)],
  ]);
}

/**
 * Keeps what changed about records of a kind, each change once (discussions-and-notes.md section 8): state, labels, milestone and
 * weight are told by events, all else by system notes. What one is made with is told as well, but its state.
 */
export async function insertResourceEvents(type: IssuableType, recorded: readonly RecordedChange[]): Promise<void> {
  const states = changesOf(recorded, 'state');
  await insertEvents(type, 'state', states, [
    ['state', 'text', states.map(({ change }) => change.to)],
    ['source_commit', 'text', states.map(({ change }) => change.commit ?? null)],
  ]);

  await insertLabelEvents(type, recorded);

  const milestones = changesOf(recorded, 'milestone');
  await insertEvents(type, 'milestone', milestones, [
    ['milestone_id', 'bigint', milestones.map(({ change: { from, to } }) => (to ?? from)?.id ?? null)],
    ['action', 'text', milestones.map(({ change: { to } }) => (to ? 'add' : 'remove'))],
    ['state', 'text', milestones.map(({ record }) => record.state)],
  ]);

  const weights = changesOf(recorded, 'weight');
  await insertEvents(type, 'weight', weights, [['weight', 'integer', weights.map(({ change }) => change.to)]]);
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

/** The same of epics, of which events tell state and labels. */
export async function recordEpicEvents(
  events: readonly RecordedEvent<'epic.created' | 'epic.changed'>[],
): Promise<void> {
  const recorded = events.flatMap(({ ctx, event: { epic, changes } }) =>
    changes.flatMap((change): RecordedChange[] =>
      change.attribute === 'state' || change.attribute === 'labels' ? [{ ctx, record: epic, change }] : [],
    ),
  );
  const states = changesOf(recorded, 'state');
  await insertEvents(epicType, 'state', states, [['state', 'text', states.map(({ change }) => change.to)]]);
  await insertLabelEvents(epicType, recorded);
}
