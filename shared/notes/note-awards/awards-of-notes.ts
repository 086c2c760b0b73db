import { columns } from '../../core/database/columns.js';
import { constant, unnested } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import { awardColumns } from '../../planning/award-emoji/award-emoji.finder.js';
import type { AwardRecord } from '../../planning/award-emoji/award-emoji.finder.js';
import { awardTables } from '../../planning/award-emoji/awardable.js';
import type { NotesDatabase } from '../notes.entities.js';
import { NoteAwardEmoji } from '../notes/note.entity.js';
import type { NoteRecord } from '../notes/note.entity.js';

/** Emoji of one note that are read with it. */
const MOST = 1000;
const COLUMNS = awardColumns({ tables: awardTables('note_award_emojis', 'note_id', 'project_id'), noun: 'Note' });

const findAwards = prepareQuery<NotesDatabase, { ids: readonly number[] }, AwardRecord>((db, { ids }) =>
  db
    .selectFrom(unnested(ids, 'bigint').as('requested'))
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('note_award_emojis as g')
        .select(columns(NoteAwardEmoji, 'g'))
        .whereRef('g.note_id', '=', 'requested.value')
        .orderBy('g.id')
        .limit(constant(MOST))
        .as('e'),
    )
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .select(COLUMNS)
    .orderBy('e.id'),
);

/** The award emoji of notes, oldest first: one statement for a page of notes. */
export const awardsOfNotes = load(
  (note: Readonly<NoteRecord>) => note.id,
  async (ctx, notes): Promise<Map<number, AwardRecord[]>> => {
    const rows = await findAwards(ctx, { ids: notes.map(({ id }) => id) });
    return Map.groupBy(rows, ({ awardable_id: id }) => id);
  },
);
