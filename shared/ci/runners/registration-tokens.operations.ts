import { can, instance, operation } from '../../core/operations/operation.js';
import { newGroupRunnersToken } from '../../tenancy/group-details/group-runners-token.js';
import { GroupSettings } from '../../tenancy/groups/group.entity.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import { renewInstanceToken } from './registration-tokens.js';

/** Replace the token that runners of a group register with; the one before it is worth nothing any more. */
export const resetGroupRegistrationToken = operation({
  name: 'resetGroupRegistrationToken',
  summary: "Reset a group's runner registration token",
  resource: group,
  can: can(groupPolicy, 'admin_group'),
  kind: 'write',
  async run(ctx, found) {
    const { plain, columns } = newGroupRunnersToken(ctx, found.id);
    await ctx.em.nativeUpdate(GroupSettings, { namespace_id: found.id }, columns);
    ctx.record({ type: 'runner.registration_token_reset', group: found });
    return { token: plain };
  },
});

/** Replace the token that runners of the instance register with; before the first reset there is none. */
export const resetInstanceRegistrationToken = operation({
  name: 'resetInstanceRegistrationToken',
  summary: "Reset the instance's runner registration token",
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  async run(ctx) {
    const token = await renewInstanceToken(ctx);
    ctx.record({ type: 'runner.registration_token_reset', group: null });
    return { token };
  },
});
