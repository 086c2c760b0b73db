import { sql } from '../../core/sql.js';
import { restoreContributors, rowsOfRelation } from '../archive-imports/restoring.js';
import type { Restorer } from '../archive-imports/restoring.js';

export const contributorRestorer: Restorer = { relation: 'user_contributions', restore: restoreContributors };

/** Settings that matter to top-level groups: a subgroup keeps them for when it becomes one. */
export const namespaceSettingsRestorer: Restorer = {
  relation: 'namespace_settings',
  async restore(restoring) {
    const { ctx, group } = restoring;
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
