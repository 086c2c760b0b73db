import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import { Args, Ctx, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
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
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { pageOfRecords, RecordField, RecordObject, recordType } from '../../core/graphql/records.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';

/** The users that a rule allows to perform an action. */
@ObjectType()
abstract class AccessLevelFields extends RecordObject<AccessEntryRecord> {
  @Field(() => Int, {
    description:
      'Minimum role that has access; 0 for nobody. 40 if the access level is for one user, group, or deploy key.',
  })
  get accessLevel(): number {
    return this.record.access_level ?? ACCESS_LEVELS.maintainer;
  }

  @Field(() => String, { description: 'Description of the role, user, group, or deploy key that has access.' })
  get accessLevelDescription(): string {
    return describeEntry(this.record);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'User who has access.' })
  async user(): Promise<UserCoreType | null> {
    const { user_id: id } = this.record;
    return id === null ? null : UserCoreType.of(await this.request.load(usersById, id), this.request);
  }

  @Field(() => GroupType, { nullable: true, description: 'Group that has access, if the caller may see the group.' })
  async group(): Promise<GroupType | null> {
    const { group_id: id } = this.record;
    return id === null ? null : GroupType.of(await this.request.load(groupsById, id), this.request);
  }
}

@ObjectType('MergeAccessLevel', { description: 'Access level that may merge into protected branches.' })
class MergeAccessLevel extends AccessLevelFields {}

@ObjectType('PushAccessLevel', { description: 'Access level that may push to protected branches.' })
class PushAccessLevel extends AccessLevelFields {}

const MergeAccessLevelConnection = connectionType(MergeAccessLevel, 'MergeAccessLevel');
const PushAccessLevelConnection = connectionType(PushAccessLevel, 'PushAccessLevel');

const getEntries = (ctx: Context, ids: readonly number[]) => loadEntries(ctx, 'branch', ids);

/** The protections that a rule applies to its branches. */
@ObjectType('BranchProtection', { description: 'Protection of the branches that a branch rule applies to.' })
class BranchProtectionType extends RecordObject<ProtectedBranchRecord> {
  async #entries(action: RefAction): Promise<AccessEntryRecord[]> {
    const entries = (await this.request.load(getEntries, this.record.id)) ?? [];
    return entries.filter((entry) => entry.action === action);
  }

  @RecordField(() => Boolean, {
    description: 'Indicates users who may push may also force push and overwrite history.',
  })
  declare readonly allowForcePush: boolean;

  @Extensions(SHORT)
  @Field(() => MergeAccessLevelConnection, {
    nullable: true,
    description: 'Access levels that may merge into the branches.',
  })
  async mergeAccessLevels(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    return pageOfRecords(this.request, await this.#entries('merge'), args, MergeAccessLevel);
  }

  @Extensions(SHORT)
  @Field(() => PushAccessLevelConnection, {
    nullable: true,
    description: 'Access levels that may push to the branches.',
  })
  async pushAccessLevels(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    return pageOfRecords(this.request, await this.#entries('push'), args, PushAccessLevel);
  }
}

const NULLABLE = { id: { nullable: true }, times: { nullable: true } };

/** A protected branch, or a pattern of such (graphql.md section 5.7). */
@ObjectType('BranchRule', { description: 'Branch rule: the protection of branches of a name or a pattern.' })
class BranchRuleType extends recordType<ProtectedBranchRecord>('branch rule', 'Projects::BranchRule', NULLABLE) {
  constructor(
    record: ProtectedBranchRecord,
    private readonly project: ProjectRecord,
    request: GraphqlRequest,
  ) {
    super(record, request);
  }

  @RecordField(() => String, { description: 'Name of the branch, or a pattern with `*`.' })
  declare readonly name: string;

  @Field(() => Boolean, { description: 'Indicates the branch rule applies to exactly the default branch.' })
  get isDefault(): boolean {
    return this.record.name === this.project.default_branch;
  }

  @Field(() => Boolean, { description: 'Indicates the branch rule protects its branches.' })
  get isProtected(): boolean {
    return true;
  }

  @Field(() => Int, { description: 'Number of existing branches that the branch rule applies to.' })
  async matchingBranchesCount(): Promise<number> {
    return (await this.request.load(countMatchingBranches, this.record.id)) ?? 0;
  }

  @Field(() => BranchProtectionType, {
    nullable: true,
    description: 'Protection of the branches that the branch rule applies to.',
  })
  get branchProtection(): BranchProtectionType {
    return new BranchProtectionType(this.record, this.request);
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
