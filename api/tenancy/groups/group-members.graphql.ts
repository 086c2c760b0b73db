import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  Resolver,
  Root,
  registerEnumType,
} from 'type-graphql';
import type { UserSummary } from '../../../shared/tenancy/users/user.entity.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { containerOfGroup } from '../../../shared/tenancy/containers/container.js';
import { memberOperations } from '../../../shared/tenancy/members/member.operations.js';
import { LEVEL_NAMES } from '../../../shared/tenancy/members/member.rules.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { globalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { AccessLevelEnum } from '../projects/project-list.graphql.js';
import { UserCoreType } from '../users/users.graphql.js';
import { ProjectType } from '../projects/projects.graphql.js';
import { GroupType } from './groups.graphql.js';

/** A level as a number, as a word, and as people say it. */
@ObjectType('AccessLevel', { description: 'A role in a group or project.' })
export class AccessLevelType {
  constructor(private readonly level: number) {}

  @Field(() => Int, { nullable: true, description: 'The level as a number.' })
  get integerValue(): number {
    return this.level;
  }

  @Field(() => AccessLevelEnum, { nullable: true, description: 'The level as a word.' })
  get stringValue(): number {
    return this.level;
  }

  @Field(() => String, { nullable: true, description: 'The role as people call it.' })
  get humanAccess(): string | null {
    return LEVEL_NAMES[this.level] ?? null;
  }
}

const GroupMemberRelation = {
  DIRECT: 'direct',
  INHERITED: 'inherited',
  DESCENDANTS: 'descendants',
  SHARED_FROM_GROUPS: 'shared',
} as const;
registerEnumType(GroupMemberRelation, {
  name: 'GroupMemberRelation',
  description: 'How somebody is a member of a group.',
  valuesConfig: {
    DIRECT: { description: 'By a role in the group itself.' },
    INHERITED: { description: 'By a role in a group above.' },
    DESCENDANTS: { description: 'By a role in a group below whose members the caller may know.' },
    SHARED_FROM_GROUPS: { description: 'By a role in a group that is invited.' },
  },
});

/** What a membership is read from: the user, and the role. */
export interface MemberDetails extends UserSummary {
  member_id: number;
  access_level: number;
  expires_on: string | null;
  created_at: Date;
  created_by: UserSummary | null;
}

/** What memberships of groups and of projects have in common. */
@ObjectType()
export abstract class MemberFields {
  constructor(
    protected readonly record: MemberDetails,
    protected readonly request: GraphqlRequest,
  ) {}

  @Field(() => AccessLevelType, { nullable: true, description: 'The role.' })
  get accessLevel(): AccessLevelType {
    return new AccessLevelType(this.record.access_level);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who it is.' })
  get user(): UserCoreType {
    return new UserCoreType(this.record, this.request);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who gave the role.' })
  get createdBy(): UserCoreType | null {
    return UserCoreType.of(this.record.created_by, this.request);
  }

  @Field(() => Time, { nullable: true, description: 'When the role was given.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { nullable: true, description: 'When the role ends.' })
  get expiresAt(): Date | null {
    return this.record.expires_on === null ? null : new Date(`${this.record.expires_on}T00:00:00Z`);
  }
}

@ObjectType('GroupMember', { description: 'Somebody with a role in a group.' })
export class GroupMemberType extends MemberFields {
  constructor(
    record: MemberDetails,
    private readonly of: GroupType,
  ) {
    super(record, of.request);
  }

  @Field(() => ID, { description: 'Global id.' })
  get id(): string {
    return globalId('GroupMember', this.record.member_id);
  }

  @Field(() => GroupType, { nullable: true, description: 'The group.' })
  get group(): GroupType {
    return this.of;
  }
}

export const GroupMemberConnection = connectionType(GroupMemberType, 'GroupMember', { count: true });

@ArgsType()
class GroupMembersArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Part of name or username, or a whole public address.' })
  search?: string | null;

  @Field(() => [GroupMemberRelation], {
    nullable: true,
    description: 'Only who has a role by one of these, with the highest level by them; by default any but descendants.',
  })
  relations?: string[] | null;

  @Field(() => [AccessLevelEnum], { nullable: true, description: 'Only who has one of these levels.' })
  accessLevels?: number[] | null;
}

/** Who has a role in a group. */
@Resolver(() => GroupType)
export class MembersOfGroupResolver {
  @FieldResolver(() => GroupMemberConnection, {
    nullable: true,
    complexity: paged,
    description: 'Who has a role in it; null for those who may not see.',
  })
  async groupMembers(
    @Root() group: GroupType,
    @Args(() => GroupMembersArgs) args: GroupMembersArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { search: query, relations, accessLevels } = args;
    const source = () => Promise.resolve(containerOfGroup(group.record));
    const params = { query, relations, access_levels: accessLevels };
    const members = await invoke(request.ctx, memberOperations.group.find, params, source);
    return connectionOf(request, members, args, (record) => new GroupMemberType(record, group));
  }
}

@Resolver(() => ProjectType)
export class MaxAccessLevelResolver {
  @FieldResolver(() => AccessLevelType, {
    description: 'Highest role of the caller in the project, by any way; no access for whoever is not a member.',
  })
  maxAccessLevel(@Root() { record }: ProjectType): AccessLevelType {
    return new AccessLevelType(record.access);
  }
}
