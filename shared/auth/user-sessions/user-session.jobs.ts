import { job } from '../../core/jobs.js';

/** Removes sessions and OAuth records that are over. */
export const cleanUpSessions = job<Record<string, never>>('user_sessions.tidy', { category: 'system_access' });
