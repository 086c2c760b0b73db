import type { Context } from '../../core/context/context.js';
import { out, serializer, visibleIf } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { approvalsOf, isOwn, loadedApprovals } from './approval.finder.js';
import type { Approver } from './approval.finder.js';
import { approvalPolicy } from './approval.policy.js';

const approverSerializer = serializer<Approver>('MergeRequestApprover', {
  user: out.record(userSummary, (approver) => approver.user),
  approved_at: out.instant((approver) => approver.created_at),
});

const left = (request: MergeRequestRecord, ctx: Context): number => {
  const { required, approvers } = loadedApprovals(request, ctx);
  return Math.max(0, required - approvers.length);
};

const hasApproved = (request: MergeRequestRecord, ctx: Context): boolean =>
  loadedApprovals(request, ctx).approvers.some(({ user }) => user.id === ctx.caller.id);

/** What comes with approvals that are needed. */
const needed = visibleIf<MergeRequestRecord>((_request, ctx) => ctx.hasPlan('premium'), {
  id: out.integer((request) => request.id),
  iid: out.integer((request) => request.iid),
  project_id: out.integer((request) => request.project_id),
  title: out.text((request) => request.title),
  description: out.nullableText((request) => request.description ?? null),
  state: out.text((request) => request.state),
  created_at: out.instant((request) => request.created_at),
  updated_at: out.instant((request) => request.updated_at),
  merge_status: out.text((request) => request.merge_status),
  approvals_required: out.integer((request, ctx) => loadedApprovals(request, ctx).required),
  approvals_left: out.integer(left),
});

/** The approvals of a merge request, given and missing. */
export const mergeRequestApprovals = serializer<MergeRequestRecord>(
  'MergeRequestApprovals',
  {
    ...needed,
    user_has_approved: out.boolean(hasApproved),
    user_can_approve: out.boolean(
      (request, ctx) =>
        request.state === 'opened' &&
        approvalPolicy.approve_merge_request(ctx.caller, request) &&
        !isOwn(ctx, request) &&
        !hasApproved(request, ctx),
    ),
    approved: out.boolean((request, ctx) => {
      const { required, approvers } = loadedApprovals(request, ctx);
      return ctx.hasPlan('premium') ? approvers.length >= required : approvers.length > 0;
    }),
    approved_by: out.records(approverSerializer, (request, ctx) => loadedApprovals(request, ctx).approvers),
  },
  { loads: [approvalsOf] },
);
