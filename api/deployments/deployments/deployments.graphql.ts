import { Arg, Ctx, Extensions, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { getDeploymentByIid } from '../../../shared/deployments/deployments/deployment.operations.js';
import type { DeploymentRecord } from '../../../shared/deployments/deployments/deployment.entity.js';
import {
  approvalCounts,
  approvalLoad,
} from '../../../shared/deployments/deployment-approvals/deployment-approval.serializer.js';
import { mayApprove } from '../../../shared/deployments/deployment-approvals/may-approve.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { Time } from '../../core/graphql/scalars.js';
import { RecordField, recordType } from '../../core/graphql/records.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { DeploymentStatus } from '../environments/environment-enums.graphql.js';

@ObjectType('DeploymentApproval', { description: 'Approval or rejection of a deployment.', simpleResolvers: true })
class DeploymentApprovalType {
  @Field(() => UserCoreType, { nullable: true, description: 'User who approved or rejected the deployment.' })
  user!: UserCoreType | null;

  @Field(() => String, { nullable: true, description: 'Status of the approval: `approved` or `rejected`.' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'Comment that explains the approval or rejection.' })
  comment!: string | null;

  @Field(() => Time, {
    nullable: true,
    description: 'Timestamp of when the user first approved or rejected the deployment.',
  })
  createdAt!: Date;
}

@ObjectType('DeploymentApprovalSummary', {
  description: 'Summary of the approvals that a deployment requires.',
  simpleResolvers: true,
})
class DeploymentApprovalSummaryType {
  @Field(() => Int, { nullable: true, description: 'Total number of required approvals.' })
  totalRequiredApprovals!: number;

  @Field(() => Int, { nullable: true, description: 'Number of approvals that are still pending.' })
  totalPendingApprovalCount!: number;
}

@ObjectType('DeploymentPermissions', {
  description: 'Permissions of the caller on the deployment.',
  simpleResolvers: true,
})
class DeploymentPermissionsType {
  @Field(() => Boolean, {
    description: 'Indicates the deployment is waiting for approval and the caller may approve it.',
  })
  approveDeployment!: boolean;
}

/** A deployment for callers with access to it. */
@ObjectType('Deployment', { description: 'Deployment of a commit to an environment.' })
export class DeploymentType extends recordType<DeploymentRecord>('deployment', 'Deployment', {
  times: { nullable: true },
}) {
  @RecordField(() => ID, { description: 'Internal ID of the deployment within the project.' })
  declare readonly iid: number;

  @RecordField(() => String, { nullable: true, description: 'Short name of the branch or tag.' })
  declare readonly ref: string;

  @RecordField(() => Boolean, { nullable: true, description: 'Indicates the ref is a tag.' })
  declare readonly tag: boolean;

  @RecordField(() => String, { nullable: true, description: 'SHA of the commit.' })
  declare readonly sha: string;

  @RecordField(() => DeploymentStatus, { nullable: true, description: 'Status of the deployment.' })
  declare readonly status: string;

  @Field(() => UserCoreType, { nullable: true, description: 'User who created the deployment.' })
  get triggerer(): UserCoreType | null {
    return UserCoreType.of(this.record.user, this.request);
  }

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the deployment finished.' })
  declare readonly finishedAt: Date | null;

  @Extensions(SHORT)
  @Field(() => [DeploymentApprovalType], {
    nullable: true,
    description: 'Approvals and rejections of the deployment, oldest first.',
  })
  async approvals(): Promise<DeploymentApprovalType[]> {
    const state = await loadField(this.request, approvalLoad, this.record);
    return (state?.approvals ?? []).map(({ user, status, comment = null, created_at: createdAt }) => ({
      user: UserCoreType.of(user, this.request),
      status,
      comment,
      createdAt,
    }));
  }

  @Field(() => DeploymentApprovalSummaryType, {
    nullable: true,
    description: 'Summary of the approvals that the deployment requires.',
  })
  async approvalSummary(): Promise<DeploymentApprovalSummaryType> {
    const state = await loadField(this.request, approvalLoad, this.record);
    const { required, pending } = approvalCounts(this.record, state ?? { governing: [], approvals: [] });
    return { totalRequiredApprovals: required, totalPendingApprovalCount: pending };
  }

  @Field(() => DeploymentPermissionsType, { description: 'Permissions of the caller on the deployment.' })
  async userPermissions(): Promise<DeploymentPermissionsType> {
    return { approveDeployment: (await loadField(this.request, mayApprove, this.record)) === true };
  }
}

@Resolver(() => ProjectType)
export class DeploymentOfProjectResolver {
  @FieldResolver(() => DeploymentType, {
    nullable: true,
    description: 'Deployment of the project; null for those who may not see it.',
  })
  async deployment(
    @Root() project: ProjectType,
    @Arg('iid', () => ID, { description: 'Internal ID of the deployment within the project.' }) iid: string,
    @Ctx() request: GraphqlRequest,
  ): Promise<DeploymentType | null> {
    const found = await invoke(request.ctx, getDeploymentByIid, { iid }, () => Promise.resolve(project.record));
    return found && new DeploymentType(found, request);
  }
}
