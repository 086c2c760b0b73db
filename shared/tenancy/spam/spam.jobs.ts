import { queueJob } from '../../core/context/jobs.js';

/** Tells the checker that asked for it that a text was no spam. */
export const submitHam = queueJob<{ spam_log_id: number }>('spam_logs.submit_ham', { category: 'instance_resiliency' });

/** Removes old entries of the spam log. */
export const pruneSpamLogs = queueJob<Record<string, never>>('spam_logs.prune', {
  category: 'instance_resiliency',
  everySeconds: 3600,
});
