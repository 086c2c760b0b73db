import { randomBytes } from 'node:crypto';
import type { Caller } from '../../core/callers.js';
import type { Context, RecordedEvent } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { toldNotesOf } from './told-notes.js';
import type { TOLD, ToldNote } from './told-notes.js';

type Told = RecordedEvent<(typeof TOLD)[number]>;

interface NewNote extends ToldNote {
  readonly ctx: Context<Caller>;
}

/** Writes what happened as notes of who did it, in the transaction of the change, each thread of its own. */
export async function writeSystemNotes(recorded: readonly Told[]): Promise<void> {
  const notes = recorded.flatMap(({ ctx, event }) => toldNotesOf(event).map((note): NewNote => ({ ctx, ...note })));
  const [first] = notes;
  if (!first) return;
  const column = <V>(read: (note: NewNote) => V | undefined): (V | null)[] => notes.map((note) => read(note) ?? null);
  await first.ctx.query(sql`
    insert into notes (project_id, namespace_id, issue_id, merge_request_id, epic_id, discussion_id, note, author_id,
                       system, action, referenced_issue_id, referenced_merge_request_id, referenced_epic_id,
                       referenced_project_id, created_at, updated_at)
    select u.project_id, u.namespace_id, u.issue_id, u.merge_request_id, u.epic_id, u.discussion_id, u.note, u.author_id,
           true, u.action, u.referenced_issue_id, u.referenced_merge_request_id, u.referenced_epic_id,
           u.referenced_project_id, u.created_at, u.created_at
      from unnest(${column(({ on }) => on.project_id)}::bigint[], ${column(({ on }) => on.namespace_id)}::bigint[],
                  ${column(({ on }) => on.issue_id)}::bigint[], ${column(({ on }) => on.merge_request_id)}::bigint[],
                  ${column(({ on }) => on.epic_id)}::bigint[],
                  ${column(() => randomBytes(20).toString('hex'))}::text[], ${column(({ text }) => text)}::text[],
                  ${column(({ ctx }) => (ctx.caller.kind === 'user' ? ctx.caller.id : null))}::bigint[],
                  ${column(({ action }) => action)}::text[],
                  ${column(({ about }) => about?.issue_id)}::bigint[],
                  ${column(({ about }) => about?.merge_request_id)}::bigint[],
                  ${column(({ about }) => about?.epic_id)}::bigint[],
                  ${column(({ about }) => about?.code_of)}::bigint[],
                  ${column(({ ctx }) => ctx.clock.now())}::timestamptz[]) with ordinality
        as u (project_id, namespace_id, issue_id, merge_request_id, epic_id, discussion_id, note, author_id, action,
              referenced_issue_id, referenced_merge_request_id, referenced_epic_id, referenced_project_id, created_at,
              position)
     order by u.position`);
}
