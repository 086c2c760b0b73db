import type { Context } from '../../core/context.js';
import { BadParams, NotFound } from '../../core/errors.js';
import { integer, list, optional, text } from '../../core/fields.js';
import { can, operation } from '../../core/operation.js';
import type { Subject } from '../../core/operation.js';
import { columns, sql } from '../../core/sql.js';
import { findAnyNote, findNote } from '../notes/note.finder.js';
import { notePolicy } from '../notes/note.policy.js';
import { applySuggestions } from './apply-suggestions.js';
import { Suggestion } from '../notes/suggestion.entity.js';
import type { SuggestionRecord } from '../notes/suggestion.shape.js';

/** Suggestions that are applied together. */
const MOST = 100;

/**
 * Suggestions with their notes, all of one merge request, which is locked.
 * @throws NotFound with these words where one of them is not there, or not the caller's to see
 */
async function findSuggestions(ctx: Context, ids: readonly number[], words: string): Promise<SuggestionRecord[]> {
  const rows = await ctx.query<Suggestion>(sql`
    select ${columns(Suggestion, 's')} from suggestions s where s.id = any(${ids}::bigint[]) order by s.id`);
  const [first] = rows;
  if (!first || rows.length < new Set(ids).size) throw new NotFound(words);
  const found = await findAnyNote(ctx, first.note_id).catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound(words) : error;
  });
  const records: SuggestionRecord[] = [];
  for (const row of rows) {
    const note = row.note_id === found.id ? found : await otherNote(ctx, found, row.note_id, words);
    records.push({ ...row, note });
  }
  return records;
}

/** Another note of the same merge request; of another one only what its readers see. */
async function otherNote(
  ctx: Context,
  { noteable }: { noteable: SuggestionRecord['note']['noteable'] },
  id: number,
  words: string,
) {
  try {
    return await findNote(ctx, noteable, id).catch(() => findAnyNote(ctx, id));
  } catch (error) {
    throw error instanceof NotFound ? new NotFound(words) : error;
  }
}

const message = {
  commit_message: optional(text()).describe("Message of the commit; by the project's template when left out."),
};

const suggestion: Subject<SuggestionRecord> = {
  noun: 'Suggestion',
  params: { id: integer().describe('Id of the suggestion.') },
  async find(ctx, { id }: { id: number }) {
    const [found] = await findSuggestions(ctx, [id], 'Suggestion is not applicable as the suggestion was not found.');
    return found as SuggestionRecord;
  },
};

/** Apply a suggestion: who may push to the source branch of its merge request. */
export const applySuggestion = operation({
  name: 'applySuggestion',
  summary: 'Apply a suggestion',
  subject: suggestion,
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

const together: Subject<Together> = {
  noun: 'Suggestion',
  params: { ids: list(integer(), { max: MOST }).describe('Ids of the suggestions: at most 100.') },
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
  summary: 'Apply several suggestions by one commit',
  subject: together,
  can: {
    ability: 'create_note',
    rule: (caller, { note, suggestions }) =>
      mayComment(caller, note) && suggestions.every((one) => mayComment(caller, one.note)),
  },
  kind: 'write',
  statements: 240,
  params: message,
  run: (ctx, { suggestions }, { commit_message }) => applySuggestions(ctx, suggestions, commit_message),
});
