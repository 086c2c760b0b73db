import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf } from '../../core/database/expressions.js';
import { BadParams, NotFound } from '../../core/values/errors.js';
import { integer, list, optional, text } from '../../core/operations/fields.js';
import { readAll } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import type { NotesDatabase } from '../notes.entities.js';
import { loadNoteable } from '../noteables/noteable-types.js';
import { Note } from '../notes/note.entity.js';
import type { NoteRecord } from '../notes/note.entity.js';
import { findNotes } from '../notes/note.finder.js';
import { notePolicy } from '../notes/note.policy.js';
import { onNotes } from '../noteables/on-notes.js';
import type { OfNotes } from '../noteables/on-notes.js';
import { applySuggestions } from './apply-suggestions.js';
import { Suggestion } from '../notes/suggestion.entity.js';
import type { SuggestionRecord } from '../notes/suggestion.serializer.js';

/** Suggestions that are applied together. */
const MOST = 100;

/** Notes with their records: those of the first note's merge request, and one note of another merge request, if any. */
async function notesOfTwo(ctx: Context, ids: readonly number[]): Promise<NoteRecord[]> {
  const rows: Note[] = await ctx.em
    .getKysely<OfNotes>()
    .selectFrom('notes as n')
    .select(columns(Note, 'n'))
    .where('n.id', '=', anyOf(ids, 'bigint'))
    .orderBy('n.id')
    .execute();
  const [first] = rows;
  if (!first) return [];
  const other = rows.find((row) => row.merge_request_id !== first.merge_request_id);
  const found: NoteRecord[] = [];
  for (const row of other ? [first, other] : [first]) {
    const own = rows.filter((one) => one.merge_request_id === row.merge_request_id).map(({ id }) => id);
    const noteable = await loadNoteable(ctx, row);
    const notes = await readAll(ctx, await findNotes(ctx, noteable, [onNotes('n.id', '=', anyOf(own, 'bigint'))]));
    // What they may not read is not there for the caller.
    if (notes.length < own.length) throw new NotFound();
    found.push(...notes);
  }
  return found;
}

/**
 * Suggestions with their notes, using a constant number of statements; their merge request is locked. If they belong to
 * several merge requests, those of two are returned: they cannot be applied together.
 * @throws NotFound with this message if one of them does not exist or is not visible to the caller
 */
async function findSuggestions(ctx: Context, ids: readonly number[], notFound: string): Promise<SuggestionRecord[]> {
  const rows: Suggestion[] = await ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom('suggestions as s')
    .select(columns(Suggestion, 's'))
    .where('s.id', '=', anyOf(ids, 'bigint'))
    .orderBy('s.id')
    .execute();
  if (rows.length === 0 || rows.length < new Set(ids).size) throw new NotFound(notFound);
  const notes = await notesOfTwo(
    ctx,
    rows.map((row) => row.note_id),
  ).catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound(notFound) : error;
  });
  const byId = new Map(notes.map((note) => [note.id, note]));
  return rows.flatMap((row) => {
    const note = byId.get(row.note_id);
    return note ? [{ ...row, note }] : [];
  });
}

const message = {
  commit_message: optional(text()).describe("Message of the commit; created from the project's template if omitted."),
};

const suggestion: Resource<SuggestionRecord> = {
  noun: 'Suggestion',
  params: { id: integer().describe('ID of the suggestion.') },
  async find(ctx, { id }: { id: number }) {
    const [found] = await findSuggestions(ctx, [id], 'Suggestion is not applicable as the suggestion was not found.');
    return found as SuggestionRecord;
  },
};

/** Apply a suggestion: callers who can push to the source branch of its merge request. */
export const applySuggestion = operation({
  name: 'applySuggestion',
  summary: 'Apply a suggestion',
  resource: suggestion,
  can: { ability: 'create_note', rule: (caller, { note }) => can(notePolicy, 'create_note').rule(caller, note) },
  kind: 'write',
  statements: 40,
  params: message,
  run: async (ctx, found, { commit_message }): Promise<SuggestionRecord> =>
    (await applySuggestions(ctx, [found], commit_message))[0] as SuggestionRecord,
});

/** Several suggestions, and the note of the first one. */
interface Together {
  note: SuggestionRecord['note'];
  suggestions: readonly SuggestionRecord[];
}

const together: Resource<Together> = {
  noun: 'Suggestion',
  params: { ids: list(integer(), { max: MOST }).describe('IDs of the suggestions: at most 100.') },
  async find(ctx, { ids }: { ids: readonly number[] }) {
    if (ids.length === 0) throw new BadParams(['ids is empty']);
    const missing = 'Suggestions are not applicable as one or more suggestions were not found.';
    const suggestions = await findSuggestions(ctx, ids, missing);
    return { note: (suggestions[0] as SuggestionRecord).note, suggestions };
  },
};

const mayComment = can(notePolicy, 'create_note').rule;

/** Apply several suggestions of one merge request by one commit. */
export const applySuggestionsTogether = operation({
  name: 'applySuggestions',
  summary: 'Apply several suggestions in one commit',
  resource: together,
  can: {
    ability: 'create_note',
    rule: (caller, { note, suggestions }) =>
      mayComment(caller, note) && suggestions.every((one) => mayComment(caller, one.note)),
  },
  kind: 'write',
  statements: 40,
  params: message,
  run: (ctx, { suggestions }, { commit_message }) => applySuggestions(ctx, suggestions, commit_message),
});
