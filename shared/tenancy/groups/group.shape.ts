import { avatarUrl } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context.js';
import { readKeysetPage } from '../../core/list.js';
import type { OutField } from '../../core/shape.js';
import { out, shape, shownIf } from '../../core/shape.js';
import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { attributesField, loadAttributes } from '../custom-attributes/custom-attribute.shape.js';
import { visibleProjects } from '../projects/project.finder.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { protectionLevel, protectionOf } from './default-branch-protection.js';
import { basicProject, fullProject } from '../projects/project.shape.js';
import { invitedToGroups, sharedWithGroup } from '../shares/share.finder.js';
import { invitedGroupShape } from '../shares/share.shape.js';
import type { GroupRecord } from './group.finder.js';
import { groupStatisticsShape, loadStatistics } from './group-statistics.shape.js';
import { groupPolicy } from './group.policy.js';

/** Projects at most in a group's own record. */
const MAX_PROJECTS = 100;
const VISIBILITY = ['private', 'internal', 'public'];

/** How the group protects default branches of new projects. */
const branchProtection = (group: GroupRecord) => protectionOf(group.settings.default_branch_protection_defaults);

/** The day of marking, not of removal; told from Premium on (README "Plans and offerings"). */
function markedOn(group: GroupRecord, ctx: Context): string | null {
  return ctx.hasPlan('premium') ? (group.settings.marked_for_deletion_at?.toISOString().slice(0, 10) ?? null) : null;
}

const fields: Record<string, OutField<GroupRecord>> = {
  id: out.integer((group) => group.id),
  web_url: out.text((group, ctx) => `${ctx.config.externalUrl}/groups/${group.full_path}`),
  name: out.text((group) => group.name),
  path: out.text((group) => group.path),
  description: out.text((group) => group.description),
  visibility: out.text((group) => group.visibility, { enum: VISIBILITY }),
  share_with_group_lock: out.flag((group) => group.settings.share_with_group_lock),
  require_two_factor_authentication: out.flag((group) => group.settings.require_two_factor_authentication),
  two_factor_grace_period: out.integer((group) => group.settings.two_factor_grace_period),
  project_creation_level: out.text((group) => group.settings.project_creation_level),
  auto_devops_enabled: out.maybeFlag((group) => group.settings.auto_devops_enabled),
  subgroup_creation_level: out.text((group) => group.settings.subgroup_creation_level),
  emails_disabled: out.flag((group) => !group.settings.emails_enabled),
  emails_enabled: out.flag((group) => group.settings.emails_enabled),
  mentions_disabled: out.maybeFlag((group) => group.settings.mentions_disabled),
  lfs_enabled: out.flag((group) => group.settings.lfs_enabled),
  archived: out.flag((group) => group.archived),
  default_branch: out.maybeText((group) => group.settings.default_branch),
  default_branch_protection: out.integer((group) => protectionLevel(branchProtection(group))),
  default_branch_protection_defaults: out.any(branchProtection, { type: 'object' }),
  avatar_url: out.maybeText((group, ctx) => avatarUrl(ctx, { kind: 'group', id: group.id }, group.avatar)),
  request_access_enabled: out.flag((group) => group.settings.request_access_enabled),
  full_name: out.text((group) => group.full_name),
  full_path: out.text((group) => group.full_path),
  created_at: out.instant((group) => group.created_at),
  parent_id: out.maybeInteger((group) => group.parent_id),
  organization_id: out.integer(() => 1),
  shared_runners_setting: out.text((group) => group.settings.shared_runners_setting),
  max_artifacts_size: out.maybeInteger((group) => group.settings.max_artifacts_size),
  marked_for_deletion_on: out.maybeDay(markedOn),
  ...attributesField<GroupRecord>(),
};

/** A group in lists (core-resources.md section 3, "Record"). */
export const groupShape = shape<GroupRecord>(
  'Group',
  {
    ...fields,
    ...shownIf<GroupRecord>((group) => group.statistics !== undefined, {
      statistics: out.record(groupStatisticsShape, (group) => group.statistics),
    }),
  },
  {
    load: async (ctx, groups) => {
      await Promise.all([loadAttributes(ctx, 'group', groups), loadStatistics(ctx, groups)]);
    },
  },
);

const { id, web_url, name, avatar_url, full_name, full_path } = fields as Record<string, OutField<GroupRecord>> & {
  [K in 'id' | 'web_url' | 'name' | 'avatar_url' | 'full_name' | 'full_path']: OutField<GroupRecord>;
};

/** A group by its name and place alone. */
export const publicGroup = shape<GroupRecord>('PublicGroup', { id, web_url, name, avatar_url, full_name, full_path });

/** Anonymous callers get the basic record of a project, as everywhere (projects.md section 4). */
const projectShape = (ctx: Context) => (ctx.caller.anonymous ? basicProject : fullProject);

/** Up to 100 of the projects that the caller may see and that a condition on `p` names. */
async function firstProjects(ctx: Context, condition: Sql): Promise<ProjectRecord[]> {
  return (await readKeysetPage(ctx, visibleProjects(ctx, [condition]), MAX_PROJECTS)).records;
}

async function loadProjects(ctx: Context, group: GroupRecord): Promise<void> {
  if (group.with_projects === false) return;
  const [own, shared] = await Promise.all([
    firstProjects(ctx, sql`p.namespace_id = ${group.id}`),
    firstProjects(ctx, sharedWithGroup(ctx, group.id)),
  ]);
  group.projects = own;
  group.shared_projects = shared;
  const both = [...own, ...shared];
  if (both.length > 0) await projectShape(ctx).load(ctx, both);
}

/** Details are of one group at a time. */
async function loadDetails(ctx: Context, groups: readonly GroupRecord[]): Promise<void> {
  const loaded = [
    invitedToGroups(ctx, groups),
    loadAttributes(ctx, 'group', groups),
    ...groups.map((group) => loadProjects(ctx, group)),
  ] as const;
  const [invited] = await Promise.all(loaded);
  for (const group of groups) group.shared_with_groups = invited.get(group.id) ?? [];
}

const projectList = {
  type: 'array',
  items: { $ref: `#/components/schemas/${fullProject.name}` },
  'x-shape': fullProject,
};

/** One group. */
export const groupDetails = shape<GroupRecord>(
  'GroupDetails',
  {
    ...fields,
    shared_with_groups: out.records(invitedGroupShape, (group) => group.shared_with_groups ?? []),
    ...shownIf<GroupRecord>((group, ctx) => groupPolicy.admin_group(ctx.caller, group), {
      runners_token: out.text((group, ctx) => openRunnersToken(ctx, group)),
    }),
    ...shownIf<GroupRecord>((group) => group.parent_id === null, {
      prevent_sharing_groups_outside_hierarchy: out.flag(
        (group) => group.settings.prevent_sharing_groups_outside_hierarchy,
      ),
    }),
    ...shownIf<GroupRecord>((group) => group.with_projects !== false, {
      projects: out.any(
        (group, ctx) => (group.projects ?? []).map((project) => projectShape(ctx).present(project, ctx)),
        projectList,
      ),
      shared_projects: out.any(
        (group, ctx) => (group.shared_projects ?? []).map((project) => projectShape(ctx).present(project, ctx)),
        projectList,
      ),
    }),
  },
  { load: loadDetails },
);

/** What a group's runner token is bound to where it is stored. */
export const runnersTokenOf = (groupId: number) => `group_settings.runners_token:${groupId}`;

function openRunnersToken(ctx: Context, group: GroupRecord): string {
  return ctx.services.keys.decrypt(Buffer.from(group.settings.runners_token), runnersTokenOf(group.id));
}
