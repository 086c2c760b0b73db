import { out, shape } from '../../core/operations/shape.js';
import type { TaskCounts } from './task-lists.js';

/** `task_completion_status` of an issue or merge request (issue-links.md section 2). */
export const taskCompletion = shape<TaskCounts>('TaskCompletionStatus', {
  count: out.integer((record) => record.task_count),
  completed_count: out.integer((record) => record.completed_task_count),
});
