import type { Caller } from '../../core/callers.js';
import type { Context, RecordedEvent } from '../../core/context.js';
import { join, raw, sql } from '../../core/sql.js';
import type { IssuableChange } from '../issuables/issuable-changes.js';

type IssueEvent = RecordedEvent<'issue.created' | 'issue.changed'>;

/** A column of rows that are written together: its name, its type in the database, and the values. */
type Column = readonly [name: string, type: string, values: readonly unknown[]];

interface Happened<A extends IssuableChange['attribute']> {
  readonly ctx: Context<Caller>;
  readonly issue: IssueEvent['event']['issue'];
  readonly change: Extract<IssuableChange, { attribute: A }>;
}

/** The changes of one attribute, in the order in which they happened. */
const changesOf = <A extends IssuableChange['attribute']>(recorded: readonly IssueEvent[], attribute: A) =>
  recorded.flatMap(({ ctx, event: { issue, changes } }) =>
    changes.flatMap((change) => (change.attribute === attribute ? [{ ctx, issue, change } as Happened<A>] : [])),
  );

const userOf = ({ caller }: Context<Caller>): number | null => (caller.kind === 'user' ? caller.id : null);

/** Writes rows of one table by one statement; the order of ids is theirs. */
async function insertEvents(
  table: string,
  happened: readonly Pick<Happened<'state'>, 'ctx' | 'issue'>[],
  own: readonly Column[],
): Promise<void> {
  const [first] = happened;
  if (!first) return;
  const all: readonly Column[] = [
    ['project_id', 'bigint', happened.map(({ issue }) => issue.project_id)],
    ['issue_id', 'bigint', happened.map(({ issue }) => issue.id)],
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
    insert into ${raw(table)} (${names})
    select ${names} from unnest(${arrays}) with ordinality as u (${names}, position) order by u.position`);
}

/**
 * Keeps what changed about issues, each change once (discussions-and-notes.md section 8): state, labels, milestone and
 * weight are told by events, all else by system notes. What an issue is made with is told as well, but its state.
 */
export async function recordResourceEvents(recorded: readonly IssueEvent[]): Promise<void> {
  const states = changesOf(recorded, 'state');
  await insertEvents('issue_state_events', states, [
    ['state', 'text', states.map(({ change }) => change.to)],
    ['source_commit', 'text', states.map(({ change }) => change.commit ?? null)],
  ]);

  const labels = changesOf(recorded, 'labels').flatMap(({ change: { added, removed }, ...happened }) => [
    ...added.map(({ id }) => ({ ...happened, id, action: 'add' })),
    ...removed.map(({ id }) => ({ ...happened, id, action: 'remove' })),
  ]);
  await insertEvents('issue_label_events', labels, [
    ['label_id', 'bigint', labels.map(({ id }) => id)],
    ['action', 'text', labels.map(({ action }) => action)],
  ]);

  const milestones = changesOf(recorded, 'milestone');
  await insertEvents('issue_milestone_events', milestones, [
    ['milestone_id', 'bigint', milestones.map(({ change: { from, to } }) => (to ?? from)?.id ?? null)],
    ['action', 'text', milestones.map(({ change: { to } }) => (to ? 'add' : 'remove'))],
    ['state', 'text', milestones.map(({ issue }) => issue.state)],
  ]);

  const weights = changesOf(recorded, 'weight');
  await insertEvents('issue_weight_events', weights, [['weight', 'integer', weights.map(({ change }) => change.to)]]);
}
