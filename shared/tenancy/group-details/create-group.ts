import type { Problems } from '../../core/values/errors.js';
import { GroupSettings } from '../groups/group.entity.js';
import type { GroupRecord } from '../groups/group.entity.js';
import { replaceAvatar } from '../../instance/avatars/avatars.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { integer, optional, text } from '../../core/operations/fields.js';
import { authorize, instance, operation } from '../../core/operations/operation.js';
import { UserProfile } from '../users/user.entity.js';
import type { Upload } from '../../core/values/upload.js';
import { pick } from '../namespaces/declared-settings.js';
import { GroupMember } from '../members/member.entity.js';
import { claimPath, holdNamespace, isPathTaken } from '../namespaces/claim-path.js';
import { isWikiPathTaken } from '../namespaces/wiki-paths.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { findGroup } from '../groups/group.finder.js';
import { groupParams, INHERITED, NEW_GROUP_SETTINGS, groupSettingValues } from '../groups/group.params.js';
import type { GroupSettingValues } from '../groups/group.params.js';
import { groupPolicy, groupsPolicy } from '../groups/group.policy.js';
import {
  isNameTaken,
  MAX_ANCESTORS,
  groupNameProblems,
  saveFailure,
  valueProblems,
  groupVisibilityProblems,
} from '../groups/group.rules.js';
import { newGroupRunnersToken } from './group-runners-token.js';
import { sharedRunnersProblems } from '../groups/shared-runners.js';
import { TAKEN } from '../../core/values/database-errors.js';

/** Attributes of a new group. */
interface NewGroup {
  name: string;
  path: string;
  description?: string | null | undefined;
  visibility: string;
  settings?: Partial<GroupSettingValues>;
  avatar?: Upload | null | undefined;
}

/** The parent group for a new subgroup, locked against concurrent deletion. @throws NotFound, Forbidden */
export async function parentOfNewGroup(ctx: Context, parentId: number): Promise<GroupRecord> {
  if (!(await holdNamespace(ctx, parentId))) throw new NotFound('Group');
  const parent = await findGroup(ctx, parentId);
  authorize(ctx, groupPolicy, 'create_subgroup', parent);
  return parent;
}

/** Whether the caller may make top-level groups. */
export async function mayCreateGroups(ctx: SignedInContext): Promise<boolean> {
  const { id } = ctx.caller.user;
  const profile = await ctx.em.findOne(UserProfile, { user_id: id }, { fields: ['can_create_group'] });
  return profile !== null && groupsPolicy.create_group(ctx.caller, profile);
}

/** Everything that is wrong with the location and the values of a group to be, by field; empty when all is well. */
export async function newGroupProblems(
  ctx: Context,
  attributes: NewGroup,
  parent: GroupRecord | null,
): Promise<Problems> {
  const problems: Problems = {
    ...valueProblems({ ...attributes.settings, ...attributes }, parent !== null),
    ...groupVisibilityProblems(attributes.visibility, parent),
    ...sharedRunnersProblems(attributes.settings?.shared_runners_setting, parent),
  };
  if (parent && parent.traversal_ids.length > MAX_ANCESTORS) problems.parent = ['has too deep level of nesting'];
  const path = fullPath(attributes, parent);
  if (!problems.path && ((await isPathTaken(ctx, path)) || (await isWikiPathTaken(ctx, path)))) problems.path = [TAKEN];
  // If the path is taken, the same group was probably submitted twice; the path error is enough.
  else if (!problems.name) Object.assign(problems, await groupNameProblems(ctx, attributes.name, parent?.id));
  return problems;
}

const fullPath = (attributes: NewGroup, parent: GroupRecord | null) =>
  parent ? `${parent.full_path}/${attributes.path}` : attributes.path;

/**
 * Stores a group with its settings and makes the caller its Owner. Runs in the caller's transaction, after permission
 * checks.
 * @throws Invalid with all problems of the values, including a taken path
 */
