import type { Problems } from '../../core/errors.js';
import type { GroupRecord } from '../groups/group.record.js';
import { replaceAvatar } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context.js';
import { Invalid, NotFound } from '../../core/errors.js';
import { text } from '../../core/fields.js';
import { can, operation } from '../../core/operation.js';
import { columns, sql } from '../../core/sql.js';
import { lockTree, moveRoutes, pathTaken } from '../namespaces/claim-path.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { GroupSettings } from '../groups/group-settings.entity.js';
import { findGroup, group } from '../groups/group.finder.js';
import { editedGroupParams, groupParams, settingValues } from '../groups/group.params.js';
import { groupPolicy } from '../groups/group.policy.js';
import { loweringProblems, nameProblems, TAKEN, valueProblems, visibilityProblems } from '../groups/group.rules.js';
import { setSharedRunners, sharedRunnersProblems } from '../groups/shared-runners.js';
import { lockSharesBelow, unlockingProblems } from '../groups/share-lock.js';

async function visibilityChange(ctx: Context, group: Namespace, visibility: string): Promise<Problems> {
  const parent = await ctx.queryOne<{ visibility: string }>(
    sql`select n.visibility from namespaces n where n.id = ${group.parent_id}`,
  );
  return { ...visibilityProblems(visibility, parent), ...(await loweringProblems(ctx, group.id, visibility)) };
}

/** What is checked against the groups above and below, or moves those below: the whole tree is locked for it. */
const ABOUT_TREE = ['name', 'path', 'visibility', 'shared_runners_setting'] as const;

/** The group and its row, locked. */
async function locked(ctx: Context, before: GroupRecord, input: Partial<Record<(typeof ABOUT_TREE)[number], unknown>>) {
  const tree = ABOUT_TREE.some((name) => input[name] !== undefined);
  if (tree) await lockTree(ctx, before.id);
  const row = await ctx.queryOne<Namespace>(sql`
    select ${columns(Namespace, 'n')} from namespaces n where n.id = ${before.id} for update`);
  if (!row) throw new NotFound('Group');
  // Somebody may have moved it until it was locked.
  return { row, found: tree ? await findGroup(ctx, before.id) : before };
}

/** The public API tells of runners that a group above does not allow in a sentence, under a name of its own. */
async function runnersChange(ctx: Context, found: GroupRecord, setting: string | undefined): Promise<Problems> {
  if (setting === undefined || setting === found.settings.shared_runners_setting || !found.parent_id) return {};
  // Whoever edits a group may read those above it.
  const [problem] = Object.entries(sharedRunnersProblems(setting, await findGroup(ctx, found.parent_id)));
  if (!problem) return {};
  const [field, [text]] = problem as [string, [string]];
  const name = field.replaceAll('_', ' ');
  return { update_shared_runners: [`Validation failed: ${name[0]?.toUpperCase()}${name.slice(1)} ${text}`] };
}

/** The full path or name with its last part replaced; both end in the group's own. */
const renamed = (full: string, own: string, to: string) => full.slice(0, full.length - own.length) + to;

/** Edit a group: Owners. Another path moves everything below. */
export const updateGroup = operation({
  name: 'updateGroup',
  summary: 'Edit a group',
  example: { description: 'Everything that flies.' },
  subject: group,
  can: can(groupPolicy, 'admin_group'),
  kind: 'write',
  statements: 26,
  params: {
    name: text().optional().describe('Name.'),
    path: text().optional().describe('Path; unique beside its siblings, whatever its case.'),
    ...groupParams,
    ...editedGroupParams,
  },
  async run(ctx, before, input) {
    const { row, found } = await locked(ctx, before, input);
    const { name = row.name, path = row.path, visibility = row.visibility } = input;
    const to = {
      path: renamed(found.full_path, found.path, path),
      name: renamed(found.full_name, found.name, name),
    };
    const { shared_runners_setting: runners, ...settings } = settingValues(ctx, input, found.settings);
    // The public API ignores it below the top as well: there it would come into force with a transfer.
    if (row.parent_id !== null) delete settings.prevent_sharing_groups_outside_hierarchy;
    const problems: Problems = {
      ...(name === row.name ? {} : await nameProblems(ctx, name, row.parent_id, row.id)),
      ...valueProblems({ ...settings, name, path, description: input.description }, row.parent_id !== null),
      ...(await unlockingProblems(ctx, found, settings)),
      ...(await runnersChange(ctx, found, runners)),
    };
    if (visibility !== row.visibility) Object.assign(problems, await visibilityChange(ctx, row, visibility));
    if (path !== row.path && !problems.path && (await pathTaken(ctx, to.path, found.id))) problems.path = [TAKEN];
    if (Object.keys(problems).length > 0) throw new Invalid(problems);
    const avatar = await replaceAvatar(ctx, { kind: 'group', id: found.id }, row.avatar, input.avatar);
    const description = input.description === undefined ? row.description : (input.description ?? '');
    const edited = { name, path, visibility, description, avatar, updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(Namespace, { id: found.id }, edited);
    await ctx.em.nativeUpdate(GroupSettings, { namespace_id: found.id }, settings);
    if (runners !== undefined && runners !== found.settings.shared_runners_setting)
      await setSharedRunners(ctx, found.id, runners);
    if (settings.share_with_group_lock && !found.settings.share_with_group_lock) await lockSharesBelow(ctx, found.id);
    if (to.path !== found.full_path || to.name !== found.full_name) {
      const moved = await moveRoutes(ctx, found.id, { path: found.full_path, name: found.full_name }, to);
      if (!moved) throw new Invalid({ path: [TAKEN] });
    }
    const after = await findGroup(ctx, found.id);
    ctx.record({ type: 'group.updated', before: found, after });
    return after;
  },
});
