import type { Expression, SqlBool } from 'kysely';
import { anyOf } from '../../core/database/expressions.js';
import { readRows } from '../../core/database/prepared.js';
import { Forbidden, Invalid, NotFound } from '../../core/values/errors.js';
import { boolean, integer, list, oneOf, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { wantsApprovals } from '../deployment-approvals/approval-state.js';
import { environmentToDeployTo } from '../environments/create-environment.js';
import { environment } from '../environments/environment.finder.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import { requireDeployed } from './deployed-commit.js';
import { Deployment } from './deployment.entity.js';
import {
  deploymentConditions,
  deploymentFilterParams,
  deploymentOrder,
  requireTogether,
} from './deployment.filters.js';
import { deployedIn, deployment, findDeployments, findDeploymentByIid, onDeployments } from './deployment.finder.js';
import { DEPLOYMENT_STATUSES } from './deployment-statuses.js';
import { insertDeployment, sameAsDeployed } from './insert-deployment.js';
import type { NewDeployment } from './insert-deployment.js';
import { mayDeploy } from './may-deploy.js';

/** List a project's deployments. */
export const listDeployments = operation({
  name: 'listDeployments',
  summary: "List a project's deployments",
  resource: project,
  can: can(projectEnvironmentPolicy, 'read_deployment'),
  kind: 'read',
  statements: 6,
  params: deploymentFilterParams,
  run: async (_ctx, found, input) => {
    requireTogether(input);
    return { ...findDeployments(found, deploymentConditions(found.id, input)), order: deploymentOrder(input) };
  },
});

/** List the deployments of one environment, for GraphQL. */
export const listDeploymentsOfEnvironment = operation({
  name: 'listDeploymentsOfEnvironment',
  summary: 'List the deployments of an environment',
  resource: environment,
  kind: 'read',
  authentication: 'open',
  statements: 6,
  params: {
    statuses: optional(list(oneOf(DEPLOYMENT_STATUSES), { max: DEPLOYMENT_STATUSES.length })).describe(
      'Filter by status of the deployment, one or several.',
    ),
    order_by: deploymentFilterParams.order_by,
    sort: deploymentFilterParams.sort,
  },
  run: async (ctx, found, { statuses, order_by, sort }) => {
    if (!projectEnvironmentPolicy.read_deployment(ctx.caller, found.project)) throw new Forbidden();
    const where: Expression<SqlBool>[] = [onDeployments('d.environment_id', '=', found.id)];
    if (statuses !== undefined) where.push(onDeployments('d.status', '=', anyOf(statuses, 'text')));
    // Unfinished deployments do not appear in that order.
    if (order_by === 'finished_at') where.push(onDeployments('d.finished_at', 'is not', null));
    return { ...findDeployments(found.project, where), order: deploymentOrder({ order_by, sort }) };
  },
});

/** Read one deployment. */
export const getDeployment = operation({
  name: 'getDeployment',
  summary: 'Read a deployment',
  resource: deployment,
  kind: 'read',
  statements: 8,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Read one deployment by its number; null for none. */
export const getDeploymentByIid = operation({
  name: 'getDeploymentByIid',
  summary: 'Read a deployment by its number',
  resource: project,
  can: can(projectEnvironmentPolicy, 'read_deployment'),
  authentication: 'open',
  kind: 'read',
  params: { iid: integer().describe('Number of the deployment in its project.') },
  run: (ctx, found, { iid }) => findDeploymentByIid(ctx, found, iid),
});

/** Report a deployment to an environment, which is created if missing; the caller must be allowed to deploy to it. */
export const createDeployment = operation({
  name: 'createDeployment',
  summary: 'Create a deployment',
  resource: project,
  can: can(projectEnvironmentPolicy, 'create_deployment'),
  kind: 'write',
  statements: 22,
  params: {
    environment: text()
      .describe('Name of the environment.')
      .meta({ examples: ['production'] }),
    sha: text()
      .describe('Full ID of the commit that is deployed.')
      .meta({ examples: ['a91957a858320c0e17f3a0eca7cfacbff50ea29a'] }),
    ref: text()
      .describe('Branch or tag that is deployed.')
      .meta({ examples: ['main'] }),
    tag: boolean().describe('If `true`, `ref` is a tag.'),
    status: oneOf(['created', 'running', 'success', 'failed', 'canceled']).describe(
      'Status of the deployment; `created` waits to be run, and for approvals if its environment requires some.',
    ),
  },
  async run(ctx, found, { environment: name, ...attributes }) {
    const target = await environmentToDeployTo(ctx, found, name);
    if (!(await mayDeploy(ctx, target))) throw new Forbidden();
    const deployed: NewDeployment = { ...attributes, ...(await requireDeployed(ctx, found, attributes)) };
    // A finished or running deployment is never blocked (contract decision 18).
    if (attributes.status === 'created' && (await wantsApprovals(ctx, target))) deployed.status = 'blocked';
    return (await sameAsDeployed(ctx, target, deployed)) ?? insertDeployment(ctx, target, deployed);
  },
});

/** Delete a deployment that neither runs nor is what its environment has now: Maintainers and above. */
export const deleteDeployment = operation({
  name: 'deleteDeployment',
  summary: 'Delete a deployment',
  resource: deployment,
  can: {
    ability: 'destroy_deployment',
    rule: (caller, found) => projectEnvironmentPolicy.destroy_deployment(caller, found.project),
  },
  conditional: true,
  kind: 'write',
  async run(ctx, found) {
    if (found.status === 'running') throw new Invalid('Cannot destroy running deployment');
    const [last] = await readRows(ctx.em, deployedIn(found.environment_id).select('d.id'));
    if (last?.id === found.id) throw new Invalid('Deployment currently deployed to environment');
    if ((await ctx.em.nativeDelete(Deployment, { id: found.id })) === 0) throw new NotFound();
    ctx.record({
      type: 'deployment.deleted',
      deployment: found,
      environment: found.environment,
      project: found.project,
    });
  },
});
