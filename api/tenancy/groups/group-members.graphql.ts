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
import { midnight, Time } from '../../core/graphql/scalars.js';
import { RecordField, RecordObject } from '../../core/graphql/records.js';
import { AccessLevelEnum } from '../projects/project-list.graphql.js';
import { UserCoreType } from '../users/users.graphql.js';
import { ProjectType } from '../projects/projects.graphql.js';
import { GroupType } from './groups.graphql.js';

/** A level as a number, as a word, and as people say it. */
@ObjectType('AccessLevel', { description: 'Access level of a member in a group or project.' })
export class AccessLevelType {
  constructor(private readonly level: number) {}

  @Field(() => Int, { nullable: true, description: 'Integer value of the access level.' })
  get integerValue(): number {
    return this.level;
  }

  @Field(() => AccessLevelEnum, { nullable: true, description: 'Enum value of the access level.' })
  get stringValue(): number {
    return this.level;
  }

  @Field(() => String, { nullable: true, description: 'Human-readable name of the access level.' })
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
  description: 'Relation of a member to a group.',
  valuesConfig: {
    DIRECT: { description: 'Members with a role in the group itself.' },
    INHERITED: { description: 'Members with a role in an ancestor group.' },
    DESCENDANTS: { description: 'Members with a role in a descendant group whose members the caller may know.' },
    SHARED_FROM_GROUPS: { description: 'Members with a role in an invited group.' },
  },
});

/** The data behind a membership: the user and the role. */
export interface MemberDetails extends UserSummary {
  member_id: number;
  access_level: number;
  expires_on: string | null;
  created_at: Date;
  created_by: UserSummary | null;
}

/** What memberships of groups and of projects have in common. */
@ObjectType()
export abstract class MemberFields extends RecordObject<MemberDetails> {
  @Field(() => AccessLevelType, { nullable: true, description: 'Access level of the member.' })
  get accessLevel(): AccessLevelType {
    return new AccessLevelType(this.record.access_level);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'User who is the member.' })
  get user(): UserCoreType {
    return new UserCoreType(this.record, this.request);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'User who created the membership.' })
  get createdBy(): UserCoreType | null {
    return UserCoreType.of(this.record.created_by, this.request);
  }

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the membership was created.' })
  declare readonly createdAt: Date;

  @Field(() => Time, { nullable: true, description: 'Timestamp of when the membership expires.' })
  get expiresAt(): Date | null {
    return midnight(this.record.expires_on);
  }
}

@ObjectType('GroupMember', { description: 'Member of a group.' })
export class GroupMemberType extends MemberFields {
  constructor(
    record: MemberDetails,
    private readonly of: GroupType,
  ) {
    super(record, of.request);
  }

  @Field(() => ID, { description: 'Global ID of the group membership.' })
  get id(): string {
    return globalId('GroupMember', this.record.member_id);
  }

  @Field(() => GroupType, { nullable: true, description: 'Group that the user is a member of.' })
  get group(): GroupType {
    return this.of;
  }
}

export const GroupMemberConnection = connectionType(GroupMemberType, 'GroupMember', { count: true });

@ArgsType()
class GroupMembersArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Search term: part of the name or username, or a full public email address.',
  })
  search?: string | null;

  @Field(() => [GroupMemberRelation], {
    nullable: true,
    description:
      'Filter by relations of the members, with the highest access level through those relations. Defaults to all relations except descendants.',
  })
  relations?: string[] | null;

  @Field(() => [AccessLevelEnum], { nullable: true, description: 'Filter by access levels.' })
  accessLevels?: number[] | null;
}

/** Who has a role in a group. */
@Resolver(() => GroupType)
export class MembersOfGroupResolver {
  @FieldResolver(() => GroupMemberConnection, {
    nullable: true,
    complexity: paged,
    description: 'Members of the group; null for users who may not see them.',
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
    description:
      'Highest access level of the caller in the project, by any relation; no access for callers who are not members.',
  })
  maxAccessLevel(@Root() { record }: ProjectType): AccessLevelType {
    return new AccessLevelType(record.access);
  }
}
