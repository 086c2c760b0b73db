import { Args, Ctx, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { governingOfEnvironments } from '../../../shared/deployments/deploy-rights/who-may-deploy.js';
import { describeEnvironmentEntry } from '../../../shared/deployments/protected-environments/environment-entries.js';
import type {
  GoverningEntry,
  GoverningEnvironment,
} from '../../../shared/deployments/protected-environments/governing.js';
import { groupsById } from '../../../shared/tenancy/groups/group.finder.js';
import { usersById } from '../../../shared/tenancy/users/user.finder.js';
import { connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { pageOfRecords, RecordField, RecordObject } from '../../core/graphql/records.js';
import { AccessLevelType } from '../../tenancy/groups/group-members.graphql.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { EnvironmentType } from '../environments/environments.graphql.js';

/** The grantee of an entry: exactly one of the three. */
@ObjectType()
abstract class EntryFields extends RecordObject<GoverningEntry> {
  @Field(() => AccessLevelType, { nullable: true, description: 'Minimum role of the users that the entry applies to.' })
  get accessLevel(): AccessLevelType | null {
    const { access_level: level } = this.record;
    return level === null ? null : new AccessLevelType(level);
  }

  @Field(() => String, {
    nullable: true,
    description: 'Human-readable description of who the entry applies to; null for administrators.',
  })
  get accessLevelDescription(): string | null {
    return describeEnvironmentEntry(this.record);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'User that the entry applies to.' })
  async user(): Promise<UserCoreType | null> {
    const { user_id: id } = this.record;
    return id === null ? null : UserCoreType.of(await this.request.load(usersById, id), this.request);
  }

  @Field(() => GroupType, { nullable: true, description: 'Group that the entry applies to, if the caller may see it.' })
  async group(): Promise<GroupType | null> {
    const { group_id: id } = this.record;
    return id === null ? null : GroupType.of(await this.request.load(groupsById, id), this.request);
  }
}

@ObjectType('ProtectedEnvironmentDeployAccessLevel', {
  description: 'Access level that permits deploying to a protected environment.',
})
class DeployAccessLevelType extends EntryFields {}

@ObjectType('ProtectedEnvironmentApprovalRule', {
  description: 'Approval rule for deployments to a protected environment.',
})
class ApprovalRuleType extends EntryFields {
  @RecordField(() => Int, { nullable: true, description: 'Number of approvals that the rule requires.' })
  declare readonly requiredApprovals: number;
}

const DeployAccessLevelConnection = connectionType(DeployAccessLevelType, 'ProtectedEnvironmentDeployAccessLevel');
const ApprovalRuleConnection = connectionType(ApprovalRuleType, 'ProtectedEnvironmentApprovalRule');

/** A protected environment that governs an environment (graphql.md section 5.7). */
@ObjectType('ProtectedEnvironment', {
  description: 'Protected environment: who may deploy to it, and whose approval is required.',
})
class ProtectedEnvironmentType {
  constructor(
    readonly record: GoverningEnvironment,
    private readonly environment: EnvironmentType,
    private readonly request: GraphqlRequest,
  ) {}

  @RecordField(() => String, {
    nullable: true,
    description: 'Name of the environment for a project, or of the tier for a group.',
  })
  declare readonly name: string;

  @Field(() => ProjectType, {
    nullable: true,
    description: 'Project that the protected environment belongs to; null if it belongs to a group.',
  })
  get project(): ProjectType | null {
    const { project } = this.environment.record;
    return this.record.container.kind === 'project' ? new ProjectType(project, this.request) : null;
  }

  @Field(() => GroupType, {
    nullable: true,
    description: 'Group that the protected environment belongs to; null if it belongs to a project.',
  })
  async group(): Promise<GroupType | null> {
    const { kind, id } = this.record.container;
    return kind === 'project' ? null : GroupType.of(await this.request.load(groupsById, id), this.request);
  }

  @Extensions(SHORT)
  @Field(() => DeployAccessLevelConnection, { nullable: true, description: 'Access levels that permit deploying.' })
  deployAccessLevels(@Args(() => PageArgs) args: PageArgs): unknown {
    return pageOfRecords(this.request, this.record.deploy_access_levels, args, DeployAccessLevelType);
  }

  @Extensions(SHORT)
  @Field(() => ApprovalRuleConnection, { nullable: true, description: 'Approval rules for deployments.' })
  approvalRules(@Args(() => PageArgs) args: PageArgs): unknown {
    return pageOfRecords(this.request, this.record.approval_rules, args, ApprovalRuleType);
  }
}

const ProtectedEnvironmentConnection = connectionType(ProtectedEnvironmentType, 'ProtectedEnvironment');

@Resolver(() => EnvironmentType)
export class ProtectedEnvironmentsOfEnvironmentResolver {
  @Extensions(SHORT)
  @FieldResolver(() => ProtectedEnvironmentConnection, {
    nullable: true,
    description:
      'Protected environments that apply to the environment, from the project up to the root group; null for roles below Developer.',
  })
  async protectedEnvironments(
    @Root() environment: EnvironmentType,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const governing = await loadField(request, governingOfEnvironments, environment.record);
    const node = (one: GoverningEnvironment) => new ProtectedEnvironmentType(one, environment, request);
    return governing && connectionOfRecords(request, governing, args, ({ id }) => id, node);
  }
}
