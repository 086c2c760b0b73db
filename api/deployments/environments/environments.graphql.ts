import { Arg, Args, ArgsType, Ctx, Extensions, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import type { Load } from '../../../shared/core/context/loads.js';
import type { DeploymentRecord } from '../../../shared/deployments/deployments/deployment.entity.js';
import { listDeploymentsOfEnvironment } from '../../../shared/deployments/deployments/deployment.operations.js';
import { lastDeploymentsIn } from '../../../shared/deployments/deployments/last-deployment.js';
import { mayStop } from '../../../shared/deployments/deployments/may-deploy.js';
import {
  chooseEnvironment,
  chooseEnvironments,
} from '../../../shared/deployments/environments/environment.operations.js';
import { environmentPolicy } from '../../../shared/deployments/environments/environment.policy.js';
import type { EnvironmentRecord } from '../../../shared/deployments/environments/environment.entity.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import { ONE_OBJECT } from '../../core/graphql/guard-fields.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { withoutNulls } from '../../core/graphql/params.js';
import { RecordField, recordType } from '../../core/graphql/records.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { DeploymentType } from '../deployments/deployments.graphql.js';
import { DeploymentsOrderByInput, DeploymentStatus, DeploymentTier } from './environment-enums.graphql.js';

const EnvironmentPermissions = permissionsType('EnvironmentPermissions', environmentPolicy, {
  updateEnvironment: 'update_environment',
  destroyEnvironment: 'destroy_stopped_environment',
  stopEnvironment: 'stop_environment',
});

const DeploymentConnection = connectionType(DeploymentType, 'Deployment');

@ArgsType()
class DeploymentsArgs extends PageArgs {
  @Field(() => [DeploymentStatus], { nullable: true, description: 'Filter by statuses of the deployments.' })
  statuses?: string[] | null;

  @Field(() => DeploymentsOrderByInput, {
    nullable: true,
    description: 'Sort order of the deployments; defaults to order of creation.',
  })
  orderBy?: DeploymentsOrderByInput | null;
}

/** An environment for callers with access to it. */
@ObjectType('Environment', { description: 'Environment to which a project is deployed.' })
export class EnvironmentType extends recordType<EnvironmentRecord>('environment', 'Environment', {
  times: { nullable: true },
}) {
  @RecordField(() => String, { description: 'Name of the environment.' })
  declare readonly name: string;

  @RecordField(() => String, { nullable: true, description: 'Slug of the environment, for use in host names.' })
  declare readonly slug: string;

  @RecordField(() => String, { description: 'State of the environment: `available`, `stopping` or `stopped`.' })
  declare readonly state: string;

  @RecordField(() => DeploymentTier, { nullable: true, description: 'Deployment tier of the environment.' })
  declare readonly tier: string;

  @Field(() => String, { nullable: true, description: 'Folder of the name of the environment; null if there is none.' })
  get environmentType(): string | null {
    const [folder, ...rest] = this.record.name.split('/');
    return rest.length > 0 ? (folder ?? null) : null;
  }

  @RecordField(() => String, { nullable: true, description: 'URL at which the deployed application is available.' })
  declare readonly externalUrl: string | null;

  @Field(() => String, { description: 'Path of the page of the environment.' })
  get path(): string {
    return `/${this.record.project.full_path}/-/environments/${this.record.id}`;
  }

  @RecordField(() => String, { nullable: true, description: 'Description of the environment, as Markdown.' })
  declare readonly description: string | null;

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the environment stops automatically.' })
  declare readonly autoStopAt: Date | null;

  @Field(() => DeploymentType, {
    nullable: true,
    description:
      'Last deployment of the environment in the specified status; the last successful one is what is deployed.',
  })
  async lastDeployment(
    @Arg('status', () => DeploymentStatus, { description: 'Status of the deployment.' }) status: string,
  ): Promise<DeploymentType | null> {
    const last = lastDeploymentsIn.get(status) as Load<EnvironmentRecord, DeploymentRecord>;
    const found = await loadField(this.request, last, this.record);
    return found && new DeploymentType(found, this.request);
  }

  @Field(() => DeploymentConnection, {
    nullable: true,
    complexity: paged,
    description: 'Deployments of the environment; null for those who may not see them.',
  })
  @Extensions(ONE_OBJECT)
  async deployments(@Args(() => DeploymentsArgs) args: DeploymentsArgs): Promise<unknown> {
    const { createdAt, finishedAt } = args.orderBy ?? {};
    const order_by = finishedAt ? 'finished_at' : 'created_at';
    const params = { statuses: args.statuses ?? undefined, order_by, sort: finishedAt ?? createdAt ?? 'asc' };
    const { ctx } = this.request;
    const list = await invoke(ctx, listDeploymentsOfEnvironment, params, () => Promise.resolve(this.record));
    return connectionOf(this.request, list, args, (one) => new DeploymentType(one, this.request));
  }

  @Field(() => EnvironmentPermissions, { description: 'Permissions of the caller on the environment.' })
  async userPermissions(): Promise<unknown> {
    const permissions = new EnvironmentPermissions(this.request.ctx.caller, this.record);
    // What protects it comes on top of the role.
    return { ...permissions, stopEnvironment: (await loadField(this.request, mayStop, this.record)) === true };
  }
}

const EnvironmentConnection = connectionType(EnvironmentType, 'Environment', { count: true });

@ArgsType()
class ChoiceArgs {
  @Field(() => String, { nullable: true, description: 'Filter by exact name of the environment.' })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Filter by part of the name of the environment; at least 3 characters.',
  })
  search?: string | null;

  @Field(() => [String], { nullable: true, description: 'Filter by states of the environment.' })
  states?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Filter by folder of the name of the environment.' })
  type?: string | null;
}

/** The filters that are present; null counts as absent. */
const getFilters = ({ name, search, states, type }: ChoiceArgs) => withoutNulls({ name, search, states, type });

@Resolver(() => ProjectType)
export class EnvironmentsOfProjectResolver {
  @FieldResolver(() => EnvironmentConnection, {
    nullable: true,
    complexity: paged,
    description: 'Environments of the project; null for those who may not see them.',
  })
  @Extensions(ONE_OBJECT)
  async environments(
    @Root() project: ProjectType,
    @Args(() => ChoiceArgs) args: ChoiceArgs,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const list = await invoke(request.ctx, chooseEnvironments, getFilters(args), () => Promise.resolve(project.record));
    return connectionOf(request, list, page, (one) => new EnvironmentType(one, request));
  }

  @FieldResolver(() => EnvironmentType, {
    nullable: true,
    complexity: lookup,
    description: 'First environment that matches the filters; null if there is none, and for those who may not see it.',
  })
  async environment(
    @Root() project: ProjectType,
    @Args(() => ChoiceArgs) args: ChoiceArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<EnvironmentType | null> {
    const found = await invoke(request.ctx, chooseEnvironment, getFilters(args), () => Promise.resolve(project.record));
    return found && new EnvironmentType(found, request);
  }
}
