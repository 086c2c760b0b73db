import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/**
 * Works out anew whether a group and everything below it is frozen or archived: each is by its own mark, or by one
 * above it. For after a mark or a place has changed; the caller has locked the tree.
 */
export async function settleStates(ctx: Context, groupId: number): Promise<void> {
  await ctx.query(sql`
    update namespaces d set frozen = state.frozen, archived = state.archived
      from (select below.id, bool_or(gs.marked_for_deletion_at is not null) as frozen,
                   bool_or(gs.archived_at is not null) as archived
              from namespaces below join group_settings gs on gs.namespace_id = any(below.traversal_ids)
             where below.traversal_ids @> array[${groupId}]::bigint[] group by below.id) state
     where d.id = state.id and (d.frozen, d.archived) is distinct from (state.frozen, state.archived)`);
}
