import type { Context } from '../../core/context/context.js';
import { closeByReference } from '../../planning/issue-links/close-by-reference.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { lockForJob } from '../merge-request-versions/refresh-version.js';
import { noteIssues } from './note-issues.js';

interface OfMergeRequest {
  readonly merge_request_id: number;
  readonly user_id: number;
}

/** Notes which issues a merge request names, for a user. One that is gone names nothing. */
export async function noteIssuesOf(ctx: Context, { merge_request_id: id, user_id }: OfMergeRequest): Promise<void> {
  const acting = await actAsUser(ctx, user_id);
  if (!acting) return;
  await acting.transaction(async () => {
    const request = await lockForJob(acting, id);
    if (request?.state === 'opened') await noteIssues(acting, request, request.project);
  });
}

/**
 * Closes the issues that a merged merge request closes, with the permissions of the user who merged it. Idempotent.
 * Each issue has its own transaction.
 */
export async function closeIssuesOfMerge(ctx: Context, payload: OfMergeRequest): Promise<void> {
  const acting = await actAsUser(ctx, payload.user_id);
  if (!acting) return;
  const issues = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_requests_closing_issues as x')
    .select('x.issue_id as id')
    .where('x.merge_request_id', '=', payload.merge_request_id)
    .where((eb) => eb.ref('x.closes'))
    .orderBy('x.issue_id')
    .execute();
  for (const { id } of issues) {
    ctx.signal.throwIfAborted();
    await acting.transaction(() => closeByReference(acting, id));
  }
}
