import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { idsWithin } from '../namespaces/below.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { allowsMore, SHARED_RUNNERS } from './shared-runners.js';

/**
 * Gives a group another setting, and with it everything below: `enabled` switches all of it on, the others switch it
 * off, and leave groups below that are stricter by themselves as they are. The caller has locked the tree.
 */
export async function setSharedRunners(ctx: Context, groupId: number, setting: string): Promise<void> {
  const enabled = setting === 'enabled';
  const replaced = SHARED_RUNNERS.filter((other) => enabled || allowsMore(other, setting));
  const db = ctx.em.getKysely<TenancyDatabase>();
  await db
    .updateTable('group_settings as gs')
    .set('shared_runners_setting', setting)
    .where('gs.namespace_id', 'in', idsWithin(groupId))
    .where((eb) =>
      eb.or([eb('gs.namespace_id', '=', groupId), eb('gs.shared_runners_setting', '=', anyOf(replaced, 'text'))]),
    )
    .execute();
  await db
    .updateTable('project_settings as ps')
    .from('projects as p')
    .set('shared_runners_enabled', enabled)
    .whereRef('p.id', '=', 'ps.project_id')
    .where('p.namespace_id', 'in', idsWithin(groupId))
    .where('ps.shared_runners_enabled', '<>', enabled)
    .execute();
}
