import { sql } from '../../core/sql.js';
import { rowsOfRelation } from '../archive-imports/restoring.js';
import type { Restorer } from '../archive-imports/restoring.js';

/** Who wrote what: nothing is made of it, but those who are users here are counted. */
export const contributorRestorer: Restorer = {
  relation: 'user_contributions',
  async restore(restoring) {
    const { ctx, importId } = restoring;
    await ctx.query(sql`
      update archive_import_rows r set made_id = u.user_id from archive_import_users u
       where ${rowsOfRelation(restoring, 'user_contributions')} and u.import_id = ${importId} and u.source_id = r.source_id`);
  },
};

/** Settings that only top-level groups have. */
export const namespaceSettingsRestorer: Restorer = {
  relation: 'namespace_settings',
  async restore(restoring) {
    const { ctx, group } = restoring;
    if (group.traversal_ids.length > 1) return;
    await ctx.query(sql`
      with found as (
        update archive_import_rows r set made_id = ${group.id}
         where ${rowsOfRelation(restoring, 'namespace_settings')}
           and (r.data ->> 'prevent_sharing_groups_outside_hierarchy') is not null
        returning (r.data ->> 'prevent_sharing_groups_outside_hierarchy')::boolean as prevents)
      update group_settings gs set prevent_sharing_groups_outside_hierarchy = f.prevents from found f
       where gs.namespace_id = ${group.id}`);
  },
};
