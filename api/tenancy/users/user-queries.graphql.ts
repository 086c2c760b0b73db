import { Arg, Args, ArgsType, Ctx, Field, ID, Query, registerEnumType, Resolver } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { lookUpUser, lookUpUsers } from '../../../shared/tenancy/users/look-up-users.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { globalIdScalar, readPlainId } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { withoutNulls } from '../../core/graphql/params.js';
import { UserCoreType, UserID } from './users.graphql.js';

const GroupID = globalIdScalar('Group');

/** The values that clients first had, which stay for their time. */
const older = (description: string, now: string) => ({
  description,
  deprecationReason: `Use \`${now}\`. Deprecated in Service 13.5.`,
});

/** Orders that every record knows. */
export const Sort = {
  CREATED_DESC: 'created_desc',
  CREATED_ASC: 'created_asc',
  UPDATED_DESC: 'updated_desc',
  UPDATED_ASC: 'updated_asc',
  created_desc: 'created_desc',
  created_asc: 'created_asc',
  updated_desc: 'updated_desc',
  updated_asc: 'updated_asc',
} as const;
registerEnumType(Sort, {
  name: 'Sort',
  description: 'Common sort orders of records.',
  valuesConfig: {
    CREATED_DESC: { description: 'Sorts by creation date in descending order.' },
    CREATED_ASC: { description: 'Sorts by creation date in ascending order.' },
    UPDATED_DESC: { description: 'Sorts by update date in descending order.' },
    UPDATED_ASC: { description: 'Sorts by update date in ascending order.' },
    created_desc: older('Sorts by creation date in descending order.', 'CREATED_DESC'),
    created_asc: older('Sorts by creation date in ascending order.', 'CREATED_ASC'),
    updated_desc: older('Sorts by update date in descending order.', 'UPDATED_DESC'),
    updated_asc: older('Sorts by update date in ascending order.', 'UPDATED_ASC'),
  },
});

export const UserCoreConnection = connectionType(UserCoreType, 'UserCore', { count: true });

@ArgsType()
class UsersArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Global IDs of the users.' })
  ids?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Usernames of the users.' })
  usernames?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Search term: part of the name or username, or a full email address.',
  })
  search?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, returns only active users.' })
  active?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'If `true`, returns only administrators. Available only to administrators.',
  })
  admins?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, returns only human users, neither bots nor internal users of the service.',
  })
  humans?: boolean | null;

  @Field(() => GroupID, { nullable: true, description: 'Global ID of a group that the users are members of.' })
  groupId?: GlobalId | null;

  @Field(() => Sort, { nullable: true, defaultValue: Sort.CREATED_DESC, description: 'Sort order of the users.' })
  sort?: string | null;
}

@Resolver()
export class UserQueries {
  @Query(() => UserCoreType, {
    nullable: true,
    complexity: lookup,
    description: 'User with the specified ID or username.',
  })
  async user(
    @Arg('id', () => UserID, { nullable: true, description: 'Global ID of the user.' }) id: GlobalId | null | undefined,
    @Arg('username', () => String, { nullable: true, description: 'Username of the user.' }) username:
      | string
      | null
      | undefined,
    @Ctx() request: GraphqlRequest,
  ): Promise<UserCoreType | null> {
    if ((id ?? null) === null ? (username ?? null) === null : (username ?? null) !== null)
      throw new GraphqlProblem('One and only one of [id, username] arguments is required.');
    const found = await invoke(request.ctx, lookUpUser, id ? { id: id.id } : { username });
    return UserCoreType.of(found, request);
  }

  @Query(() => UserCoreConnection, { nullable: true, complexity: paged, description: 'List of users.' })
  async users(@Args(() => UsersArgs) args: UsersArgs, @Ctx() request: GraphqlRequest): Promise<unknown> {
    const { ids, usernames, search, active, admins, humans, groupId, sort } = args;
    if (ids && usernames) throw new GraphqlProblem('Provide either a list of usernames or ids');
    const filters = withoutNulls({
      ids: ids?.map((id) => readPlainId(id, 'User')),
      usernames,
      search,
      active,
      admins,
      humans,
      group_id: groupId?.id,
      sort,
    });
    const list = await invoke(request.ctx, lookUpUsers, filters);
    return connectionOf(request, list, args, (user) => UserCoreType.of(user, request) as UserCoreType);
  }
}
