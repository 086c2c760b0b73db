import { load } from '../../core/loads.js';
import { raw, sql } from '../../core/sql.js';
import { awardColumns } from '../../planning/award-emoji/award-emoji.finder.js';
import type { AwardRecord } from '../../planning/award-emoji/award-emoji.finder.js';
import type { NoteRecord } from '../notes/note.record.js';

/** Emoji of one note that are read with it. */
const MOST = 1000;
const COLUMNS = awardColumns({ column: raw('note_id'), noun: 'Note' });

/** The emoji that notes were given, the first ones first: for a page of notes by one statement. */
export const awardsOfNotes = load(
  (note: Readonly<NoteRecord>) => note.id,
  async (ctx, notes): Promise<Map<number, AwardRecord[]>> => {
    const rows = await ctx.query<AwardRecord>(sql`
      select ${COLUMNS}
        from unnest(${notes.map(({ id }) => id)}::bigint[]) as asked (id)
       cross join lateral (
         select * from note_award_emojis g where g.note_id = asked.id order by g.id limit ${MOST}) e
        join users u on u.id = e.user_id
       order by e.id`);
    return Map.groupBy(rows, ({ awardable_id: id }) => id);
  },
);
