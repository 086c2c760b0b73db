import type { WorkerDomain } from '../core/handler.js';
import { closeIssuesByCommits, noteIssueMentions } from '../../shared/planning/planning.jobs.js';
import { processCommits } from '../../shared/planning/issue-links/process-commits.js';
import { handler } from '../core/handler.js';
import { findIssueById } from '../../shared/planning/issues/issue.finder.js';
import { actAsUser } from '../../shared/tenancy/users/acting-user.js';
import { noteMentions } from '../../shared/planning/issue-links/note-mentions.js';
import { NotFound } from '../../shared/core/values/errors.js';

/** Looks through what was pushed to default branches. */
const closingOfIssues = handler({ kind: closeIssuesByCommits, batchSize: 10, handle: processCommits });

/** Records the mentions in a long description. A deleted issue mentions nothing. */
const noteOfMentions = handler({
  kind: noteIssueMentions,
  batchSize: 10,
  handle: async (ctx, { issue_id: issueId, user_id: userId }) => {
    const acting = await actAsUser(ctx, userId);
    if (!acting) return;
    await acting.transaction(async () => {
      const issue = await findIssueById(acting, issueId).catch((error: unknown) => {
        if (error instanceof NotFound) return null;
        throw error;
      });
      if (issue) await noteMentions(acting, issue, issue.project, false);
    });
  },
});

export const planningWorkers: WorkerDomain = {
  handlers: [closingOfIssues, noteOfMentions],
};
