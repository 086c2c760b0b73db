import type { Context } from '../../core/context/context.js';
import { governingEntries } from '../protected-environments/governing.js';
import type { GoverningEntry, GoverningEnvironment } from '../protected-environments/governing.js';
import type { DeployTarget } from '../protected-environments/governing-query.js';
import { loadApprovals } from './deployment-approval.finder.js';
import type { DeploymentApprovalRecord } from './deployment-approval.finder.js';

/** A deployment as far as its approvals go. */
export interface ApprovableDeployment {
  readonly id: number;
  readonly project_id: number;
  readonly status: string;
  readonly environment: { readonly id: number; readonly name: string; readonly tier: string };
}

/** What governs the approvals of a deployment, and the approvals given. */
export interface ApprovalState {
  /** What governs its environment now; with each entry whether it names the caller. */
  readonly governing: readonly GoverningEnvironment[];
  readonly approvals: readonly DeploymentApprovalRecord[];
}

/** The rules of everything that governs, from the project up. */
export const getApprovalRules = (governing: readonly GoverningEnvironment[]): GoverningEntry[] =>
  governing.flatMap(({ approval_rules: rules }) => rules);

/** Approvals that a deployment takes: by all rules together; where there are none, the largest number that is set. */
export function requiredApprovals(governing: readonly GoverningEnvironment[]): number {
  const rules = getApprovalRules(governing);
  if (rules.length > 0) return rules.reduce((sum, rule) => sum + rule.required_approvals, 0);
  return Math.max(0, ...governing.map(({ required_approval_count: count }) => count));
}

const countApproved = (
  approvals: readonly DeploymentApprovalRecord[],
  of: (one: DeploymentApprovalRecord) => boolean,
) => approvals.filter((one) => one.status === 'approved' && of(one)).length;

/** Approvals that are still missing: of each rule its own, since more of one make up for none of another. */
export function missingApprovals({ governing, approvals }: ApprovalState): number {
  const rules = getApprovalRules(governing);
  if (rules.length === 0)
    return Math.max(0, requiredApprovals(governing) - countApproved(approvals, (one) => !one.by_rule));
  return rules.reduce((missing, { id, required_approvals: required }) => {
    return missing + Math.max(0, required - countApproved(approvals, (one) => one.approval_rule_id === id));
  }, 0);
}

const getTarget = ({ project_id, environment: { name, tier } }: ApprovableDeployment): DeployTarget => ({
  project_id,
  name,
  tier,
});

/** The approval states of many deployments, by their ids. Two statements. */
export async function approvalStates(
  ctx: Context,
  deployments: readonly Readonly<ApprovableDeployment>[],
): Promise<Map<number, ApprovalState>> {
  const environments = [...new Map(deployments.map((one) => [one.environment.id, one])).values()];
  const [approvals, governing] = await Promise.all([
    loadApprovals(
      ctx,
      deployments.map(({ id }) => id),
    ),
    governingEntries(ctx, environments.map(getTarget)),
  ]);
  const byEnvironment = new Map(environments.map(({ environment }, index) => [environment.id, governing[index] ?? []]));
  return new Map(
    deployments.map(({ id, environment }) => [
      id,
      { governing: byEnvironment.get(environment.id) ?? [], approvals: approvals.get(id) ?? [] },
    ]),
  );
}

/** Whether deployments to a target wait for approvals. One statement. */
export async function wantsApprovals(ctx: Context, target: DeployTarget): Promise<boolean> {
  const [governing = []] = await governingEntries(ctx, [target]);
  return requiredApprovals(governing) > 0;
}

/** Whether a deployment still waits for an approval. */
export async function waitsForApprovals(ctx: Context, deployment: ApprovableDeployment): Promise<boolean> {
  if (deployment.status !== 'blocked') return false;
  const state = (await approvalStates(ctx, [deployment])).get(deployment.id);
  return state !== undefined && missingApprovals(state) > 0;
}
