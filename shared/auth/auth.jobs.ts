import { queueJob } from '../core/context/jobs.js';

/** Removes bots whose tokens expired long ago, or were deleted with their project or group. */
export const removeIdleBots = queueJob<Record<string, never>>('resource_access_tokens.remove_bots', {
  category: 'system_access',
  everySeconds: 3600,
});

/** Removes sessions and OAuth records that are over. */
export const cleanUpSessions = queueJob<Record<string, never>>('user_sessions.tidy', {
  category: 'system_access',
  everySeconds: 3600,
});
