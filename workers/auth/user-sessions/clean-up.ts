import { cleanUp } from '../../../shared/auth/user-sessions/tidy-sessions.js';
import { cleanUpSessions } from '../../../shared/auth/user-sessions/user-session.jobs.js';
import { handler } from '../../core/handler.js';

/** Removes sessions and OAuth records that are over. */
export const tidy = handler({
  kind: cleanUpSessions,
  batchSize: 1,
  async handle(ctx) {
    ctx.log.info(await cleanUp(ctx), 'user_sessions.tidy');
  },
});
