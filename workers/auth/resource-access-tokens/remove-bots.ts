import { removeIdleBots as kind } from '../../../shared/auth/auth.jobs.js';
import { removeBotsWithoutTokens } from '../../../shared/auth/resource-access-tokens/remove-idle-bots.js';
import { handler } from '../../core/handler.js';

/** Removes bots that nobody can act as any more. */
export const removeBots = handler({
  kind,
  batchSize: 1,
  async handle(ctx) {
    const bots = await removeBotsWithoutTokens(ctx);
    if (bots > 0) ctx.log.info({ bots }, 'resource_access_token.remove_bots');
  },
});
