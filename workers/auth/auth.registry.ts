import type { WorkerDomain } from '../core/handler.js';
import { removeIdleBots, cleanUpSessions } from '../../shared/auth/auth.jobs.js';
import { removeBotsWithoutTokens } from '../../shared/auth/resource-access-tokens/remove-idle-bots.js';
import { handler, logWork } from '../core/handler.js';
import { cleanUp } from '../../shared/auth/user-sessions/tidy-sessions.js';

/** Removes bots without any remaining usable token. */
export const removeBots = handler({
  kind: removeIdleBots,
  batchSize: 1,
  async handle(ctx) {
    const bots = await removeBotsWithoutTokens(ctx);
    if (bots > 0) ctx.log.info({ bots }, 'resource_access_token.remove_bots');
  },
});

/** Removes sessions and OAuth records that are over. */
const tidy = handler({
  kind: cleanUpSessions,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await cleanUp(ctx), 'user_sessions.tidy');
  },
});

export const authWorkers: WorkerDomain = {
  handlers: [removeBots, tidy],
};
