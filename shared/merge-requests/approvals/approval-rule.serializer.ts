import type { Context } from '../../core/context/context.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { mergeSettingsOf } from '../merge-requests/merge-request.loads.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { approvalsOf, loadedApprovals } from './approval.finder.js';

/**
 * The number of required approvals, as the any-approver rule that the public API shows. No other kind exists, so it has
 * the id of its owner.
 */
export interface ApprovalRule {
  readonly id: number;
  readonly approvals_required: number;
}

const nobody = () => out.records<ApprovalRule, UserSummary>(userSummary, () => []);

const fields = {
  id: out.integer<ApprovalRule>((rule) => rule.id),
  name: out.text<ApprovalRule>(() => 'All Members'),
  rule_type: out.text<ApprovalRule>(() => 'any_approver', { enum: ['any_approver'] }),
  report_type: out.nullableText<ApprovalRule>(() => null),
  eligible_approvers: nobody(),
  approvals_required: out.integer<ApprovalRule>((rule) => rule.approvals_required),
  users: nobody(),
  groups: out.any<ApprovalRule>(() => [], { type: 'array', items: { type: 'object' } }),
  contains_hidden_groups: out.boolean<ApprovalRule>(() => false),
};

/** A rule of a project. */
export const projectApprovalRule = serializer<ApprovalRule>('ProjectApprovalRule', {
  ...fields,
  protected_branches: out.any(() => [], { type: 'array', items: { type: 'object' } }),
  applies_to_all_protected_branches: out.boolean(() => false),
});

/** Whether a merge request requires a different number of approvals than its project. */
const overridden = (request: MergeRequestRecord, ctx: Context): boolean => {
  const own = request.approvals_before_merge ?? null;
  return own !== null && own !== mergeSettingsOf.of(request, ctx)?.approvals_before_merge;
};

const getRule = (request: MergeRequestRecord, ctx: Context): ApprovalRule => ({
  id: request.id,
  approvals_required: loadedApprovals(request, ctx).required,
});

/** The common fields of a merge request's rule, read from the merge request itself. */
const requestFields = Object.fromEntries(
  Object.entries(fields).map(([key, { get, ...field }]) => [
    key,
    { ...field, get: (request: MergeRequestRecord, ctx: Context) => get(getRule(request, ctx), ctx) },
  ]),
);

const loads = [approvalsOf, mergeSettingsOf];

const ownFields = {
  ...requestFields,
  source_rule: out.any<MergeRequestRecord>(() => null, { type: 'null' }),
  overridden: out.boolean<MergeRequestRecord>(overridden),
};

/** A rule of a merge request. */
export const mergeRequestApprovalRule = serializer<MergeRequestRecord>('MergeRequestApprovalRule', ownFields, {
  loads,
});

/** The same with who has approved under it. */
const ruleWithApprovers = serializer<MergeRequestRecord>('MergeRequestApprovalRuleState', {
  ...ownFields,
  approved: out.boolean((request, ctx) => {
    const { required, approvers } = loadedApprovals(request, ctx);
    return approvers.length >= required;
  }),
  approved_by: out.records(userSummary, (request, ctx) =>
    loadedApprovals(request, ctx).approvers.map(({ user }) => user),
  ),
});

/** By which rules a merge request is approved. */
export const approvalState = serializer<MergeRequestRecord>(
  'MergeRequestApprovalState',
  {
    approval_rules_overwritten: out.boolean(overridden),
    rules: out.records(ruleWithApprovers, (request) => [request]),
  },
  { loads },
);

/** How a project has its merge requests approved. */
export const projectApprovals = serializer<ApprovalRule>('ProjectApprovals', {
  approvals_before_merge: out.integer((rule) => rule.approvals_required),
  reset_approvals_on_push: out.boolean(() => true),
  selective_code_owner_removals: out.boolean(() => false),
  disable_overriding_approvers_per_merge_request: out.boolean(() => false),
  merge_requests_author_approval: out.boolean(() => false, {
    description: 'Indicates authors can approve their own merge requests; always `false`.',
  }),
  merge_requests_disable_committers_approval: out.boolean(() => false),
  require_password_to_approve: out.boolean(() => false),
  require_reauthentication_to_approve: out.boolean(() => false),
});
