import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { NotFound, Unauthenticated } from '../../core/values/errors.js';
import type { DomainEvent } from '../../core/values/events.js';
import { optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { findMergeRequest, mergeRequest } from '../merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import { MergeRequestApproval, MergeRequestReviewer } from '../merge-requests/merge-request-relations.entity.js';
import { requireHead } from '../merging/perform-merge.js';
import { isOwn } from './approval.finder.js';
import { approvalPolicy } from './approval.policy.js';

/** The error for callers without permission: 401 rather than 403, as in the public product. */
const denial = () => new Unauthenticated('missing');

/** Read who approved a merge request. */
export const getMergeRequestApprovals = operation({
  name: 'getMergeRequestApprovals',
  summary: 'Read the approvals of a merge request',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  authentication: 'open',
  kind: 'read',
  statements: 8,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Approve a merge request: Developers, once. 409 where its head is not the one that they saw. */
export const approveMergeRequest = operation({
  name: 'approveMergeRequest',
  summary: 'Approve a merge request',
  resource: mergeRequest,
  can: can(approvalPolicy, 'approve_merge_request'),
  denial,
  kind: 'write',
  statements: 19,
  params: {
    sha: optional(text()).describe('SHA of the head that is approved; fails with 409 if the head has changed.'),
  },
  async run(ctx, found, { sha }): Promise<MergeRequestRecord> {
    requireHead(found, sha);
    const now = ctx.clock.now();
    if (isOwn(ctx, found) || found.state !== 'opened') throw denial();
    const ofCaller = { merge_request_id: found.id, user_id: ctx.caller.id };
    const added = await ctx.em
      .getKysely<MergeRequestsDatabase>()
      .insertInto('merge_request_approvals')
      .values({ ...ofCaller, project_id: found.project_id, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (!added) throw denial();
    await ctx.em.nativeUpdate(MergeRequestReviewer, ofCaller, { state: 'approved' });
    return recordApproval(ctx, found, 'merge_request.approved');
  },
});

/** Remove an approval: the user who gave it, as long as the merge request is open. */
export const unapproveMergeRequest = operation({
  name: 'unapproveMergeRequest',
  summary: 'Unapprove a merge request',
  resource: mergeRequest,
  can: can(approvalPolicy, 'approve_merge_request'),
  denial,
  kind: 'write',
  statements: 18,
  async run(ctx, found): Promise<MergeRequestRecord> {
    const ofCaller = { merge_request_id: found.id, user_id: ctx.caller.id };
    const removed = found.state === 'opened' && (await ctx.em.nativeDelete(MergeRequestApproval, ofCaller)) > 0;
    if (!removed) throw new NotFound();
    await ctx.em.nativeUpdate(MergeRequestReviewer, ofCaller, { state: 'unapproved' });
    return recordApproval(ctx, found, 'merge_request.unapproved');
  },
});

async function recordApproval(
  ctx: Context,
  found: MergeRequestRecord,
  type: 'merge_request.approved' | 'merge_request.unapproved',
): Promise<MergeRequestRecord> {
  const now = ctx.clock.now();
  await ctx.em.nativeUpdate(MergeRequest, { id: found.id }, { updated_at: now });
  const request = await findMergeRequest(ctx, found.project, found.iid);
  ctx.record({ type, merge_request: request, project: found.project });
  return request;
}

/** Takes all approvals of a merge request back. @returns whether there were any */
async function reset(ctx: Context<Caller>, id: number): Promise<boolean> {
  const gone = await ctx.em.nativeDelete(MergeRequestApproval, { merge_request_id: id });
  const approved = { merge_request_id: id, state: 'approved' };
  await ctx.em.nativeUpdate(MergeRequestReviewer, approved, { state: 'unreviewed' });
  return gone > 0;
}

/** Take all approvals of a merge request back: bots, with Premium. */
export const resetMergeRequestApprovals = operation({
  name: 'resetMergeRequestApprovals',
  summary: 'Reset the approvals of a merge request',
  resource: mergeRequest,
  can: can(approvalPolicy, 'approve_merge_request'),
  plan: 'premium',
  denial,
  kind: 'write',
  async run(ctx, found) {
    // As in the public product: bots with an access token of the project or its group, and no people.
    if (!ctx.caller.user.bot || found.state !== 'opened') throw denial();
    await reset(ctx, found.id);
    ctx.record({ type: 'merge_request.approvals_reset', merge_request: found, project: found.project });
    return { message: '202 Accepted' };
  },
});

/** With Premium, only approved commits are merged: a push resets approvals, as the public product does by default. */
export async function resetApprovalsOfPushed(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'merge_request.pushed'>[],
): Promise<void> {
  if (!ctx.hasPlan('premium')) return;
  for (const { merge_request: request, project } of events)
    if (await reset(ctx, request.id))
      ctx.record({ type: 'merge_request.approvals_reset', merge_request: request, project });
}
