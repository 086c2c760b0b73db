import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { unnestedRows } from '../../core/database/expressions.js';
import { readBlob } from '../../git/index.js';
import { withGitAnswers } from '../../repositories/repositories/git-problems.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { NotesDatabase } from '../notes.entities.js';
import type { NoteRecord } from '../notes/note.entity.js';
import type { TextPosition } from '../notes/position.js';
import { Suggestion } from '../notes/suggestion.entity.js';
import { suggestionsIn } from './parse-suggestions.js';
import type { WrittenSuggestion } from './parse-suggestions.js';

/** Bytes of a file that suggestions are about. */
const MOST_BYTES = 1024 * 1024;

/** The lines of a text, each with its end. */
export const linesOfText = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

interface NewSuggestion extends WrittenSuggestion {
  readonly from_content: string;
}

/** The content that suggestions replace: the lines around the note's line that exist in the file. */
function withLines(lines: readonly string[], line: number, written: WrittenSuggestion): NewSuggestion {
  const lines_above = Math.min(written.lines_above, line - 1);
  const lines_below = Math.min(written.lines_below, lines.length - line);
  const from_content = lines.slice(line - 1 - lines_above, line + lines_below).join('');
  return { ...written, lines_above, lines_below, from_content };
}

/** The lines of the file that a note is attached to; empty if it is too large or binary. */
async function fileLines(ctx: Context<Caller>, projectId: number, position: TextPosition): Promise<string[]> {
  const repository = openRepository(ctx, { id: projectId });
  const { head_sha, new_path } = position;
  const blob = await withGitAnswers(() => readBlob(repository, head_sha, new_path, MOST_BYTES, 'leave'));
  const text = blob?.content.toString('utf8') ?? '';
  return text.includes('\0') ? [] : linesOfText(text);
}

/** The position of a note that suggestions can be made on: a line that a merge request has after its change. */
function getPosition({ noteable, position, outdated }: NoteRecord): (TextPosition & { new_line: number }) | null {
  if (noteable.type.kind !== 'merge_request' || outdated || position?.position_type !== 'text') return null;
  const { new_line: line } = position;
  return line === null ? null : { ...position, new_line: line };
}

/** Stores the suggestions of a note, replacing its previous ones; applied suggestions are retained. */
async function keepOf(ctx: Context<Caller>, note: NoteRecord, isNew: boolean): Promise<void> {
  const position = getPosition(note);
  const written = position && note.note.includes('suggestion') ? suggestionsIn(note.note) : [];
  if (!isNew && note.type === 'DiffNote')
    await ctx.em.nativeDelete(Suggestion, { note_id: note.id, applied_sha: null });
  if (!position || written.length === 0) return;
  const lines = await fileLines(ctx, note.noteable.container.id, position);
  if (lines.length < position.new_line) return;
  const all = written.map((one) => withLines(lines, position.new_line, one));
  const types = { lines_above: 'int', lines_below: 'int', from_content: 'text', content: 'text' } as const;
  await ctx.em
    .getKysely<NotesDatabase>()
    .insertInto('suggestions')
    .columns(['project_id', 'note_id', 'relative_order', 'lines_above', 'lines_below', 'from_content', 'to_content'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(all, types).withPositionAs('u'))
        .select((of) => [
          of.cast<number>(of.val(note.noteable.container.id), 'bigint').as('project_id'),
          of.cast<number>(of.val(note.id), 'bigint').as('note_id'),
          of('u.position', '-', of.lit(1)).as('relative_order'),
          'u.lines_above',
          'u.lines_below',
          'u.from_content',
          'u.content as to_content',
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Keeps what notes suggest now. */
export async function keepSuggestions(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'note.created' | 'note.updated'>[],
): Promise<void> {
  for (const { type, note } of events) if (note.type === 'DiffNote') await keepOf(ctx, note, type === 'note.created');
}
