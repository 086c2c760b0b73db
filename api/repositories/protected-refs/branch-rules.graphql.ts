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

/** Whom a rule lets do something. */
@ObjectType()
abstract class AccessLevelFields {
  constructor(
    private readonly entry: AccessEntryRecord,
    private readonly request: GraphqlRequest,
  ) {}

  @Field(() => Int, { description: 'Everybody with at least this role; 0 is nobody. 40 where it names somebody.' })
  get accessLevel(): number {
    return this.entry.access_level ?? ACCESS_LEVELS.maintainer;
  }

  @Field(() => String, { description: 'Who it is, in words.' })
  get accessLevelDescription(): string {
    return describeEntry(this.entry);
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

@ObjectType('MergeAccessLevel', { description: 'Who may merge.' })
class MergeAccessLevel extends AccessLevelFields {}

@ObjectType('PushAccessLevel', { description: 'Who may push.' })
class PushAccessLevel extends AccessLevelFields {}

const MergeAccessLevelConnection = connectionType(MergeAccessLevel, 'MergeAccessLevel');
const PushAccessLevelConnection = connectionType(PushAccessLevel, 'PushAccessLevel');

const entriesOf = (ctx: Context, ids: readonly number[]) => loadEntries(ctx, 'branch', ids);

/** What a rule protects its branches from. */
@ObjectType('BranchProtection', { description: 'What a rule protects its branches from.' })
class BranchProtectionType {
  constructor(
    private readonly rule: ProtectedBranchRecord,
    private readonly request: GraphqlRequest,
  ) {}

  async #entries(action: RefAction): Promise<AccessEntryRecord[]> {
    const entries = (await this.request.load(entriesOf, this.rule.id)) ?? [];
    return entries.filter((entry) => entry.action === action);
  }

  @Field(() => Boolean, { description: 'Whether those who may push may overwrite history.' })
  get allowForcePush(): boolean {
    return this.rule.allow_force_push;
  }

  @Extensions(SHORT)
  @Field(() => MergeAccessLevelConnection, { nullable: true, description: 'Who may merge.' })
  async mergeAccessLevels(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const entries = await this.#entries('merge');
    const node = (entry: AccessEntryRecord) => new MergeAccessLevel(entry, this.request);
    return connectionOfRecords(this.request, entries, args, ({ id }) => id, node);
  }

  @Extensions(SHORT)
  @Field(() => PushAccessLevelConnection, { nullable: true, description: 'Who may push.' })
  async pushAccessLevels(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const entries = await this.#entries('push');
    const node = (entry: AccessEntryRecord) => new PushAccessLevel(entry, this.request);
    return connectionOfRecords(this.request, entries, args, ({ id }) => id, node);
  }
}

/** A protected branch, or a pattern of such (graphql.md section 5.7). */
@ObjectType('BranchRule', { description: 'What holds for branches of a name, or of a pattern.' })
class BranchRuleType {
  constructor(
    private readonly rule: ProtectedBranchRecord,
    private readonly project: ProjectRecord,
    private readonly request: GraphqlRequest,
  ) {}

  @Field(() => ID, { nullable: true, description: 'Global id.' })
  get id(): string {
    return globalId('Projects::BranchRule', this.rule.id);
  }

  @Field(() => String, { description: 'Name of the branch, or a pattern with `*`.' })
  get name(): string {
    return this.rule.name;
  }

  @Field(() => Boolean, { description: 'Whether it is the rule of exactly the default branch.' })
  get isDefault(): boolean {
    return this.rule.name === this.project.default_branch;
  }

  @Field(() => Boolean, { description: 'Whether it protects its branches.' })
  get isProtected(): boolean {
    return true;
  }

  @Field(() => Int, { description: 'How many branches there are that it holds for.' })
  async matchingBranchesCount(): Promise<number> {
    return (await this.request.load(countMatchingBranches, this.rule.id)) ?? 0;
  }

  @Field(() => BranchProtectionType, { nullable: true, description: 'What it protects from.' })
  get branchProtection(): BranchProtectionType {
    return new BranchProtectionType(this.rule, this.request);
  }

  @Field(() => Time, { nullable: true, description: 'When it was made.' })
  get createdAt(): Date {
    return this.rule.created_at;
  }

  @Field(() => Time, { nullable: true, description: 'When it last changed.' })
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
    description: 'What holds for its branches; null below Developer.',
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
