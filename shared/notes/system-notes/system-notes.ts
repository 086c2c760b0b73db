import { randomBytes } from 'node:crypto';
import type { Caller } from '../../core/callers.js';
import type { Context, RecordedEvent } from '../../core/context.js';
import type { DomainEvent } from '../../core/events.js';
import { sql } from '../../core/sql.js';
import type { NamedIssue } from '../../planning/planning.events.js';
import { noteOfChange } from './change-texts.js';
import type { SystemNote } from './change-texts.js';

/** What system notes tell of. */
export const TOLD = [
  'issue.changed',
  'issue.moved',
  'issue.cloned',
  'issue.mentioned',
  'issue_link.created',
  'issue_link.deleted',
] as const;

type Told = RecordedEvent<(typeof TOLD)[number]>;

interface NewNote extends SystemNote {
  readonly ctx: Context<Caller>;
  readonly on: NamedIssue;
  /** The issue that it speaks of. */
  readonly about?: NamedIssue;
  /** The project of a commit that it speaks of. */
  readonly code_of?: number;
}

/** An issue as another one names it: `#1`, across projects `group/project#1` (issue-links.md section 4.9). */
const referenceTo = ({ issue, project }: NamedIssue, from: NamedIssue): string =>
  `${project.id === from.project.id ? '' : project.full_path}#${issue.iid}`;

/** The same as told on both sides. */
const onBoth = (
  [one, other]: readonly [NamedIssue, NamedIssue],
  action: string,
  [ofOne, ofOther]: readonly [string, string],
) => [
  { on: one, about: other, action, text: `${ofOne} ${referenceTo(other, one)}` },
  { on: other, about: one, action, text: `${ofOther} ${referenceTo(one, other)}` },
];

const LINKED = {
  relates_to: ['marked this issue as related to', 'marked this issue as related to'],
  blocks: ['marked this issue as blocking', 'marked this issue as blocked by'],
} as const;

/** That an issue or the message of a commit refers to an issue, as told on that one. */
function mention({ target, source }: DomainEvent<'issue.mentioned'>): Omit<NewNote, 'ctx'> {
  const action = 'cross_reference';
  if ('issue' in source)
    return { on: target, about: source, action, text: `mentioned in issue ${referenceTo(source, target)}` };
  const from = source.project.id === target.project.id ? '' : `${source.project.full_path}@`;
  return { on: target, code_of: source.project.id, action, text: `mentioned in commit ${from}${source.commit}` };
}

function notesOf(event: Told['event']): Omit<NewNote, 'ctx'>[] {
  switch (event.type) {
    case 'issue.changed':
      return event.changes.flatMap((change) => {
        const note = noteOfChange(change, 'issue');
        return note ? [{ on: event, ...note }] : [];
      });
    case 'issue.moved':
      return onBoth([event.from, event.to], 'moved', ['moved to', 'moved from']);
    case 'issue.cloned':
      return onBoth([event.from, event.to], 'cloned', ['cloned to', 'cloned from']);
    case 'issue.mentioned':
      return [mention(event)];
    case 'issue_link.created':
      return onBoth([event.source, event.target], 'relate', LINKED[event.link_type]);
    case 'issue_link.deleted':
      return onBoth([event.source, event.target], 'unrelate', [
        'removed the relation with',
        'removed the relation with',
      ]);
  }
}

/** Writes what happened as notes of who did it, in the transaction of the change, each thread of its own. */
export async function writeSystemNotes(recorded: readonly Told[]): Promise<void> {
  const notes = recorded.flatMap(({ ctx, event }) => notesOf(event).map((note): NewNote => ({ ctx, ...note })));
  const [first] = notes;
  if (!first) return;
  const column = <V>(read: (note: NewNote) => V): V[] => notes.map(read);
  await first.ctx.query(sql`
    insert into notes (project_id, issue_id, discussion_id, note, author_id, system, action, referenced_issue_id,
                       referenced_project_id, created_at, updated_at)
    select u.project_id, u.issue_id, u.discussion_id, u.note, u.author_id, true, u.action, u.referenced_issue_id,
           u.referenced_project_id, u.created_at, u.created_at
      from unnest(${column(({ on }) => on.project.id)}::bigint[], ${column(({ on }) => on.issue.id)}::bigint[],
                  ${column(() => randomBytes(20).toString('hex'))}::text[], ${column(({ text }) => text)}::text[],
                  ${column(({ ctx }) => (ctx.caller.kind === 'user' ? ctx.caller.id : null))}::bigint[],
                  ${column(({ action }) => action)}::text[],
                  ${column(({ about }) => about?.issue.id ?? null)}::bigint[],
                  ${column(({ code_of: id }) => id ?? null)}::bigint[],
                  ${column(({ ctx }) => ctx.clock.now())}::timestamptz[]) with ordinality
        as u (project_id, issue_id, discussion_id, note, author_id, action, referenced_issue_id,
              referenced_project_id, created_at, position)
     order by u.position`);
}
