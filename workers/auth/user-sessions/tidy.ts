import { tidyUp } from '../../../shared/auth/user-sessions/tidy-sessions.js';
import { tidySessions } from '../../../shared/auth/user-sessions/user-session.jobs.js';
import { handler } from '../../core/handler.js';
import type { Recurring } from '../../core/recurring.js';

/** Removes sessions and OAuth records that are over. */
export const tidy = handler({
  kind: tidySessions,
  batchSize: 1,
  async handle(ctx) {
    ctx.log.info(await tidyUp(ctx), 'user_sessions.tidy');
  },
});

export const tidyEachHour: Recurring = { kind: tidySessions, everySeconds: 3600 };
