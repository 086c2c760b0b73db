import { cleanUp } from '../../../shared/auth/user-sessions/tidy-sessions.js';
import { cleanUpSessions } from '../../../shared/auth/auth.jobs.js';
import { handler } from '../../core/handler.js';
import { logWork } from '../../core/log-work.js';

/** Removes sessions and OAuth records that are over. */
export const tidy = handler({
  kind: cleanUpSessions,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await cleanUp(ctx), 'user_sessions.tidy');
  },
});
