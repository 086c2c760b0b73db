import { load } from '../../core/loads.js';
import { sql, textColumns } from '../../core/sql.js';
import type { NoteRecord } from './note.record.js';
import { Suggestion } from './suggestion.entity.js';

/** What diff notes suggest, in their order. Of other notes nothing is asked. */
export const suggestionsOfNotes = load(
  (note: Readonly<NoteRecord>) => note.id,
  async (ctx, notes): Promise<Map<number, Suggestion[]>> => {
    const ids = notes.filter(({ type }) => type === 'DiffNote').map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const rows = await ctx.query<Suggestion>(sql`
      select ${textColumns(Suggestion, 's')} from suggestions s
       where s.note_id = any(${ids}::bigint[]) order by s.note_id, s.relative_order`);
    return Map.groupBy(rows, (one) => one.note_id);
  },
);
