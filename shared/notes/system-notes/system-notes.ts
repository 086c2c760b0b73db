import { randomBytes } from 'node:crypto';
import type { Caller } from '../../core/context/callers.js';
import type { Context, RecordedEvent } from '../../core/context/context.js';
import { unnestedRows } from '../../core/database/expressions.js';
import type { NotesDatabase } from '../notes.entities.js';
import { notesOfEvent } from './event-notes.js';
import type { NOTED_EVENTS, EventNote } from './event-notes.js';

type RecordedNotedEvent = RecordedEvent<(typeof NOTED_EVENTS)[number]>;

interface NewNote extends EventNote {
  readonly ctx: Context<Caller>;
}

const TYPES = {
  project_id: 'bigint',
  namespace_id: 'bigint',
  issue_id: 'bigint',
  merge_request_id: 'bigint',
  epic_id: 'bigint',
  discussion_id: 'text',
  note: 'text',
  author_id: 'bigint',
  action: 'text',
  referenced_issue_id: 'bigint',
  referenced_merge_request_id: 'bigint',
  referenced_epic_id: 'bigint',
  referenced_project_id: 'bigint',
  created_at: 'timestamptz',
} as const;
const COLUMNS = Object.keys(TYPES) as (keyof typeof TYPES)[];

/** Writes what happened as notes of who did it, in the transaction of the change, each thread of its own. */
export async function writeSystemNotes(recorded: readonly RecordedNotedEvent[]): Promise<void> {
  const notes = recorded.flatMap(({ ctx, event }) => notesOfEvent(event).map((note): NewNote => ({ ctx, ...note })));
  const [first] = notes;
  if (!first) return;
  const rows = notes.map(({ ctx, on, text, action, about }) => ({
    project_id: on.project_id ?? null,
    namespace_id: on.namespace_id ?? null,
    issue_id: on.issue_id ?? null,
    merge_request_id: on.merge_request_id ?? null,
    epic_id: on.epic_id ?? null,
    discussion_id: randomBytes(20).toString('hex'),
    note: text,
    author_id: ctx.caller.kind === 'user' ? ctx.caller.id : null,
    action,
    referenced_issue_id: about?.issue_id ?? null,
    referenced_merge_request_id: about?.merge_request_id ?? null,
    referenced_epic_id: about?.epic_id ?? null,
    referenced_project_id: about?.code_of ?? null,
    created_at: ctx.clock.now(),
  }));
  await first.ctx.em
    .getKysely<NotesDatabase>()
    .insertInto('notes')
    .columns([...COLUMNS, 'system', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(rows, TYPES).withPositionAs('u'))
        .select([
          ...COLUMNS.map((name) => `u.${name}` as const),
          eb.lit(true).as('system'),
          'u.created_at as updated_at',
        ])
        .orderBy('u.position'),
    )
    .execute();
}
