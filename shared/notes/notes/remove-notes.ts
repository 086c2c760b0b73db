import type { Context } from '../../core/context/context.js';
import type { NotesDatabase } from '../notes.entities.js';

/**
 * Deletes a batch of notes of an author who is removed together with all contributions.
 * @returns whether there may be more
 */
export async function removeNotesOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.em
    .getKysely<NotesDatabase>()
    .deleteFrom('notes')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('notes as n')
        .select('n.id')
        .where('n.author_id', '=', userId)
        .where((of) => of.not(of.ref('n.system')))
        .orderBy('n.id')
        .limit(limit)
        .forUpdate(),
    )
    .returning('id')
    .execute();
  return gone.length === limit;
}
