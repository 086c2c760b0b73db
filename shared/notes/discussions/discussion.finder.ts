import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { countUpTo, readAll } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { load } from '../../core/loads.js';
import { and, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { Noteable } from '../noteables/noteable.js';
import { ofActivity } from '../notes/note.filters.js';
import { noteColumns, noteTables, visibleNotesOf } from '../notes/note.finder.js';
import { suggestionsOfNotes } from '../notes/suggestion.loads.js';
import type { DiscussionRecord, NoteRecord } from '../notes/note.record.js';

const MOST_COUNTED = 100_000;

/** Inside a thread, and between the first notes of threads (discussions-and-notes.md section 3.3). */
const IN_ORDER = sql`n.created_at, n.id`;

/**
 * The threads of a record, as far as the caller may read their notes; single comments are threads of their own. Ordered
 * by their first notes.
 */
export async function discussionsOf(
  ctx: Context,
  noteable: Noteable,
  where: readonly Fragment[] = [],
): Promise<TextList<DiscussionRecord>> {
  const first = sql`(
    select distinct on (n.discussion_id) n.discussion_id, n.id, n.type, n.created_at
      from notes n where ${and([await visibleNotesOf(ctx, noteable), ...where])}
     order by n.discussion_id, ${IN_ORDER}) d`;
  return {
    select: sql`d.discussion_id as "discussion_id", d.id as "id", d.type as "type", d.created_at as "created_at"`,
    from: first,
    where: [],
    order: [
      {
        key: 'created_at',
        expression: sql`d.created_at`,
        direction: 'asc',
        type: 'instant',
        value: (discussion) => discussion.created_at,
      },
      {
        key: 'id',
        expression: sql`d.id`,
        direction: 'asc',
        type: 'integer',
        value: (discussion) => discussion.id,
      },
    ],
    read: (row) => ({ ...row, noteable }),
  };
}

/** How many threads of a record people began or answered, of those that the caller may read; at most {@link MOST_COUNTED}. */
export const countUserDiscussions = async (ctx: Context, noteable: Noteable): Promise<number> =>
  countUpTo(ctx, await discussionsOf(ctx, noteable, ofActivity('only_comments')), MOST_COUNTED);

const isId = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

/** A thread of a record. @throws NotFound "404 Discussion Not Found", also for what is no id at all */
export async function findDiscussion(ctx: Context, noteable: Noteable, id: string): Promise<DiscussionRecord> {
  const [found] = isId(id)
    ? await readAll(ctx, await discussionsOf(ctx, noteable, [sql`n.discussion_id = ${id}`]))
    : [];
  if (!found) throw new NotFound('Discussion');
  return found;
}

/** The notes of threads that the caller may read, in their order. */
export const notesOfDiscussions = load(
  (discussion: Readonly<DiscussionRecord>) => discussion.discussion_id,
  async (ctx, discussions): Promise<Map<string, NoteRecord[]>> => {
    const byNoteable = Map.groupBy(discussions, ({ noteable }) => noteable);
    const pages = await Promise.all(
      [...byNoteable].map(async ([noteable, own]) => {
        const ids = own.map(({ discussion_id: id }) => id);
        const visible = await visibleNotesOf(ctx, noteable);
        const rows = await ctx.query<NoteRecord>(sql`
          select ${noteColumns} from ${noteTables}
           where n.discussion_id = any(${ids}::text[]) and ${visible} order by ${IN_ORDER}`);
        return rows.map((row) => ({ ...row, noteable }));
      }),
    );
    const notes = pages.flat();
    await suggestionsOfNotes.fill(ctx, notes);
    return Map.groupBy(notes, (note) => note.discussion_id);
  },
);

/** The notes of one thread. */
export async function notesOfDiscussion(ctx: Context, discussion: DiscussionRecord): Promise<readonly NoteRecord[]> {
  await notesOfDiscussions.fill(ctx, [discussion]);
  return notesOfDiscussions.of(discussion, ctx) ?? [];
}
