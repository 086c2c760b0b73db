import type { Context } from '../../core/context/context.js';
import { anyIn } from '../../core/database/expressions.js';
import { isAtOrBelow } from '../namespaces/below.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

/**
 * Recomputes whether a group and everything below it is frozen or archived, by its own mark or by one on an ancestor.
 * Call it after a mark or a parent has changed, with the tree locked.
 */
export async function settleStates(ctx: Context, groupId: number): Promise<void> {
  await ctx.em
    .getKysely<TenancyDatabase>()
    .updateTable('namespaces as d')
    .from((eb) =>
      eb
        .selectFrom('namespaces as below')
        .innerJoin('group_settings as gs', (join) =>
          join.on((on) => on('gs.namespace_id', '=', anyIn(on.ref('below.traversal_ids')))),
        )
        .where(isAtOrBelow('below', groupId))
        .groupBy('below.id')
        .select((of) => [
          'below.id',
          of.fn<boolean>('bool_or', [of('gs.marked_for_deletion_at', 'is not', null)]).as('frozen'),
          of.fn<boolean>('bool_or', [of('gs.archived_at', 'is not', null)]).as('archived'),
        ])
        .as('state'),
    )
    .set((eb) => ({ frozen: eb.ref('state.frozen'), archived: eb.ref('state.archived') }))
    .whereRef('d.id', '=', 'state.id')
    .where((eb) =>
      eb.or([
        eb('d.frozen', 'is distinct from', eb.ref('state.frozen')),
        eb('d.archived', 'is distinct from', eb.ref('state.archived')),
      ]),
    )
    .execute();
}
