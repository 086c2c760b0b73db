import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { NotesDatabase } from '../notes.entities.js';

const findUnresolved = prepareQuery<NotesDatabase, { ids: readonly number[] }, { id: number }>((db, { ids }) =>
  db
    .selectFrom('merge_requests as i')
    .innerJoin('project_settings as s', 's.project_id', 'i.project_id')
    .select('i.id')
    .where('i.id', '=', anyOf(ids, 'bigint'))
    .where((eb) => eb.ref('s.only_allow_merge_if_all_discussions_are_resolved'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('notes as n')
          .select(eb.lit(1).as('one'))
          .whereRef('n.merge_request_id', '=', 'i.id')
          .where('n.type', 'is not', null)
          .where((of) => of.not(of.ref('n.system')))
          .where('n.resolved_at', 'is', null),
      ),
    ),
);

/**
 * Merge requests that cannot be merged while they have open threads, in projects that require all threads to be
 * resolved (`only_allow_merge_if_all_discussions_are_resolved`, discussions-and-notes.md section 5.6): for a page of
 * merge requests, by id; merge requests that are not blocked are omitted.
 */
export async function openDiscussions(
  ctx: Context,
  requests: readonly { readonly id: number }[],
): Promise<Map<number, { discussions_open: true }>> {
  const rows = await findUnresolved(ctx, { ids: requests.map(({ id }) => id) });
  return new Map(rows.map(({ id }) => [id, { discussions_open: true }]));
}
