import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { describeEnvironmentEntry } from '../protected-environments/environment-entries.js';
import type { GoverningEntry } from '../protected-environments/governing.js';
import { approvalStates, missingApprovals, requiredApprovals, getApprovalRules } from './approval-state.js';
import type { ApprovableDeployment, ApprovalState } from './approval-state.js';
import type { DeploymentApprovalRecord } from './deployment-approval.finder.js';

/** An approval or rejection of a deployment (protected-environments.md section 7). */
export const deploymentApprovalSerializer = serializer<DeploymentApprovalRecord>('DeploymentApproval', {
  user: out.nullableRecord(userSummary, (approval) => approval.user),
  status: out.text((approval) => approval.status, { enum: ['approved', 'rejected'] }),
  created_at: out.instant((approval) => approval.created_at),
  comment: out.nullableText((approval) => approval.comment),
});

const states = load(({ id }: Readonly<ApprovableDeployment>) => id, approvalStates);

const getState = (deployment: ApprovableDeployment, ctx: Context): ApprovalState =>
  states.of(deployment, ctx) ?? { governing: [], approvals: [] };

/** A rule with the approvals and rejections given under it. */
type AnsweredRule = GoverningEntry & { deployment_approvals: readonly DeploymentApprovalRecord[] };

const answeredRule = serializer<AnsweredRule>('AnsweredApprovalRule', {
  id: out.integer((rule) => rule.id),
  user_id: out.nullableInteger((rule) => rule.user_id),
  group_id: out.nullableInteger((rule) => rule.group_id),
  group_inheritance_type: out.integer((rule) => rule.group_inheritance_type),
  access_level: out.nullableInteger((rule) => rule.access_level),
  access_level_description: out.text(describeEnvironmentEntry),
  required_approvals: out.integer((rule) => rule.required_approvals),
  deployment_approvals: out.records(deploymentApprovalSerializer, (rule) => rule.deployment_approvals),
});

const approvalSummary = serializer<ApprovalState>('ApprovalSummary', {
  rules: out.records(answeredRule, ({ governing, approvals }) =>
    getApprovalRules(governing).map((rule) => ({
      ...rule,
      deployment_approvals: approvals.filter((one) => one.approval_rule_id === rule.id),
    })),
  ),
});

/** What one deployment shows of approvals (delivery-resources.md section 2). */
export const approvalFields = {
  pending_approval_count: out.integer<ApprovableDeployment>(
    (deployment, ctx) => (deployment.status === 'blocked' ? missingApprovals(getState(deployment, ctx)) : 0),
    { description: 'Number of approvals that a blocked deployment still requires.' },
  ),
  approvals: out.records<ApprovableDeployment, DeploymentApprovalRecord>(
    deploymentApprovalSerializer,
    (deployment, ctx) => getState(deployment, ctx).approvals,
  ),
  approval_summary: out.record<ApprovableDeployment, ApprovalState>(approvalSummary, getState),
};

/** What {@link approvalFields} need. */
export const approvalLoad = states;

/** How many approvals a deployment takes, and how many of them are missing while it is blocked. */
export const approvalCounts = (deployment: ApprovableDeployment, { governing, approvals }: ApprovalState) => ({
  required: requiredApprovals(governing),
  pending: deployment.status === 'blocked' ? missingApprovals({ governing, approvals }) : 0,
});
