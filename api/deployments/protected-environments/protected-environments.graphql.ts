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
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { AccessLevelType } from '../../tenancy/groups/group-members.graphql.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { EnvironmentType } from '../environments/environments.graphql.js';

/** Whom an entry names: one of the three. */
@ObjectType()
abstract class EntryFields {
  constructor(
    protected readonly entry: GoverningEntry,
    private readonly request: GraphqlRequest,
  ) {}

  @Field(() => AccessLevelType, { nullable: true, description: 'Everybody with at least this role.' })
  get accessLevel(): AccessLevelType | null {
    const { access_level: level } = this.entry;
    return level === null ? null : new AccessLevelType(level);
  }

  @Field(() => String, { nullable: true, description: 'Who it is, in words; null for administrators.' })
  get accessLevelDescription(): string | null {
    return describeEnvironmentEntry(this.entry);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'The user that it names.' })
  async user(): Promise<UserCoreType | null> {
    const { user_id: id } = this.entry;
    return id === null ? null : UserCoreType.of(await this.request.load(usersById, id), this.request);
  }

  @Field(() => GroupType, { nullable: true, description: 'The group that it names, if the caller sees it.' })
  async group(): Promise<GroupType | null> {
    const { group_id: id } = this.entry;
    return id === null ? null : GroupType.of(await this.request.load(groupsById, id), this.request);
  }
}

@ObjectType('ProtectedEnvironmentDeployAccessLevel', { description: 'Who may deploy.' })
class DeployAccessLevelType extends EntryFields {}

@ObjectType('ProtectedEnvironmentApprovalRule', { description: 'Who has to approve deployments.' })
class ApprovalRuleType extends EntryFields {
  @Field(() => Int, { nullable: true, description: 'How many of them have to approve.' })
  get requiredApprovals(): number {
    return this.entry.required_approvals;
  }
}

const DeployAccessLevelConnection = connectionType(DeployAccessLevelType, 'ProtectedEnvironmentDeployAccessLevel');
const ApprovalRuleConnection = connectionType(ApprovalRuleType, 'ProtectedEnvironmentApprovalRule');

/** A protected environment that governs an environment (graphql.md section 5.7). */
@ObjectType('ProtectedEnvironment', { description: 'Who may deploy to an environment, and whose approval it takes.' })
class ProtectedEnvironmentType {
  constructor(
    private readonly record: GoverningEnvironment,
    private readonly environment: EnvironmentType,
    private readonly request: GraphqlRequest,
  ) {}

  @Field(() => String, { nullable: true, description: 'Of a project the environment, of a group the tier.' })
  get name(): string {
    return this.record.name;
  }

  @Field(() => ProjectType, {
    nullable: true,
    description: 'The project that it belongs to; null for that of a group.',
  })
  get project(): ProjectType | null {
    const { project } = this.environment.record;
    return this.record.container.kind === 'project' ? new ProjectType(project, this.request) : null;
  }

  @Field(() => GroupType, { nullable: true, description: 'The group that it belongs to; null for that of a project.' })
  async group(): Promise<GroupType | null> {
    const { kind, id } = this.record.container;
    return kind === 'project' ? null : GroupType.of(await this.request.load(groupsById, id), this.request);
  }

  @Extensions(SHORT)
  @Field(() => DeployAccessLevelConnection, { nullable: true, description: 'Who may deploy.' })
  deployAccessLevels(@Args(() => PageArgs) args: PageArgs): unknown {
    const node = (entry: GoverningEntry) => new DeployAccessLevelType(entry, this.request);
    return connectionOfRecords(this.request, this.record.deploy_access_levels, args, ({ id }) => id, node);
  }

  @Extensions(SHORT)
  @Field(() => ApprovalRuleConnection, { nullable: true, description: 'Who has to approve deployments.' })
  approvalRules(@Args(() => PageArgs) args: PageArgs): unknown {
    const node = (entry: GoverningEntry) => new ApprovalRuleType(entry, this.request);
    return connectionOfRecords(this.request, this.record.approval_rules, args, ({ id }) => id, node);
  }
}

const ProtectedEnvironmentConnection = connectionType(ProtectedEnvironmentType, 'ProtectedEnvironment');

@Resolver(() => EnvironmentType)
export class ProtectedEnvironmentsOfEnvironmentResolver {
  @Extensions(SHORT)
  @FieldResolver(() => ProtectedEnvironmentConnection, {
    nullable: true,
    description: 'What protects it, from the project up to the root group; null below Developer.',
  })
  async protectedEnvironments(
    @Root() environment: EnvironmentType,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const governing = await loadedOf(request, governingOfEnvironments, environment.record);
    const node = (one: GoverningEnvironment) => new ProtectedEnvironmentType(one, environment, request);
    return governing && connectionOfRecords(request, governing, args, ({ id }) => id, node);
  }
}
