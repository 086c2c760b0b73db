import { columns } from '../../core/database/columns.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import type { NotesDatabase } from '../notes.entities.js';
import type { NoteRecord } from './note.record.js';
import { Suggestion } from './suggestion.entity.js';

const findSuggestions = prepareQuery<NotesDatabase, { ids: readonly number[] }, Suggestion>((db, { ids }) =>
  db
    .selectFrom('suggestions as s')
    .select(columns(Suggestion, 's'))
    .where('s.note_id', '=', anyOf(ids, 'bigint'))
    .orderBy('s.note_id')
    .orderBy('s.relative_order'),
);

/** What diff notes suggest, in their order. Of other notes nothing is asked. */
export const suggestionsOfNotes = load(
  (note: Readonly<NoteRecord>) => note.id,
  async (ctx, notes): Promise<Map<number, Suggestion[]>> => {
    const ids = notes.filter(({ type }) => type === 'DiffNote').map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const rows = await findSuggestions(ctx, { ids });
    return Map.groupBy(rows, (one) => one.note_id);
  },
);
