import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { NotFound } from '../../core/values/errors.js';
import { countUpTo, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { load } from '../../core/context/loads.js';
import type { Noteable } from '../noteables/noteable.js';
import {
  ofActivity,
  openNotes,
  queryOfNotes,
  referencesIn,
  seesReferenced,
  visibleNotesOf,
} from '../notes/visible-notes.js';
import { selectNotes } from '../notes/note.finder.js';
import type { NoteRow } from '../notes/note.finder.js';
import { onNotes } from '../noteables/on-notes.js';
import type { OfNotes } from '../noteables/on-notes.js';
import { suggestionsOfNotes } from '../notes/note.serializer.js';
import type { DiscussionRecord, NoteRecord } from '../notes/note.entity.js';

const MOST_COUNTED = 100_000;

/** The selected columns of the first note `d` of a thread. */
type OfThreads = { d: Omit<DiscussionRecord, 'noteable'> };
const onThreads = expressionBuilder<OfThreads, 'd'>();

/**
 * The threads of a record, as far as the caller may read their notes; single comments are threads of their own. Ordered
 * by their first notes.
 */
export async function findDiscussions(
  ctx: Context,
  noteable: Noteable,
  where: readonly Expression<SqlBool>[] = [],
): Promise<List<DiscussionRecord>> {
  const visible = await visibleNotesOf(ctx, noteable);
  const first = expressionBuilder<OfNotes>()
    .selectFrom('notes as n')
    .distinctOn('n.discussion_id')
    .select(['n.discussion_id', 'n.id', 'n.type', 'n.created_at'])
    .where(onNotes.and([visible, ...where]))
    .orderBy('n.discussion_id')
    .orderBy('n.created_at')
    .orderBy('n.id')
    .as('d');
  return {
    matching: expressionBuilder<OfNotes>().selectFrom(first),
    select: (query: SelectQueryBuilder<OfThreads, 'd', object>) =>
      query.select(['d.discussion_id', 'd.id', 'd.type', 'd.created_at']),
    order: [
      {
        key: 'created_at',
        expression: onThreads.ref('d.created_at'),
        direction: 'asc',
        type: 'instant',
        value: (discussion) => discussion.created_at,
      },
      {
        key: 'id',
        expression: onThreads.ref('d.id'),
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
  countUpTo(ctx, await findDiscussions(ctx, noteable, ofActivity('only_comments')), MOST_COUNTED);

const isId = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

/** A thread of a record. @throws NotFound "404 Discussion Not Found", also for a malformed id */
export async function findDiscussion(ctx: Context, noteable: Noteable, id: string): Promise<DiscussionRecord> {
  const [found] = isId(id)
    ? await readAll(ctx, await findDiscussions(ctx, noteable, [onNotes('n.discussion_id', '=', id)]))
    : [];
  if (!found) throw new NotFound('Discussion');
  return found;
}

interface Ids {
  readonly ids: readonly string[];
}

/** Notes `n` of threads, in their order (discussions-and-notes.md section 3.3). */
const notesIn = (
  db: Kysely<OfNotes>,
  ids: Expression<readonly string[]> | readonly string[],
  open: Expression<SqlBool>,
) =>
  selectNotes(db.selectFrom('notes as n'))
    .where('n.discussion_id', '=', anyOf(ids, 'text'))
    .where(open)
    .orderBy('n.created_at')
    .orderBy('n.id');

const findNotes = queryOfNotes<Ids, NoteRow>((db, { open }, { ids }) => notesIn(db, ids, open));

/** The notes of threads of a record that the caller may read, in their order. */
async function readNotes(ctx: Context, noteable: Noteable, ids: readonly string[]): Promise<NoteRow[]> {
  const kinds = await referencesIn(ctx, noteable);
  if (kinds.length === 0) return findNotes(ctx, noteable, { ids });
  const open = onNotes.and([openNotes(ctx, noteable), seesReferenced(ctx, kinds)]);
  return notesIn(ctx.em.getKysely<OfNotes>(), ids, open).execute();
}

/** The notes of threads that the caller may read, in their order. */
export const notesOfDiscussions = load(
  (discussion: Readonly<DiscussionRecord>) => discussion.discussion_id,
  async (ctx, discussions): Promise<Map<string, NoteRecord[]>> => {
    const byNoteable = Map.groupBy(discussions, ({ noteable }) => noteable);
    const pages = await Promise.all(
      [...byNoteable].map(async ([noteable, own]) => {
        const ids = own.map(({ discussion_id: id }) => id);
        const rows = await readNotes(ctx, noteable, ids);
        return rows.map((row): NoteRecord => ({ ...row, noteable }));
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
