import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import { Args, Ctx, Extensions, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { ACCESS_LEVELS } from '../../../shared/core/operations/policy.js';
import { groupsById } from '../../../shared/tenancy/groups/group.finder.js';
import { countMatchingBranches } from '../../../shared/repositories/protected-refs/rule-names.js';
import { listProtectedBranches } from '../../../shared/repositories/protected-refs/protected-branch.operations.js';
import type { ProtectedBranchRecord } from '../../../shared/repositories/protected-refs/protected-branch.finder.js';
import { loadEntries } from '../../../shared/repositories/protected-refs/access-entries.js';
import { describeEntry } from '../../../shared/repositories/protected-refs/access-levels.js';
import type { AccessEntryRecord, RefAction } from '../../../shared/repositories/protected-refs/access-levels.js';
import { usersById } from '../../../shared/tenancy/users/user.finder.js';
import type { Context } from '../../../shared/core/context/context.js';
import { connectionOf, connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { globalId } from '../../core/graphql/global-ids.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';

/** The users that a rule allows to perform an action. */
@ObjectType()
abstract class AccessLevelFields {
  constructor(
    private readonly entry: AccessEntryRecord,
    private readonly request: GraphqlRequest,
  ) {}

  @Field(() => Int, {
    description:
      'Minimum role that has access; 0 for nobody. 40 if the access level is for one user, group, or deploy key.',
  })
  get accessLevel(): number {
    return this.entry.access_level ?? ACCESS_LEVELS.maintainer;
  }

  @Field(() => String, { description: 'Description of the role, user, group, or deploy key that has access.' })
  get accessLevelDescription(): string {
    return describeEntry(this.entry);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'User who has access.' })
  async user(): Promise<UserCoreType | null> {
    const { user_id: id } = this.entry;
    return id === null ? null : UserCoreType.of(await this.request.load(usersById, id), this.request);
  }

  @Field(() => GroupType, { nullable: true, description: 'Group that has access, if the caller may see the group.' })
  async group(): Promise<GroupType | null> {
    const { group_id: id } = this.entry;
    return id === null ? null : GroupType.of(await this.request.load(groupsById, id), this.request);
  }
}

@ObjectType('MergeAccessLevel', { description: 'Access level that may merge into protected branches.' })
class MergeAccessLevel extends AccessLevelFields {}

@ObjectType('PushAccessLevel', { description: 'Access level that may push to protected branches.' })
class PushAccessLevel extends AccessLevelFields {}

const MergeAccessLevelConnection = connectionType(MergeAccessLevel, 'MergeAccessLevel');
const PushAccessLevelConnection = connectionType(PushAccessLevel, 'PushAccessLevel');

const entriesOf = (ctx: Context, ids: readonly number[]) => loadEntries(ctx, 'branch', ids);

/** The protections that a rule applies to its branches. */
@ObjectType('BranchProtection', { description: 'Protection of the branches that a branch rule applies to.' })
class BranchProtectionType {
  constructor(
    private readonly rule: ProtectedBranchRecord,
    private readonly request: GraphqlRequest,
  ) {}

  async #entries(action: RefAction): Promise<AccessEntryRecord[]> {
    const entries = (await this.request.load(entriesOf, this.rule.id)) ?? [];
    return entries.filter((entry) => entry.action === action);
  }

  @Field(() => Boolean, { description: 'Indicates users who may push may also force push and overwrite history.' })
  get allowForcePush(): boolean {
    return this.rule.allow_force_push;
  }

  @Extensions(SHORT)
  @Field(() => MergeAccessLevelConnection, {
    nullable: true,
    description: 'Access levels that may merge into the branches.',
  })
  async mergeAccessLevels(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const entries = await this.#entries('merge');
    const node = (entry: AccessEntryRecord) => new MergeAccessLevel(entry, this.request);
    return connectionOfRecords(this.request, entries, args, ({ id }) => id, node);
  }

  @Extensions(SHORT)
  @Field(() => PushAccessLevelConnection, {
    nullable: true,
    description: 'Access levels that may push to the branches.',
  })
  async pushAccessLevels(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const entries = await this.#entries('push');
    const node = (entry: AccessEntryRecord) => new PushAccessLevel(entry, this.request);
    return connectionOfRecords(this.request, entries, args, ({ id }) => id, node);
  }
}

/** A protected branch, or a pattern of such (graphql.md section 5.7). */
@ObjectType('BranchRule', { description: 'Branch rule: the protection of branches of a name or a pattern.' })
class BranchRuleType {
  constructor(
    private readonly rule: ProtectedBranchRecord,
    private readonly project: ProjectRecord,
    private readonly request: GraphqlRequest,
  ) {}

  @Field(() => ID, { nullable: true, description: 'Global ID of the branch rule.' })
  get id(): string {
    return globalId('Projects::BranchRule', this.rule.id);
  }

  @Field(() => String, { description: 'Name of the branch, or a pattern with `*`.' })
  get name(): string {
    return this.rule.name;
  }

  @Field(() => Boolean, { description: 'Indicates the branch rule applies to exactly the default branch.' })
  get isDefault(): boolean {
    return this.rule.name === this.project.default_branch;
  }

  @Field(() => Boolean, { description: 'Indicates the branch rule protects its branches.' })
  get isProtected(): boolean {
    return true;
  }

  @Field(() => Int, { description: 'Number of existing branches that the branch rule applies to.' })
  async matchingBranchesCount(): Promise<number> {
    return (await this.request.load(countMatchingBranches, this.rule.id)) ?? 0;
  }

  @Field(() => BranchProtectionType, {
    nullable: true,
    description: 'Protection of the branches that the branch rule applies to.',
  })
  get branchProtection(): BranchProtectionType {
    return new BranchProtectionType(this.rule, this.request);
  }

  @Field(() => Time, { nullable: true, description: 'Timestamp of when the branch rule was created.' })
  get createdAt(): Date {
    return this.rule.created_at;
  }

  @Field(() => Time, { nullable: true, description: 'Timestamp of when the branch rule was last updated.' })
  get updatedAt(): Date {
    return this.rule.updated_at;
  }
}

const BranchRuleConnection = connectionType(BranchRuleType, 'BranchRule', { count: true });

@Resolver(() => ProjectType)
export class BranchRulesOfProjectResolver {
  @FieldResolver(() => BranchRuleConnection, {
    nullable: true,
    complexity: paged,
    description: 'Branch rules of the project; null for users below the Developer role.',
  })
  async branchRules(
    @Root() { record }: ProjectType,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const list = await invoke(request.ctx, listProtectedBranches, {}, () => Promise.resolve(record));
    return connectionOf(request, list, args, (rule) => new BranchRuleType(rule, record, request));
  }
}
