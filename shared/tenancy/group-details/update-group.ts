import type { Problems } from '../../core/values/errors.js';
import { GroupSettings } from '../groups/group.entity.js';
import type { GroupRecord } from '../groups/group.entity.js';
import { replaceAvatar } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { moveRoutes, isPathTaken } from '../namespaces/claim-path.js';
import { isWikiPathTaken } from '../namespaces/wiki-paths.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { findGroup } from '../groups/group.finder.js';
import { editedGroup } from '../groups/lock-group.js';
import { editedGroupParams, groupParams, groupSettingValues } from '../groups/group.params.js';
import { groupPolicy } from '../groups/group.policy.js';
import { loweringProblems, groupNameProblems, valueProblems, groupVisibilityProblems } from '../groups/group.rules.js';
import { setSharedRunners } from '../groups/set-shared-runners.js';
import { sharedRunnersProblems } from '../groups/shared-runners.js';
import { lockSharesBelow, unlockingProblems } from '../groups/share-lock.js';
import { TAKEN } from '../../core/values/database-errors.js';
import { IMAGES_STAY, mustKeepPath, projectsBelow } from '../projects/path-holds.js';

async function visibilityChange(ctx: Context, group: Namespace, visibility: string): Promise<Problems> {
  const { parent_id: id } = group;
  const parent = id ? await ctx.em.findOne(Namespace, { id }, { fields: ['visibility'] }) : null;
  return { ...groupVisibilityProblems(visibility, parent), ...(await loweringProblems(ctx, group.id, visibility)) };
}

/** The public API reports runner settings that an ancestor group forbids as a sentence, under a separate field name. */
async function runnersChange(ctx: Context, found: GroupRecord, setting: string | undefined): Promise<Problems> {
  if (setting === undefined || setting === found.settings.shared_runners_setting || !found.parent_id) return {};
  // Callers who may edit a group may read its ancestors.
  const [problem] = Object.entries(sharedRunnersProblems(setting, await findGroup(ctx, found.parent_id)));
  if (!problem) return {};
  const [field, [text]] = problem as [string, [string]];
  const name = field.replaceAll('_', ' ');
  return { update_shared_runners: [`Validation failed: ${name[0]?.toUpperCase()}${name.slice(1)} ${text}`] };
}

/** The full path or name with its last part replaced; both end in the group's own. */
const renamed = (full: string, own: string, to: string) => full.slice(0, full.length - own.length) + to;

/** Whether another namespace or project has the path, or a project has the path of the group's wiki. */
const hasConflict = async (ctx: Context, path: string, groupId: number): Promise<boolean> =>
  (await isPathTaken(ctx, path, groupId)) || (await isWikiPathTaken(ctx, path));

/** Edit a group: Owners. Another path moves everything below. */
export const updateGroup = operation({
  name: 'updateGroup',
  summary: 'Edit a group',
  example: { description: 'Everything that flies.' },
  resource: editedGroup,
  can: can(groupPolicy, 'admin_group'),
  kind: 'write',
  statements: 27,
  params: {
    name: text().optional().describe('Name of the group.'),
    path: text().optional().describe('Path of the group, unique among its siblings regardless of case.'),
    ...groupParams,
    ...editedGroupParams,
  },
  async run(ctx, group, input) {
    const { name = group.name, path = group.path, visibility = group.visibility } = input;
    const to = {
      path: renamed(group.full_path, group.path, path),
      name: renamed(group.full_name, group.name, name),
    };
    const { shared_runners_setting: runners, ...settings } = groupSettingValues(ctx, input, group.settings);
    // The public API ignores it below the top as well: there it would come into force with a transfer.
    if (group.parent_id !== null) delete settings.prevent_sharing_groups_outside_hierarchy;
    const problems: Problems = {
      ...(name === group.name ? {} : await groupNameProblems(ctx, name, group.parent_id, group.id)),
      ...valueProblems({ ...settings, name, path, description: input.description }, group.parent_id !== null),
      ...(await unlockingProblems(ctx, group, settings)),
      ...(await runnersChange(ctx, group, runners)),
    };
    if (visibility !== group.visibility) Object.assign(problems, await visibilityChange(ctx, group, visibility));
    if (path !== group.path && !problems.path && (await hasConflict(ctx, to.path, group.id))) problems.path = [TAKEN];
    if (path !== group.path && (await mustKeepPath(ctx, projectsBelow(group)))) problems.base = [IMAGES_STAY];
    if (Object.keys(problems).length > 0) throw new Invalid(problems);
    const avatar = await replaceAvatar(ctx, { kind: 'group', id: group.id }, group.avatar, input.avatar);
    const description = input.description === undefined ? group.description : (input.description ?? '');
    const edited = { name, path, visibility, description, avatar, updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(Namespace, { id: group.id }, edited);
    await ctx.em.nativeUpdate(GroupSettings, { namespace_id: group.id }, settings);
    if (runners !== undefined && runners !== group.settings.shared_runners_setting)
      await setSharedRunners(ctx, group.id, runners);
    if (settings.share_with_group_lock && !group.settings.share_with_group_lock) await lockSharesBelow(ctx, group.id);
    if (to.path !== group.full_path || to.name !== group.full_name) {
      const moved = await moveRoutes(ctx, group.id, { path: group.full_path, name: group.full_name }, to);
      if (!moved) throw new Invalid({ path: [TAKEN] });
    }
    const after = await findGroup(ctx, group.id);
    ctx.record({ type: 'group.updated', before: group, after });
    return after;
  },
});
