import type { SignedInContext } from '../../core/context/context.js';
import { onUniqueViolation } from '../../core/values/database-errors.js';
import { Conflict } from '../../core/values/errors.js';
import { takeNumber } from '../issuables/numbers.js';
import { countTasks } from '../issuables/task-lists.js';
import { Issue } from './issue.entity.js';

const ISSUE = 'issue';

// The chosen number was already used concurrently.
onUniqueViolation('issues_iid', () => new Conflict('Duplicated issue'));

/** Writes a new issue with what every issue begins with, under the next number or a chosen one. @returns its id and number */
export async function insertIssue(
  ctx: SignedInContext,
  projectId: number,
  values: Partial<Issue> & { title: string },
  chosen?: number,
): Promise<{ id: number; iid: number }> {
  const iid = await takeNumber(ctx, projectId, ISSUE, chosen);
  const now = ctx.clock.now();
  const id = await ctx.em.insert(Issue, {
    issue_type: 'issue',
    state: 'opened',
    confidential: false,
    severity: 'unknown',
    author_id: ctx.caller.id,
    time_estimate: 0,
    total_time_spent: 0,
    user_notes_count: 0,
    merge_requests_count: 0,
    upvotes: 0,
    downvotes: 0,
    imported_from: 'none',
    created_at: now,
    updated_at: now,
    ...countTasks(values.description),
    ...values,
    project_id: projectId,
    iid,
  });
  return { id, iid };
}
