import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { closeMergedIssues, noteMergeRequestIssues } from '../merge-requests.jobs.js';
import { noteIssues } from './note-issues.js';

/** Longer texts are scanned by a job so that they do not delay the transaction. */
const SHORT = 16 * 1024;

const TEXT_ATTRIBUTES: ReadonlySet<string> = new Set(['title', 'description', 'target_branch']);

type Changed = DomainEvent<'merge_request.created' | 'merge_request.changed' | 'merge_request.pushed'>;

const changesText = (event: Changed) =>
  event.type !== 'merge_request.changed' || event.changes.some(({ attribute }) => TEXT_ATTRIBUTES.has(attribute));

/** Looks through what merge requests say now, and through new commits, for issues and users. */
export async function syncMentionedIssues(ctx: Context<Caller>, events: readonly Changed[]): Promise<void> {
  if (ctx.caller.kind !== 'user') return;
  for (const event of events.filter(changesText)) {
    const { merge_request: request, project } = event;
    if (event.type !== 'merge_request.pushed' && (request.description ?? '').length <= SHORT)
      await noteIssues(ctx as SignedInContext, request, project);
    else
      await ctx.jobs.send(noteMergeRequestIssues, {
        project_id: project.id,
        merge_request_id: request.id,
        user_id: ctx.caller.id,
      });
  }
}

/** Schedules closing the issues of merged merge requests. Merges without a user close no issues. */
export async function closeIssuesOfMerges(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'merge_request.merged'>[],
): Promise<void> {
  const { caller } = ctx;
  await ctx.jobs.sendAll(
    closeMergedIssues,
    events.flatMap(({ merge_request: request, project }) => {
      const userId = caller.kind === 'user' ? caller.id : request.merge_user_id;
      return userId ? [{ project_id: project.id, merge_request_id: request.id, user_id: userId }] : [];
    }),
  );
}
