import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { noteCrossReferences } from '../../planning/issue-mentions/cross-references.js';
import type { IssueRecord } from '../../planning/issues/issue.record.js';
import type { NoteRecord } from '../notes/note.record.js';

/** References of one note that are looked at. */
const MOST = 100;

const KINDS: ReadonlySet<string> = new Set(['project_member', 'issue']);

/** Whether a text may refer to anybody or anything at all. */
const mayMention = (text: string) => /[#@]|\/-\//.test(text);

async function storeUsers(ctx: Context, { id, project_id: projectId }: NoteRecord, userIds: readonly number[]) {
  await ctx.query(sql`
    with gone as (
      delete from note_mentions where note_id = ${id} and user_id <> all(${userIds}::bigint[]))
    insert into note_mentions (project_id, note_id, user_id)
    select ${projectId}, ${id}, u.id from unnest(${userIds}::bigint[]) as u (id)
    on conflict do nothing`);
}

/** Tells of issues that a note names, on those; what an internal note names is told to nobody. */
async function tellIssues(ctx: Context, { internal, noteable }: NoteRecord, ids: readonly number[]): Promise<void> {
  const { container } = noteable;
  if (internal || container.kind !== 'project') return;
  const project = container.record;
  if (noteable.type.kind === 'issue')
    await noteCrossReferences(ctx, { issue: noteable.record as IssueRecord, project }, ids);
  else if (noteable.sha !== null) await noteCrossReferences(ctx, { commit: noteable.sha, project }, ids);
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
