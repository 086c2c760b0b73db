import { isPrincipal } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { allOf, unnested } from '../../core/database/expressions.js';
import type { MergeRequestRecord } from '../../merge-requests/merge-requests/merge-request.entity.js';
import type { EpicRecord } from '../../planning/epics/epic.entity.js';
import { noteCrossReferences } from '../../planning/issue-links/cross-references.js';
import type { MentioningSource } from '../../planning/issue-links/cross-references.js';
import type { IssueRecord } from '../../planning/issues/issue.entity.js';
import type { Noteable } from '../noteables/noteable.js';
import type { NotesDatabase } from '../notes.entities.js';
import type { NoteRecord } from '../notes/note.entity.js';
import { keepNoteMentions } from '../notes.jobs.js';

/** Longer notes are scanned by a job so that they do not delay the transaction. */
const SHORT = 16 * 1024;

/** Maximum number of references read per note. */
const MOST = 100;

const KINDS: ReadonlySet<string> = new Set(['project_member', 'issue']);

/** Whether a text can contain mentions or references at all. */
const mayMention = (text: string) => /[#@]|\/-\//.test(text);

async function storeUsers(ctx: Context, { id, project_id, namespace_id }: NoteRecord, userIds: readonly number[]) {
  await ctx.em
    .getKysely<NotesDatabase>()
    .with('gone', (db) =>
      db.deleteFrom('note_mentions').where('note_id', '=', id).where('user_id', '<>', allOf(userIds, 'bigint')),
    )
    .insertInto('note_mentions')
    .columns(['project_id', 'namespace_id', 'note_id', 'user_id'])
    .expression((eb) =>
      eb
        .selectFrom(unnested(userIds, 'bigint').as('u'))
        .select([
          eb.cast<number | null>(eb.val(project_id ?? null), 'bigint').as('project_id'),
          eb.cast<number | null>(eb.val(namespace_id ?? null), 'bigint').as('namespace_id'),
          eb.cast<number>(eb.val(id), 'bigint').as('note_id'),
          'u.value as user_id',
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What mentions issues by a note: that which it is about. */
function getSource({ type, container, record, sha }: Noteable): MentioningSource | null {
  if (container.kind === 'group')
    return type.kind === 'epic' ? { epic: record as EpicRecord, group: container.record } : null;
  const project = container.record;
  if (type.kind === 'issue') return { issue: record as IssueRecord, project };
  if (type.kind === 'merge_request') return { merge_request: record as MergeRequestRecord, project };
  return sha === null ? null : { commit: sha, project };
}

/** Adds cross-references to the issues mentioned in a note; mentions in internal notes are not recorded. */
async function mentionIssues(ctx: Context, { internal, noteable }: NoteRecord, ids: readonly number[]): Promise<void> {
  if (internal || ids.length === 0) return;
  const source = getSource(noteable);
  if (source) await noteCrossReferences(ctx, source, ids);
}

/**
 * Stores the users mentioned in a note, who become participants, and adds cross-references to the mentioned issues:
 * those visible to the caller, who wrote the note. For removed mentions, only those of users are deleted.
 */
export async function keepMentionsOf(ctx: Context, note: NoteRecord, isNew: boolean): Promise<void> {
  if (!mayMention(note.note)) {
    if (!isNew) await storeUsers(ctx, note, []);
    return;
  }
  const { kind, id } = note.noteable.container;
  const text = { written: note.note, form: 'text', container: { kind, id } } as const;
  const found = await ctx.services.markdown.linksOf(ctx, [text], KINDS, MOST);
  const getIds = (name: string) => [
    ...new Set(found.flatMap(({ link }) => (typeof link.data?.[name] === 'number' ? [link.data[name]] : []))),
  ];
  const users = getIds('user');
  if (users.length > 0 || !isNew) await storeUsers(ctx, note, users);
  await mentionIssues(ctx, note, getIds('issue'));
}

/** Scans the current text of notes for mentioned users and issues. */
export async function updateNoteMentions(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'note.created' | 'note.updated'>[],
): Promise<void> {
  if (isPrincipal(ctx.caller)) return;
  for (const { type, note } of events)
    if (note.note.length <= SHORT) await keepMentionsOf(ctx as Context, note, type === 'note.created');
    else await ctx.jobs.send(keepNoteMentions, { note_id: note.id, user_id: ctx.caller.id });
}
