import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import type { DiffLine, FileLines } from '../../repositories/commits/diff-lines.js';
import { lineAt } from '../../repositories/commits/diff-lines.js';
import type { NotesDatabase } from '../notes.entities.js';
import type { NoteDiffLine } from './note-diff-lines.entity.js';
import { NoteDiffLines } from './note-diff-lines.entity.js';
import type { DiscussionRecord, NoteRecord } from './note.entity.js';

/** Maximum number of lines displayed with a thread, including the one that it is attached to. */
const MOST_LINES = 16;
/** Maximum number of characters displayed per line. */
const MOST_CHARACTERS = 1000;

const toNoteLine = ({ type, old, new: now, text }: DiffLine): NoteDiffLine => ({
  type,
  old_line: type === 'new' ? null : old,
  new_line: type === 'old' ? null : now,
  text: text.slice(0, MOST_CHARACTERS).toWellFormed().replaceAll('\0', '\ufffd'),
});

/** The lines of a diff up to a given line: at most sixteen, and only those of its hunk. */
export function linesUpTo(fileLines: FileLines, before: number | null, after: number | null): NoteDiffLine[] {
  const last = lineAt(fileLines, before, after);
  const end = last ? fileLines.lines.indexOf(last) : -1;
  const lines = fileLines.lines.slice(Math.max(0, end + 1 - MOST_LINES), end + 1);
  // Where the numbers jump, another hunk ends.
  const isNextLine = (one: DiffLine, line: DiffLine) =>
    one.old + (one.type === 'new' ? 0 : 1) === line.old && one.new + (one.type === 'old' ? 0 : 1) === line.new;
  const start = lines.findLastIndex((line, at) => at > 0 && !isNextLine(lines[at - 1] as DiffLine, line));
  return lines.slice(Math.max(start, 0)).map(toNoteLine);
}

/** Stores the lines displayed with a diff thread. */
export async function keepDiffLines(ctx: Context, note: NoteRecord, lines: readonly NoteDiffLine[]): Promise<void> {
  if (lines.length === 0 || !note.project_id) return;
  await ctx.em.insert(NoteDiffLines, { project_id: note.project_id, note_id: note.id, lines });
}

/** Gives the lines of a note that is to be deleted to the next one of its thread, if there is one. */
export async function leaveDiffLines(ctx: Context, note: NoteRecord): Promise<void> {
  if (note.type !== 'DiffNote') return;
  await ctx.em
    .getKysely<NotesDatabase>()
    .updateTable('note_diff_lines as l')
    .from((eb) =>
      eb
        .selectFrom('notes as n')
        .select('n.id')
        .where('n.discussion_id', '=', note.discussion_id)
        .where('n.id', '<>', note.id)
        .orderBy('n.created_at')
        .orderBy('n.id')
        .limit(constant(1))
        .as('later'),
    )
    .set((eb) => ({ note_id: eb.ref('later.id') }))
    .where('l.note_id', '=', note.id)
    .execute();
}

interface ThreadLines {
  readonly discussion_id: string;
  readonly lines: readonly NoteDiffLine[];
}

const findLines = prepareQuery<NotesDatabase, { ids: readonly string[] }, ThreadLines>((db, { ids }) =>
  db
    .selectFrom('notes as n')
    .innerJoin('note_diff_lines as l', 'l.note_id', 'n.id')
    .select(['n.discussion_id', 'l.lines'])
    .where('n.discussion_id', '=', anyOf(ids, 'text')),
);

/** The diff lines displayed with threads (graphql.md section 5.5); other threads are not queried. */
export const diffLinesOfDiscussions = load(
  (discussion: Readonly<DiscussionRecord>) => discussion.discussion_id,
  async (ctx, discussions): Promise<Map<string, readonly NoteDiffLine[]>> => {
    const ids = discussions.filter(({ type }) => type === 'DiffNote').map(({ discussion_id: id }) => id);
    if (ids.length === 0) return new Map();
    const rows = await findLines(ctx, { ids });
    return new Map(rows.map(({ discussion_id: id, lines }) => [id, lines]));
  },
);
