import type { GroupRecord } from '../../../shared/tenancy/groups/group.entity.js';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { declaredGroupSettings } from '../../../shared/tenancy/groups/declared-group-settings.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { attributesOfGroups } from '../../../shared/tenancy/containers/custom-attribute.serializer.js';
import { findGroups } from '../../../shared/tenancy/group-details/find-groups.js';
import { findGroupByPath, groupsById } from '../../../shared/tenancy/groups/group.finder.js';
import {
  getGroup,
  listDescendantGroups,
  listSubgroups,
} from '../../../shared/tenancy/group-details/group.operations.js';
import { groupPolicy } from '../../../shared/tenancy/groups/group.policy.js';
import { groupSerializer } from '../../../shared/tenancy/group-details/group.serializer.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import { readPlainId } from '../../core/graphql/global-ids.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { CalendarDate, Time } from '../../core/graphql/scalars.js';
import { presentField } from '../../core/graphql/present-field.js';
import { RecordField, SerializedField } from '../../core/graphql/records.js';
import {
  CUSTOM_ATTRIBUTES,
  CustomAttributeType,
  loadCustomAttributes,
} from '../containers/custom-attributes.graphql.js';
import { declareSettingFields } from '../containers/setting-fields.graphql.js';
import { NamespaceFields } from '../namespaces/namespaces.graphql.js';
import { ProjectType } from '../projects/projects.graphql.js';

const GroupPermissions = permissionsType('GroupPermissions', groupPolicy, {
  adminGroup: 'admin_group',
  createProjects: 'create_projects',
  createSubgroup: 'create_subgroup',
  readGroup: 'read_group',
  removeGroup: 'destroy_group',
});

/** A group for callers with access to it. */
@ObjectType('Group', { description: 'Group of projects, subgroups, and members.' })
export class GroupType extends NamespaceFields<GroupRecord> {
  @Field(() => GroupType, { nullable: true, description: 'Parent of the group.' })
  async parent(): Promise<GroupType | null> {
    const { parent_id: parentId } = this.record;
    return parentId ? GroupType.of(await this.request.load(groupsById, parentId), this.request) : null;
  }

  @SerializedField(groupSerializer, () => String, { description: 'Web URL of the group.' })
  declare readonly webUrl: unknown;

  @SerializedField(groupSerializer, () => String, { nullable: true, description: 'URL of the avatar of the group.' })
  declare readonly avatarUrl: unknown;

  @SerializedField(groupSerializer, () => Boolean, {
    nullable: true,
    description: 'Indicates the group is archived and read-only, by itself or because of an ancestor group.',
  })
  declare readonly archived: unknown;

  @SerializedField(groupSerializer, () => CalendarDate, {
    nullable: true,
    description: 'Date when the deletion of the group was requested.',
  })
  declare readonly markedForDeletionOn: unknown;

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the group was created.' })
  declare readonly createdAt: Date;

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the group was last updated.' })
  declare readonly updatedAt: Date;

  @Extensions(SHORT)
  @Field(() => [CustomAttributeType], CUSTOM_ATTRIBUTES)
  customAttributes(): Promise<unknown> {
    return loadCustomAttributes(this.request, attributesOfGroups, this.record.id);
  }

  @Field(() => GroupPermissions, { description: 'Permissions of the caller on the group.' })
  get userPermissions(): unknown {
    return new GroupPermissions(this.request.ctx.caller, this.record);
  }
}

declareSettingFields(GroupType, declaredGroupSettings, ({ record, request }, name) =>
  presentField(groupSerializer, name, record, request.ctx),
);

export const GroupConnection = connectionType(GroupType, 'Group', { count: true });

@ArgsType()
class DescendantGroupsArgs extends PageArgs {
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: true,
    description: 'If `true`, returns descendant groups at any depth. If `false`, returns only direct subgroups.',
  })
  includeParentDescendants?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, returns only groups in which the caller has the Owner role.',
  })
  owned?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Search term: part of the name or path.' })
  search?: string | null;
}

/** The groups below a group. */
@Resolver(() => GroupType)
export class GroupsOfGroupResolver {
  @FieldResolver(() => GroupConnection, {
    nullable: true,
    complexity: paged,
    description: 'Descendant groups of the group.',
  })
  async descendantGroups(
    @Root() group: GroupType,
    @Args(() => DescendantGroupsArgs) args: DescendantGroupsArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const operation = args.includeParentDescendants === false ? listSubgroups : listDescendantGroups;
    const params = { owned: args.owned, search: args.search };
    const list = await invoke(request.ctx, operation, params, () => Promise.resolve(group.record));
    return connectionOf(request, list, args, (record) => new GroupType(record, request));
  }
}

/** The group that a project lies in. */
@Resolver(() => ProjectType)
export class GroupOfProjectResolver {
  @FieldResolver(() => GroupType, {
    nullable: true,
    description: 'Group of the project; null for a project in the namespace of a user.',
  })
  async group(@Root() { record }: ProjectType, @Ctx() request: GraphqlRequest): Promise<GroupType | null> {
    if (record.namespace.kind !== 'group') return null;
    return GroupType.of(await request.load(groupsById, record.namespace_id), request);
  }
}

@ArgsType()
class GroupsArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Global IDs of the groups.' })
  ids?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Search term: part of the name or path.' })
  search?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, returns only top-level groups, without subgroups.' })
  topLevelOnly?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, returns only groups in which the caller has the Owner role.',
  })
  ownedOnly?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Sort order: `<column>_asc` or `<column>_desc` of name, path and id.',
  })
  sort?: string | null;
}

@Resolver()
export class GroupResolver {
  @Query(() => GroupType, { nullable: true, complexity: lookup, description: 'Group with the specified full path.' })
  async group(
    @Arg('fullPath', () => ID, { description: 'Full path of the group, with its ancestor groups.' }) fullPath: string,
    @Ctx() request: GraphqlRequest,
  ): Promise<GroupType> {
    const found = await invoke(request.ctx, getGroup, {}, () => findGroupByPath(request.ctx, fullPath));
    return new GroupType(found, request);
  }

  @Query(() => GroupConnection, {
    nullable: true,
    complexity: paged,
    description: 'Groups that the caller may see.',
  })
  async groups(@Args(() => GroupsArgs) args: GroupsArgs, @Ctx() request: GraphqlRequest): Promise<unknown> {
    const list = await invoke(request.ctx, findGroups, {
      ids: args.ids?.map((id) => readPlainId(id, 'Group')),
      search: args.search,
      top_level_only: args.topLevelOnly,
      owned: args.ownedOnly,
      sort: args.sort,
    });
    return connectionOf(request, list, args, (record) => new GroupType(record, request));
  }
}
