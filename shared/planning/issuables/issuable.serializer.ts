import { out, serializer } from '../../core/operations/serializer.js';
import type { TaskCounts } from './task-lists.js';
import { humanDuration } from './duration.js';

/** `task_completion_status` of an issue or merge request (issue-links.md section 2). */
export const taskCompletion = serializer<TaskCounts>('TaskCompletionStatus', {
  count: out.integer((record) => record.task_count),
  completed_count: out.integer((record) => record.completed_task_count),
});

/** How long something was thought to take, and took: seconds. */
interface TimeStats {
  readonly time_estimate: number;
  readonly total_time_spent: number;
}

/** `time_stats` of an issue or merge request (issue-links.md section 2). */
export const timeStats = serializer<TimeStats>('TimeStats', {
  time_estimate: out.integer((record) => record.time_estimate, { description: 'Time estimate, in seconds.' }),
  total_time_spent: out.integer((record) => record.total_time_spent, { description: 'Total time spent, in seconds.' }),
  human_time_estimate: out.nullableText((record) => humanDuration(record.time_estimate)),
  human_total_time_spent: out.nullableText((record) => humanDuration(record.total_time_spent)),
});
