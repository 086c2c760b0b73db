import { GroupSettings } from '../groups/group.entity.js';
import type { GroupRecord } from '../groups/group.entity.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { lockTree } from '../namespaces/claim-path.js';
import { findGroup, group } from '../groups/group.finder.js';
import { groupPolicy } from '../groups/group.policy.js';
import { settleStates } from '../groups/group-states.js';

const UNPROCESSABLE = 422;

async function setArchived(ctx: Context, found: GroupRecord, archivedAt: Date | null): Promise<GroupRecord> {
  await ctx.em.nativeUpdate(GroupSettings, { namespace_id: found.id }, { archived_at: archivedAt });
  await ctx.em.nativeUpdate(Namespace, { id: found.id }, { updated_at: ctx.clock.now() });
  await settleStates(ctx, found.id);
  ctx.record({ type: archivedAt ? 'group.archived' : 'group.unarchived', group: found });
  return findGroup(ctx, found.id);
}

/** Finds the group again after locking it with everything below. */
async function locked(ctx: Context, found: GroupRecord): Promise<GroupRecord> {
  await lockTree(ctx, found.id);
  return findGroup(ctx, found.id);
}

/** Archive a group: Owners. What lies below counts as archived too: it stays readable, and nothing in it changes. */
export const archiveGroup = operation({
  name: 'archiveGroup',
  summary: 'Archive a group',
  resource: group,
  can: can(groupPolicy, 'archive_group'),
  kind: 'write',
  async run(ctx, found) {
    const before = await locked(ctx, found);
    if (before.settings.archived_at) throw new Invalid('Group is already archived!', UNPROCESSABLE);
    if (before.archived)
      throw new Invalid('Cannot archive group since one of the ancestor groups is already archived!', UNPROCESSABLE);
    if (before.frozen) throw new Invalid('Cannot archive group since it is scheduled for deletion.', UNPROCESSABLE);
    return setArchived(ctx, before, ctx.clock.now());
  },
});

/** Take a group out of the archive: Owners. What was archived by itself below it stays so. */
export const unarchiveGroup = operation({
  name: 'unarchiveGroup',
  summary: 'Unarchive a group',
  resource: group,
  can: can(groupPolicy, 'archive_group'),
  kind: 'write',
  async run(ctx, found) {
    const before = await locked(ctx, found);
    if (!before.archived) throw new Invalid('Group is already unarchived!', UNPROCESSABLE);
    if (!before.settings.archived_at)
      throw new Invalid('Cannot unarchive group since one of the ancestor groups is archived!', UNPROCESSABLE);
    return setArchived(ctx, before, null);
  },
});
