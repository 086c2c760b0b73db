import { expressionBuilder } from 'kysely';
import type { InferResult } from 'kysely';
import type { SignedInContext } from '../../core/context/context.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { integer, optional } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { ACCESS_LEVELS, roleIn } from '../../core/operations/policy.js';
import { projectAccess, today } from '../../tenancy/namespaces/access.js';
import { readOnly } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { requiredApprovals } from '../deployment-approvals/approval-state.js';
import { environment } from '../environments/environment.finder.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import { governingEntries, governingOfUser } from '../protected-environments/governing.js';
import type { GoverningEnvironment } from '../protected-environments/governing.js';
import { load } from '../../core/context/loads.js';
import type { EnvironmentRecord } from '../environments/environment.entity.js';

/** Whether a user may deploy, and why. */
export interface DeployVerdict {
  user_id: number;
  may_deploy: boolean;
  reason: string;
}

/** What governs an environment, and what that means for a user. */
export interface DeployRights {
  governing: readonly GoverningEnvironment[];
  required_approvals: number;
  /** The verdict about the requested user; null if none was requested. */
  verdict: DeployVerdict | null;
}

/** The fields of a user that decide whether they may deploy. */
const userDetailsQuery = (ctx: SignedInContext, project: ProjectRecord, id: number) =>
  expressionBuilder<DeploymentsDatabase>()
    .selectFrom(['users as u', 'projects as p'])
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .select(['u.id', 'u.admin', 'u.state', projectAccess(id, today(ctx)).as('access')])
    .where('u.id', '=', id)
    .where('p.id', '=', project.id);

type DeployUser = InferResult<ReturnType<typeof userDetailsQuery>>[number];

const getRights = (governing: readonly GoverningEnvironment[], verdict: DeployVerdict | null): DeployRights => ({
  governing,
  required_approvals: requiredApprovals(governing),
  verdict,
});

const getName = ({ name, container }: GoverningEnvironment) => `${name} of ${container.kind} ${container.full_path}`;

/** The first thing that stops a user; null when nothing does. */
function obstacle(project: ProjectRecord, user: DeployUser, governing: readonly GoverningEnvironment[]): string | null {
  if (user.state !== 'active') return `The user is ${user.state}`;
  if (readOnly(project)) return 'The project is read-only';
  if (!user.admin && user.access < ACCESS_LEVELS.developer) return 'The role in the project is below Developer';
  const closed = governing.filter(({ deploy_access_levels: levels }) => !levels.some((level) => level.names));
  return closed.length === 0 ? null : `Not admitted by protected environment ${closed.map(getName).join(', ')}`;
}

function verdictOn(
  project: ProjectRecord,
  user: DeployUser,
  governing: readonly GoverningEnvironment[],
): DeployVerdict {
  const stopped = obstacle(project, user, governing);
  const admitted =
    governing.length === 0
      ? 'The environment is not protected: Developers and above deploy there'
      : `Admitted by protected environment ${governing.map(getName).join(', ')}`;
  const reason = stopped ?? (user.admin ? 'Administrators may always deploy' : admitted);
  return { user_id: user.id, may_deploy: stopped === null, reason };
}

/**
 * Read who may deploy to an environment: every protection rule from the project up to the root group, and for one user
 * whether they may deploy, and why. Developers may query themselves, Maintainers any user. A superset of the public
 * API.
 */
export const whoMayDeploy = operation({
  name: 'whoMayDeploy',
  summary: 'Read the deploy rights of an environment',
  resource: environment,
  can: {
    ability: 'read_deploy_rights',
    rule: (caller, found) => projectEnvironmentPolicy.read_deploy_rights(caller, found.project),
  },
  kind: 'read',
  statements: 4,
  params: { user_id: optional(integer()).describe('ID of the user whose right to deploy is checked.') },
  async run(ctx, found, { user_id: userId }): Promise<DeployRights> {
    if (userId !== undefined && userId !== ctx.caller.id && !roleIn(ctx.caller, found.project, 'maintainer'))
      throw new Forbidden();
    if (userId === undefined) {
      const [governing = []] = await governingEntries(ctx, [found], { id: 0, admin: false });
      return getRights(governing, null);
    }
    const evaluation = await governingOfUser(ctx, found, userId, userDetailsQuery(ctx, found.project, userId));
    if (!evaluation) throw new NotFound('User');
    return getRights(evaluation.governing, verdictOn(found.project, evaluation.details, evaluation.governing));
  },
});

/**
 * The protections that govern each of a page of environments, for callers who may read the deploy rights. One
 * statement.
 */
export const governingOfEnvironments = load(
  (environment: Readonly<EnvironmentRecord>) => environment.id,
  async (ctx, environments): Promise<Map<number, GoverningEnvironment[]>> => {
    const open = environments.filter(({ project }) => projectEnvironmentPolicy.read_deploy_rights(ctx.caller, project));
    const governing = await governingEntries(ctx, open);
    return new Map(open.map(({ id }, index) => [id, governing[index] ?? []]));
  },
);
