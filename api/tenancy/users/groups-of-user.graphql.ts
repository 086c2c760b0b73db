import { Args, ArgsType, Ctx, Field, FieldResolver, registerEnumType, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { findGroups } from '../../../shared/tenancy/group-details/find-groups.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { GroupConnection, GroupType } from '../groups/groups.graphql.js';
import { CurrentUserType } from './users.graphql.js';

const GroupPermission = {
  CREATE_PROJECTS: 'create_projects',
  IMPORT_PROJECTS: 'import_projects',
  TRANSFER_PROJECTS: 'transfer_projects',
} as const;
registerEnumType(GroupPermission, {
  name: 'GroupPermission',
  description: 'Permission of the caller in a group.',
  valuesConfig: {
    CREATE_PROJECTS: { description: 'Create projects in the group.' },
    IMPORT_PROJECTS: { description: 'Import projects into the group.' },
    TRANSFER_PROJECTS: { description: 'Transfer projects into the group.' },
  },
});

@ArgsType()
class GroupsOfUserArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Search term: part of the name or path.' })
  search?: string | null;

  @Field(() => GroupPermission, { nullable: true, description: 'Filter by permission of the caller in the groups.' })
  permissionScope?: (typeof GroupPermission)[keyof typeof GroupPermission] | null;
}

@Resolver(() => CurrentUserType)
export class GroupsOfCurrentUserResolver {
  @FieldResolver(() => GroupConnection, {
    nullable: true,
    complexity: paged,
    description: 'Groups that the caller has access to as a member, sorted by name.',
  })
  async groups(
    @Root() _user: CurrentUserType,
    @Args(() => GroupsOfUserArgs) args: GroupsOfUserArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { search, permissionScope: permission_scope } = args;
    const list = await invoke(request.ctx, findGroups, { search, permission_scope, all_available: false });
    return connectionOf(request, list, args, (record) => new GroupType(record, request));
  }
}
