import { GroupSettings } from '../groups/group.entity.js';
import type { GroupRecord } from '../groups/group.entity.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { boolean, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { lockTree } from '../namespaces/claim-path.js';
import { settleStates } from '../groups/group-states.js';
import { findGroup, group } from '../groups/group.finder.js';
import { deleteGroups } from '../tenancy.jobs.js';
import { groupPolicy } from '../groups/group.policy.js';

const DAY_MS = 86_400_000;

/** Marks or unmarks a group, and freezes or frees what lies below; a group marked on its own stays frozen. */
async function setMark(ctx: Context, groupId: number, markedAt: Date | null): Promise<void> {
  await lockTree(ctx, groupId);
  await ctx.em.nativeUpdate(GroupSettings, { namespace_id: groupId }, { marked_for_deletion_at: markedAt });
  await settleStates(ctx, groupId);
}

/** @throws Invalid unless the group may be removed for good now (core-resources.md section 3, contract decision 23) */
function requireRemovable(ctx: Context, found: GroupRecord, fullPath: string | undefined): void {
  if (ctx.caller.admin) return;
  if (found.parent_id === null) throw new Invalid('`permanently_remove` option is only available for subgroups.');
  if (!found.settings.marked_for_deletion_at) throw new Invalid('Group must be marked for deletion first.');
  if (fullPath !== found.full_path)
    throw new Invalid('`full_path` is incorrect. You must enter the complete path for the subgroup.');
}

/** Delete a group: Owners. It is marked and removed after some days, or with `permanently_remove` at once. */
export const deleteGroup = operation({
  name: 'deleteGroup',
  summary: 'Delete a group',
  resource: group,
  can: can(groupPolicy, 'destroy_group'),
  kind: 'write',
  conditional: true,
  params: {
    permanently_remove: optional(boolean()).describe(
      'If `true`, deletes the group immediately: a subgroup marked for deletion, or any group for administrators.',
    ),
    full_path: optional(text()).describe('Full path of the group, as confirmation.'),
  },
  async run(ctx, found, input) {
    const marked = found.settings.marked_for_deletion_at;
    if (input.permanently_remove) requireRemovable(ctx, found, input.full_path);
    else if (marked) throw new Invalid('Group has been already marked for deletion');
    // contract decision 23: an instance without a period removes everything at once.
    const days = input.permanently_remove ? 0 : ctx.settings.deletion_adjourned_period;
    const markedAt = marked ?? ctx.clock.now();
    if (!marked) {
      await setMark(ctx, found.id, markedAt);
      ctx.record({ type: 'group.deletion_marked', group: found });
    }
    if (days === 0)
      await ctx.em.nativeUpdate(GroupSettings, { namespace_id: found.id }, { removal_started_at: ctx.clock.now() });
    await ctx.jobs.send(
      deleteGroups,
      { group_id: found.id, marked_at: markedAt.toISOString() },
      days > 0 ? { startAfter: new Date(markedAt.getTime() + days * DAY_MS) } : {},
    );
  },
});

/** Restore a group that is marked for deletion: Owners, until it is removed. */
export const restoreGroup = operation({
  name: 'restoreGroup',
  summary: 'Restore a group',
  resource: group,
  can: can(groupPolicy, 'destroy_group'),
  kind: 'write',
  async run(ctx, found) {
    if (!found.settings.marked_for_deletion_at) throw new Invalid('Group has not been marked for deletion');
    await setMark(ctx, found.id, null);
    ctx.record({ type: 'group.restored', group: found });
    return findGroup(ctx, found.id);
  },
});
