import { Arg, Args, ArgsType, Ctx, Field, ID, Query, registerEnumType, Resolver } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { lookUpUser, lookUpUsers } from '../../../shared/tenancy/users/look-up-users.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { globalIdScalar, readPlainId } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
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
  description: 'Orders that every record knows.',
  valuesConfig: {
    CREATED_DESC: { description: 'The newest first.' },
    CREATED_ASC: { description: 'The oldest first.' },
    UPDATED_DESC: { description: 'The last changed first.' },
    UPDATED_ASC: { description: 'The last changed last.' },
    created_desc: older('The newest first.', 'CREATED_DESC'),
    created_asc: older('The oldest first.', 'CREATED_ASC'),
    updated_desc: older('The last changed first.', 'UPDATED_DESC'),
    updated_asc: older('The last changed last.', 'UPDATED_ASC'),
  },
});

export const UserCoreConnection = connectionType(UserCoreType, 'UserCore', { count: true });

@ArgsType()
class UsersArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Only these, by global id.' })
  ids?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Only these, by username.' })
  usernames?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Part of name or username, or a whole address.' })
  search?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Only active users.' })
  active?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Only administrators; for administrators.',
  })
  admins?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Only people, neither bots nor users of the service itself.' })
  humans?: boolean | null;

  @Field(() => GroupID, { nullable: true, description: 'Only members of this group.' })
  groupId?: GlobalId | null;

  @Field(() => Sort, { nullable: true, defaultValue: Sort.CREATED_DESC, description: 'Order.' })
  sort?: string | null;
}

@Resolver()
export class UserQueries {
  @Query(() => UserCoreType, { nullable: true, complexity: lookup, description: 'A user, by id or username.' })
  async user(
    @Arg('id', () => UserID, { nullable: true, description: 'Global id.' }) id: GlobalId | null | undefined,
    @Arg('username', () => String, { nullable: true, description: 'Username.' }) username: string | null | undefined,
    @Ctx() request: GraphqlRequest,
  ): Promise<UserCoreType | null> {
    if ((id ?? null) === null ? (username ?? null) === null : (username ?? null) !== null)
      throw new GraphqlProblem('One and only one of [id, username] arguments is required.');
    const found = await invoke(request.ctx, lookUpUser, id ? { id: id.id } : { username });
    return UserCoreType.of(found, request);
  }

  @Query(() => UserCoreConnection, { nullable: true, complexity: paged, description: 'Users.' })
  async users(@Args(() => UsersArgs) args: UsersArgs, @Ctx() request: GraphqlRequest): Promise<unknown> {
    const { ids, usernames, search, active, admins, humans, groupId, sort } = args;
    if (ids && usernames) throw new GraphqlProblem('Provide either a list of usernames or ids');
    const params = {
      ids: ids?.map((id) => readPlainId(id, 'User')),
      usernames,
      search,
      active,
      admins,
      humans,
      group_id: groupId?.id,
      sort,
    };
    const filters = Object.fromEntries(Object.entries(params).filter(([, value]) => (value ?? null) !== null));
    const list = await invoke(request.ctx, lookUpUsers, filters);
    return connectionOf(request, list, args, (user) => UserCoreType.of(user, request) as UserCoreType);
  }
}
