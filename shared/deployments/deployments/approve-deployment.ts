import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { oneOf, optional, text } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { approvalStates, missingApprovals } from '../deployment-approvals/approval-state.js';
import type { ApprovalState } from '../deployment-approvals/approval-state.js';
import { loadApprovals } from '../deployment-approvals/deployment-approval.finder.js';
import type { DeploymentApprovalRecord } from '../deployment-approvals/deployment-approval.finder.js';
import { ruleFor, saidBefore, storeDecision } from '../deployment-approvals/give-approval.js';
import type { Decision } from '../deployment-approvals/give-approval.js';
import { ownApprovals } from '../deployment-approvals/may-approve.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import { describeEnvironmentEntry } from '../protected-environments/environment-entries.js';
import { deployment } from './deployment.finder.js';
import type { DeploymentRecord } from './deployment.entity.js';
import { setDeploymentStatus } from './update-deployment.js';

const MAX_COMMENT = 255;

/** A rejection ends it, the last approval lets it run (contract decision 18). */
async function goOn(ctx: SignedInContext, found: DeploymentRecord, state: ApprovalState, status: Decision['status']) {
  if (status === 'rejected') await setDeploymentStatus(ctx, found, 'failed');
  else if (missingApprovals(state) === 0) await setDeploymentStatus(ctx, found, 'created');
}

/** @throws Invalid */
async function decide(
  ctx: SignedInContext,
  found: DeploymentRecord,
  decision: Decision,
): Promise<DeploymentApprovalRecord> {
  const state = (await approvalStates(ctx, [found])).get(found.id) as ApprovalState;
  const own = await ownApprovals(ctx, [found.project_id]);
  const decided = { ...found, own_approval: own.has(found.project_id) };
  const rule = ruleFor(ctx, decided, state, decision);
  const before = saidBefore(ctx, state, rule);
  // Saying it again changes nothing.
  if (before?.status === decision.status) return before;
  const id = await storeDecision(ctx, found, before, rule, decision);
  const approvals = (await loadApprovals(ctx, [found.id])).get(found.id) ?? [];
  const { environment, project } = found;
  ctx.record({
    type: `deployment.${decision.status}`,
    deployment: found,
    environment,
    project,
    represented_as: rule && describeEnvironmentEntry(rule),
    comment: decision.comment ?? null,
  });
  await goOn(ctx, found, { ...state, approvals }, decision.status);
  return approvals.find((one) => one.id === id) as DeploymentApprovalRecord;
}

/** Approve or reject a blocked deployment; the caller must match an approval rule of its environment. */
export const approveDeployment = operation({
  name: 'approveDeployment',
  summary: 'Approve or reject a blocked deployment',
  resource: deployment,
  can: {
    ability: 'approve_deployment',
    rule: (caller, found) => projectEnvironmentPolicy.approve_deployment(caller, found.project),
  },
  kind: 'write',
  plan: 'premium',
  statements: 20,
  params: {
    status: oneOf(['approved', 'rejected']).describe('Decision on the deployment.'),
    comment: optional(text()).describe('Reason for the decision, in at most 255 characters.'),
    represented_as: optional(text()).describe(
      'Name of the user, group or role whose rule the decision is made under, if several rules name the caller.',
    ),
  },
  run(ctx, found, decision) {
    if ([...(decision.comment ?? '')].length > MAX_COMMENT)
      throw new Invalid(`Comment is too long (maximum is ${MAX_COMMENT} characters)`);
    return decide(ctx, found, decision);
  },
});
