import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { describeEnvironmentEntry } from '../protected-environments/environment-entries.js';
import type { GoverningEntry } from '../protected-environments/governing.js';
import { requiredApprovals, getApprovalRules } from './approval-state.js';
import type { ApprovableDeployment, ApprovalState } from './approval-state.js';
import { DeploymentApproval } from './deployment-approval.entity.js';
import type { DeploymentApprovalRecord } from './deployment-approval.finder.js';

/** The input of an approval or rejection. */
export interface Decision {
  status: 'approved' | 'rejected';
  comment?: string | undefined;
  /** Name of the user, group or role of the represented rule. */
  represented_as?: string | undefined;
}

/** The deployment to decide on, the user who created it, and whether that user may approve it. */
export interface DecidedDeployment extends ApprovableDeployment {
  readonly user_id?: number | null;
  readonly own_approval: boolean;
}

const OWN =
  'You cannot approve your own deployment. This configuration can be adjusted in the protected environment settings.';
const NOT_ALLOWED =
  "You don't have permission to approve this deployment. Contact the project or group owner for help.";
const NOT_REPRESENTED =
  'There are no approval rules for the given `represent_as` parameter. Use a valid User/Group/Role name instead.';

/** Without rules, users who may deploy there may approve: every governing entry has to admit them. */
const isAdmitted = ({ governing }: ApprovalState): boolean =>
  governing.every(({ deploy_access_levels: levels }) => levels.some((level) => level.names));

/** Whether some rule, or where there are none what protects the environment, gives the caller a say. */
export function mayApproveBy(state: ApprovalState): boolean {
  if (requiredApprovals(state.governing) === 0) return false;
  const rules = getApprovalRules(state.governing);
  return rules.length === 0 ? isAdmitted(state) : rules.some((rule) => rule.names);
}

/** The rules that name the caller; null where there are no rules and they have a say all the same. @throws Invalid */
function fittingRules(state: ApprovalState): GoverningEntry[] | null {
  const rules = getApprovalRules(state.governing);
  if (rules.length === 0) {
    if (isAdmitted(state)) return null;
    throw new Invalid(NOT_ALLOWED);
  }
  const fitting = rules.filter((rule) => rule.names);
  if (fitting.length === 0) throw new Invalid(NOT_ALLOWED);
  return fitting;
}

/**
 * The rule that a decision is made by: the first one that names the caller, of those that are described so; null where
 * there are none. In the order of the contract (protected-environments.md section 7).
 * @throws Invalid
 */
export function ruleFor(
  ctx: SignedInContext,
  deployment: DecidedDeployment,
  state: ApprovalState,
  { status, represented_as: as }: Decision,
): GoverningEntry | null {
  if (state.governing.length === 0) throw new Invalid('This environment is not protected.');
  if (requiredApprovals(state.governing) === 0)
    throw new Invalid('Deployment approvals is not configured for this environment.');
  if (deployment.status !== 'blocked') throw new Invalid('This deployment is not waiting for approvals.');
  const isOwn = deployment.user_id === ctx.caller.id;
  if (isOwn && status === 'approved' && !deployment.own_approval) throw new Invalid(OWN);
  const fitting = fittingRules(state);
  if (fitting === null) return null;
  const chosen = as ? fitting.find((rule) => describeEnvironmentEntry(rule) === as) : fitting[0];
  if (!chosen) throw new Invalid(NOT_REPRESENTED);
  return chosen;
}

/** The caller's earlier decision under that rule. */
export const saidBefore = (
  ctx: SignedInContext,
  { approvals }: ApprovalState,
  rule: GoverningEntry | null,
): DeploymentApprovalRecord | undefined =>
  approvals.find(
    (one) =>
      one.user_id === ctx.caller.id && one.by_rule === (rule !== null) && one.approval_rule_id === (rule?.id ?? null),
  );

/**
 * Stores the caller's decision and replaces an earlier one under the same rule. The deployment must be locked.
 * @returns its id
 */
export async function storeDecision(
  ctx: SignedInContext,
  deployment: ApprovableDeployment,
  before: { id: number } | undefined,
  rule: GoverningEntry | null,
  { status, comment }: Decision,
): Promise<number> {
  const change = { status, comment: comment ?? null, updated_at: ctx.clock.now() };
  if (before) {
    await ctx.em.nativeUpdate(DeploymentApproval, { id: before.id }, change);
    return before.id;
  }
  return ctx.em.insert(DeploymentApproval, {
    ...change,
    project_id: deployment.project_id,
    deployment_id: deployment.id,
    user_id: ctx.caller.id,
    by_rule: rule !== null,
    approval_rule_id: rule?.id ?? null,
    created_at: change.updated_at,
  });
}
