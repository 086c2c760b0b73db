import type { Problems } from '../../core/values/errors.js';
import type { GroupRecord } from './group.entity.js';
import type { Context } from '../../core/context/context.js';
import { roleIn } from '../../core/operations/policy.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { idsWithin } from '../namespaces/below.js';
import { findGroup } from './group.finder.js';
import type { GroupSettingValues } from './group.params.js';

const LOCKED_ABOVE =
  'cannot be disabled when the parent group "Share with group lock" is enabled, except by the owner of the parent group';

/** Once a parent group has disabled sharing, only an Owner of the parent may enable it again below. */
export async function unlockingProblems(
  ctx: Context,
  found: GroupRecord,
  settings: Partial<GroupSettingValues>,
): Promise<Problems> {
  if (settings.share_with_group_lock !== false || !found.settings.share_with_group_lock || !found.parent_id) return {};
  const parent = await findGroup(ctx, found.parent_id);
  const mayUnlock = !parent.settings.share_with_group_lock || roleIn(ctx.caller, parent, 'owner');
  return mayUnlock ? {} : { share_with_group_lock: [LOCKED_ABOVE] };
}

/** A lock on sharing holds for all subgroups, each of which may be opened again by itself. */
export async function lockSharesBelow(ctx: Context, groupId: number): Promise<void> {
  await ctx.em
    .getKysely<TenancyDatabase>()
    .updateTable('group_settings as gs')
    .set('share_with_group_lock', true)
    .where('gs.namespace_id', 'in', idsWithin(groupId))
    .where((eb) => eb.not(eb.ref('gs.share_with_group_lock')))
    .execute();
}
