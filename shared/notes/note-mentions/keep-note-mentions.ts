import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { MergeRequestRecord } from '../../merge-requests/merge-requests/merge-request.record.js';
import type { EpicRecord } from '../../planning/epics/epic.record.js';
import { noteCrossReferences } from '../../planning/issue-mentions/cross-references.js';
import type { MentioningSource } from '../../planning/issue-mentions/cross-references.js';
import type { IssueRecord } from '../../planning/issues/issue.record.js';
import type { Noteable } from '../noteables/noteable.js';
import type { NoteRecord } from '../notes/note.record.js';

/** References of one note that are looked at. */
const MOST = 100;

const KINDS: ReadonlySet<string> = new Set(['project_member', 'issue']);

/** Whether a text may refer to anybody or anything at all. */
const mayMention = (text: string) => /[#@]|\/-\//.test(text);

async function storeUsers(ctx: Context, { id, project_id, namespace_id }: NoteRecord, userIds: readonly number[]) {
  await ctx.query(sql`
    with gone as (
      delete from note_mentions where note_id = ${id} and user_id <> all(${userIds}::bigint[]))
    insert into note_mentions (project_id, namespace_id, note_id, user_id)
    select ${project_id ?? null}::bigint, ${namespace_id ?? null}::bigint, ${id}, u.id from unnest(${userIds}::bigint[]) as u (id)
    on conflict do nothing`);
}

/** What mentions issues by a note: that which it is about. */
function sourceOf({ type, container, record, sha }: Noteable): MentioningSource | null {
  if (container.kind === 'group')
    return type.kind === 'epic' ? { epic: record as EpicRecord, group: container.record } : null;
  const project = container.record;
  if (type.kind === 'issue') return { issue: record as IssueRecord, project };
  if (type.kind === 'merge_request') return { merge_request: record as MergeRequestRecord, project };
  return sha === null ? null : { commit: sha, project };
}

/** Tells of issues that a note names, on those; what an internal note names is told to nobody. */
async function tellIssues(ctx: Context, { internal, noteable }: NoteRecord, ids: readonly number[]): Promise<void> {
  if (internal || ids.length === 0) return;
  const source = sourceOf(noteable);
  if (source) await noteCrossReferences(ctx, source, ids);
}

/**
 * Keeps whom a note names, who take part by it, and tells the issues that it names: as far as the caller, who wrote it,
 * sees them. Of a note that named others before, only users are forgotten.
 */
export async function keepMentionsOf(ctx: Context, note: NoteRecord, isNew: boolean): Promise<void> {
  if (!mayMention(note.note)) {
    if (!isNew) await storeUsers(ctx, note, []);
    return;
  }
  const { kind, id } = note.noteable.container;
  const text = { written: note.note, form: 'text', place: { kind, id } } as const;
  const found = await ctx.services.markdown.linksOf(ctx, [text], KINDS, MOST);
  const idsOf = (name: string) => [
    ...new Set(found.flatMap(({ link }) => (typeof link.data?.[name] === 'number' ? [link.data[name]] : []))),
  ];
  const users = idsOf('user');
  if (users.length > 0 || !isNew) await storeUsers(ctx, note, users);
  await tellIssues(ctx, note, idsOf('issue'));
}
