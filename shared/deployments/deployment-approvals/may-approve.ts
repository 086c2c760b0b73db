import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import { approvalStates } from './approval-state.js';
import type { ApprovableDeployment } from './approval-state.js';
import { mayApproveBy } from './give-approval.js';

/** A deployment with its project and who made it. */
interface WaitingDeployment extends ApprovableDeployment {
  readonly project: ProjectRecord;
  readonly user_id?: number | null;
}

const findOwnApprovals = prepareQuery(
  (db: Kysely<DeploymentsDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
    db
      .selectFrom('project_settings as s')
      .select('s.project_id')
      .where('s.project_id', '=', anyOf(ids, 'bigint'))
      .where((eb) => eb.ref('s.allow_pipeline_trigger_approve_deployment')),
);

/** The projects in which the user who created a deployment may also approve it. One statement. */
export async function ownApprovals(ctx: Context, projectIds: readonly number[]): Promise<Set<number>> {
  const found = await findOwnApprovals(ctx, { ids: projectIds });
  return new Set(found.map(({ project_id: id }) => id));
}

/**
 * Which of some deployments wait for an approval that the caller may give: by role, and by the rules of what protects
 * their environments (protected-environments.md section 7). Three statements.
 */
export const mayApprove = load(
  ({ id }: WaitingDeployment) => id,
  async (ctx, deployments): Promise<Map<number, boolean>> => {
    const { caller } = ctx;
    const blocked = deployments.filter(
      ({ status, project }) =>
        status === 'blocked' &&
        ctx.hasPlan('premium') &&
        !caller.anonymous &&
        projectEnvironmentPolicy.approve_deployment(caller, project),
    );
    if (blocked.length === 0) return new Map();
    const projects = [...new Set(blocked.map(({ project_id: id }) => id))];
    const [states, own] = await Promise.all([approvalStates(ctx, blocked), ownApprovals(ctx, projects)]);
    return new Map(
      blocked.map((one) => {
        const state = states.get(one.id) ?? { governing: [], approvals: [] };
        return [one.id, mayApproveBy(state) && (one.user_id !== caller.id || own.has(one.project_id))];
      }),
    );
  },
);
