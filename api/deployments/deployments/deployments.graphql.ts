import { Arg, Ctx, Extensions, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { getDeploymentByIid } from '../../../shared/deployments/deployments/deployment.operations.js';
import type { DeploymentRecord } from '../../../shared/deployments/deployments/deployment.entity.js';
import {
  approvalCounts,
  approvalLoad,
} from '../../../shared/deployments/deployment-approvals/deployment-approval.serializer.js';
import { mayApprove } from '../../../shared/deployments/deployment-approvals/may-approve.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { globalId } from '../../core/graphql/global-ids.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { Time } from '../../core/graphql/scalars.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { DeploymentStatus } from '../environments/environment-enums.graphql.js';

@ObjectType('DeploymentApproval', { description: 'What somebody said about a deployment.', simpleResolvers: true })
class DeploymentApprovalType {
  @Field(() => UserCoreType, { nullable: true, description: 'Who said it.' })
  user!: UserCoreType | null;

  @Field(() => String, { nullable: true, description: '`approved` or `rejected`.' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'Why.' })
  comment!: string | null;

  @Field(() => Time, { nullable: true, description: 'When it was first said.' })
  createdAt!: Date;
}

@ObjectType('DeploymentApprovalSummary', { description: 'Approvals that a deployment takes.', simpleResolvers: true })
class DeploymentApprovalSummaryType {
  @Field(() => Int, { nullable: true, description: 'All of them.' })
  totalRequiredApprovals!: number;

  @Field(() => Int, { nullable: true, description: 'Those that it still waits for.' })
  totalPendingApprovalCount!: number;
}

@ObjectType('DeploymentPermissions', { description: 'What the caller may do.', simpleResolvers: true })
class DeploymentPermissionsType {
  @Field(() => Boolean, { description: 'Whether it waits for an approval that the caller may give.' })
  approveDeployment!: boolean;
}

/** A deployment as a caller who may see it sees it. */
@ObjectType('Deployment', { description: 'One time that a commit was brought to an environment.' })
export class DeploymentType {
  constructor(
    readonly record: DeploymentRecord,
    readonly request: GraphqlRequest,
  ) {}

  @Field(() => ID, { description: 'Global id.' })
  get id(): string {
    return globalId('Deployment', this.record.id);
  }

  @Field(() => ID, { description: 'Number within the project.' })
  get iid(): string {
    return String(this.record.iid);
  }

  @Field(() => String, { nullable: true, description: 'Short name of the branch or tag.' })
  get ref(): string {
    return this.record.ref;
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether that is a tag.' })
  get tag(): boolean {
    return this.record.tag;
  }

  @Field(() => String, { nullable: true, description: 'Id of the commit.' })
  get sha(): string {
    return this.record.sha;
  }

  @Field(() => DeploymentStatus, { nullable: true, description: 'How far it is.' })
  get status(): string {
    return this.record.status;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who made it.' })
  get triggerer(): UserCoreType | null {
    return UserCoreType.of(this.record.user, this.request);
  }

  @Field(() => Time, { nullable: true, description: 'When it was made.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { nullable: true, description: 'When it last changed.' })
  get updatedAt(): Date {
    return this.record.updated_at;
  }

  @Field(() => Time, { nullable: true, description: 'When it ended.' })
  get finishedAt(): Date | null {
    return this.record.finished_at ?? null;
  }

  @Extensions(SHORT)
  @Field(() => [DeploymentApprovalType], { nullable: true, description: 'What was said about it, the first first.' })
  async approvals(): Promise<DeploymentApprovalType[]> {
    const state = await loadedOf(this.request, approvalLoad, this.record);
    return (state?.approvals ?? []).map(({ user, status, comment = null, created_at: createdAt }) => ({
      user: UserCoreType.of(user, this.request),
      status,
      comment,
      createdAt,
    }));
  }

  @Field(() => DeploymentApprovalSummaryType, { nullable: true, description: 'How many approvals it takes.' })
  async approvalSummary(): Promise<DeploymentApprovalSummaryType> {
    const state = await loadedOf(this.request, approvalLoad, this.record);
    const { required, pending } = approvalCounts(this.record, state ?? { governing: [], approvals: [] });
    return { totalRequiredApprovals: required, totalPendingApprovalCount: pending };
  }

  @Field(() => DeploymentPermissionsType, { description: 'What the caller may do with it.' })
  async userPermissions(): Promise<DeploymentPermissionsType> {
    return { approveDeployment: (await loadedOf(this.request, mayApprove, this.record)) === true };
  }
}

@Resolver(() => ProjectType)
export class DeploymentOfProjectResolver {
  @FieldResolver(() => DeploymentType, {
    nullable: true,
    description: 'One deployment; null for those who may not see it.',
  })
  async deployment(
    @Root() project: ProjectType,
    @Arg('iid', () => ID, { description: 'Number within the project.' }) iid: string,
    @Ctx() request: GraphqlRequest,
  ): Promise<DeploymentType | null> {
    const found = await invoke(request.ctx, getDeploymentByIid, { iid }, () => Promise.resolve(project.record));
    return found && new DeploymentType(found, request);
  }
}
