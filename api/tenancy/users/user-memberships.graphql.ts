import { Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import {
  listGroupMembershipsOfUser,
  listProjectMembershipsOfUser,
} from '../../../shared/tenancy/members/memberships-of-user.js';
import type { MembershipIn } from '../../../shared/tenancy/members/memberships-of-user.js';
import { namespacesById } from '../../../shared/tenancy/namespaces/namespace.finder.js';
import { listStarredProjects } from '../../../shared/tenancy/project-details/project-lists.operations.js';
import { userPolicy } from '../../../shared/tenancy/users/user.policy.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { globalId } from '../../core/graphql/global-ids.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { GroupMemberConnection, GroupMemberType, MemberFields } from '../groups/group-members.graphql.js';
import type { MemberDetails } from '../groups/group-members.graphql.js';
import { GroupType } from '../groups/groups.graphql.js';
import { NamespaceType } from '../namespaces/namespaces.graphql.js';
import { ProjectConnection } from '../projects/project-list.graphql.js';
import { ProjectType } from '../projects/projects.graphql.js';
import { UserFields } from './users.graphql.js';

@ObjectType('ProjectMember', { description: 'Member of a project.' })
class ProjectMemberType extends MemberFields {
  constructor(
    record: MemberDetails,
    private readonly of: ProjectType,
  ) {
    super(record, of.request);
  }

  @Field(() => ID, { description: 'Global ID of the project membership.' })
  get id(): string {
    return globalId('ProjectMember', this.record.member_id);
  }

  @Field(() => ProjectType, { nullable: true, description: 'Project that the user is a member of.' })
  get project(): ProjectType {
    return this.of;
  }
}

const ProjectMemberConnection = connectionType(ProjectMemberType, 'ProjectMember', { count: true });

const UserPermissions = permissionsType('UserPermissions', userPolicy, { createSnippet: 'create_snippet' });

function toMemberDetails(user: UserFields, { membership, membership_by }: MembershipIn<unknown>): MemberDetails {
  const { id: member_id, ...role } = membership;
  return { ...user.record, ...role, member_id, created_by: membership_by };
}

/** Memberships of a user: the fields of users about groups and projects (graphql.md section 5.2). */
@Resolver(() => UserFields)
export class UserMembershipsResolver {
  @FieldResolver(() => NamespaceType, {
    nullable: true,
    description: 'Personal namespace of the user; null for users who may not see the namespace.',
  })
  async namespace(@Root() user: UserFields, @Ctx() request: GraphqlRequest): Promise<NamespaceType | null> {
    const { namespace_id: id } = await user.full();
    const found = id === null ? null : await request.load(namespacesById, id);
    return found ? new NamespaceType(found, request) : null;
  }

  @FieldResolver(() => GroupMemberConnection, {
    nullable: true,
    complexity: paged,
    description: 'Group memberships of the user, in groups that the caller may see.',
  })
  async groupMemberships(
    @Root() user: UserFields,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const list = await invoke(request.ctx, listGroupMembershipsOfUser, {}, () => user.full());
    return connectionOf(
      request,
      list,
      page,
      (row) => new GroupMemberType(toMemberDetails(user, row), new GroupType(row, request)),
    );
  }

  @FieldResolver(() => ProjectMemberConnection, {
    nullable: true,
    complexity: paged,
    description: 'Project memberships of the user, in projects that the caller may see.',
  })
  async projectMemberships(
    @Root() user: UserFields,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const list = await invoke(request.ctx, listProjectMembershipsOfUser, {}, () => user.full());
    return connectionOf(
      request,
      list,
      page,
      (row) => new ProjectMemberType(toMemberDetails(user, row), new ProjectType(row, request)),
    );
  }

  @FieldResolver(() => ProjectConnection, {
    nullable: true,
    complexity: paged,
    description: 'Projects that the user starred and the caller may see.',
  })
  async starredProjects(
    @Root() user: UserFields,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const list = await invoke(request.ctx, listStarredProjects, {}, () => user.full());
    return connectionOf(request, list, page, (record) => new ProjectType(record, request));
  }

  @FieldResolver(() => UserPermissions, { description: 'Permissions of the caller on the user.' })
  async userPermissions(@Root() user: UserFields, @Ctx() request: GraphqlRequest): Promise<unknown> {
    return new UserPermissions(request.ctx.caller, await user.full());
  }
}
