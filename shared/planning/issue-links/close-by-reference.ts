import type { SignedInContext } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { writeIssueChange } from '../issues/write-issue-change.js';
import { findIssueById } from '../issues/issue.finder.js';
import { issuePolicy } from '../issues/issue.policy.js';
import type { IssueRecord } from '../issues/issue.entity.js';

/** The issue, locked, where the caller may close it and it is open. */
async function findToClose(ctx: SignedInContext, id: number): Promise<IssueRecord | null> {
  try {
    const found = await findIssueById(ctx, id);
    return found.state === 'opened' && issuePolicy.update_issue(ctx.caller, found) ? found : null;
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

/**
 * Closes an issue on behalf of the caller because a commit message or a merged merge request says so. Does nothing if
 * the caller lacks permission or the issue is already closed.
 */
export async function closeByReference(ctx: SignedInContext, id: number, sha?: string): Promise<void> {
  const before = await findToClose(ctx, id);
  if (!before) return;
  const columns = { state: 'closed', closed_at: ctx.clock.now(), closed_by_id: ctx.caller.id };
  const by = sha === undefined ? {} : { commit: sha };
  await writeIssueChange(ctx, before, columns, [{ attribute: 'state', to: 'closed', ...by }]);
}
