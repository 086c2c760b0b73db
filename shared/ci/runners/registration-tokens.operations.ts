import { can, instance, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { forContainers } from '../../tenancy/containers/container.js';
import { containerPolicy } from '../../tenancy/containers/container.policy.js';
import { renewContainerToken, renewInstanceToken } from './registration-tokens.js';

/** A token that runners register with, as its reset answers it. */
export const runnersTokenSerializer = serializer<{ token: string }>('RunnersToken', {
  token: out.text(({ token }) => token, { secret: true }),
  token_expires_at: out.any(() => null, { type: 'null' }),
});

/** Names that clients know. */
const RESET_NAMES = { project: 'resetRunnersToken', group: 'resetGroupRegistrationToken' } as const;

/** Replace the token that runners of a container register with; the one before it is worth nothing any more. */
export const resetContainerRegistrationToken = forContainers(({ kind, resource }) =>
  operation({
    name: RESET_NAMES[kind],
    summary: `Reset a ${kind}'s runner registration token`,
    resource,
    can: can(containerPolicy, `admin_${kind}`),
    kind: 'write',
    async run(ctx, container) {
      const token = await renewContainerToken(ctx, container);
      ctx.record({ type: 'runner.registration_token_reset', container: container.summary });
      return { token };
    },
  }),
);

/** Replace the token that runners of the instance register with; before the first reset there is none. */
export const resetInstanceRegistrationToken = operation({
  name: 'resetInstanceRegistrationToken',
  summary: "Reset the instance's runner registration token",
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  async run(ctx) {
    const token = await renewInstanceToken(ctx);
    ctx.record({ type: 'runner.registration_token_reset', container: null });
    return { token };
  },
});