async function insertGroup(ctx: SignedInContext, attributes: NewGroup, parent: GroupRecord | null): Promise<number> {
  const problems = await newGroupProblems(ctx, attributes, parent);
  if (Object.keys(problems).length > 0) throw saveFailure(problems);
  const now = ctx.clock.now();
  const values = {
    kind: 'group',
    name: attributes.name,
    path: attributes.path,
    description: attributes.description ?? '',
    visibility: attributes.visibility,
    parent_id: parent?.id ?? null,
    traversal_ids: [],
    owner_id: null,
    frozen: false,
    archived: false,
    avatar: null,
    created_at: now,
    updated_at: now,
  };
  const id = await ctx.em.insert(Namespace, values).catch((error: unknown) => {
    throw isNameTaken(error) ? saveFailure({ name: [TAKEN] }) : error;
  });
  const avatar = await replaceAvatar(ctx, { kind: 'group', id }, null, attributes.avatar);
  const traversalIds = [...(parent?.traversal_ids ?? []), id];
  await ctx.em.nativeUpdate(Namespace, { id }, { avatar, traversal_ids: traversalIds });
  await ctx.em.insert(GroupSettings, {
    ...NEW_GROUP_SETTINGS,
    // A subgroup inherits the parent's sharing restrictions until an Owner changes them.
    ...(parent ? pick(parent.settings, INHERITED) : {}),
    ...attributes.settings,
    namespace_id: id,
    ...newGroupRunnersToken(ctx, id).columns,
    archived_at: null,
    marked_for_deletion_at: null,
    removal_started_at: null,
  });
  await ctx.em.insert(GroupMember, {
    namespace_id: id,
    user_id: ctx.caller.user.id,
    access_level: 50,
    created_by_id: ctx.caller.user.id,
    expires_on: null,
    created_at: now,
  });
  const name = parent ? `${parent.full_name} / ${attributes.name}` : attributes.name;
  // A concurrent request may have taken the path since the values were validated.
  if (!(await claimPath(ctx, { namespace_id: id }, { path: fullPath(attributes, parent), name })))
    throw saveFailure({ path: [TAKEN] });
  return id;
}

/**
 * Creates a group owned by the caller and records the event. Runs in the caller's transaction, after permission checks.
 * @throws Invalid with all problems of the values, including a taken path
 */
export async function makeGroup(
  ctx: SignedInContext,
  attributes: NewGroup,
  parent: GroupRecord | null,
): Promise<GroupRecord> {
  const group = await findGroup(ctx, await insertGroup(ctx, attributes, parent));
  ctx.record({ type: 'group.created', group });
  return group;
}

/** The instance's default, as far as the group that a subgroup is made in allows it. */
function defaultVisibility(ctx: Context, parent: GroupRecord | null): string {
  const fallback = ctx.settings.default_group_visibility;
  return parent && Object.keys(groupVisibilityProblems(fallback, parent)).length > 0 ? parent.visibility : fallback;
}

/** Create a group, or a subgroup of one; the caller becomes its Owner. */
export const createGroup = operation({
  name: 'createGroup',
  summary: 'Create a group',
  resource: instance,
  kind: 'write',
  statements: 17,
  params: {
    name: text()
      .describe('Name of the group.')
      .meta({ examples: ['Rockets'] }),
    path: text()
      .describe('Path of the group, unique among its siblings regardless of case.')
      .meta({ examples: ['rockets'] }),
    parent_id: optional(integer()).describe('ID of the parent group to create a subgroup in.'),
    ...groupParams,
  },
  async run(ctx, _instance, input) {
    const parent = input.parent_id === undefined ? null : await parentOfNewGroup(ctx, input.parent_id);
    if (!parent && !(await mayCreateGroups(ctx))) throw new Forbidden();
    const { name, path, description, avatar, visibility = defaultVisibility(ctx, parent) } = input;
    const attributes = { name, path, description, visibility, avatar, settings: groupSettingValues(ctx, input) };
    return makeGroup(ctx, attributes, parent);
  },
});
