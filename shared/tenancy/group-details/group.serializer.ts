import type { Expression, SqlBool } from 'kysely';
import type { ProjectRecord } from '../projects/project.entity.js';
import type { GroupRecord } from '../groups/group.entity.js';
import { avatarUrl } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context/context.js';
import { readKeysetPage } from '../../core/database/list.js';
import { load } from '../../core/context/loads.js';
import type { OutField } from '../../core/operations/serializer.js';
import { inView, out, serializer, visibleIf } from '../../core/operations/serializer.js';
import { attributesField, attributesView } from '../containers/custom-attribute.serializer.js';
import { inOrder, settingFields } from '../namespaces/setting-fields.js';
import { onProjects, visibleProjects } from '../projects/project.finder.js';
import { declaredGroupSettings } from '../groups/declared-group-settings.js';
import { protectionLevel, getBranchProtection } from '../groups/default-branch-protection.js';
import { basicProject, fullProject, listedProject } from '../project-details/project.serializer.js';
import { invitedToGroups, sharedWithGroup } from '../members/share.finder.js';
import { invitedGroupSerializer } from '../members/member.serializer.js';
import { groupPolicy } from '../groups/group.policy.js';
import { VISIBILITY } from '../namespaces/namespace.entity.js';
import { groupStatistics, groupStatisticsSerializer } from './group-statistics.serializer.js';

/** Projects at most in a group's own record. */
const MAX_PROJECTS = 100;

/** How the group protects default branches of new projects. */
const branchProtection = (group: GroupRecord) => getBranchProtection(group.settings.default_branch_protection_defaults);

/** The date of marking, not of removal; returned from Premium on (contract/README.md "Plans and offerings"). */
function markedOn(group: GroupRecord, ctx: Context): string | null {
  return ctx.hasPlan('premium') ? (group.settings.marked_for_deletion_at?.toISOString().slice(0, 10) ?? null) : null;
}

/** Field order that existing clients rely on. New fields are not listed here and come last. */
const FIELD_ORDER = [
  'id',
  'web_url',
  'name',
  'path',
  'description',
  'visibility',
  'share_with_group_lock',
  'require_two_factor_authentication',
  'two_factor_grace_period',
  'project_creation_level',
  'auto_devops_enabled',
  'subgroup_creation_level',
  'emails_disabled',
  'emails_enabled',
  'mentions_disabled',
  'lfs_enabled',
  'archived',
  'default_branch',
  'default_branch_protection',
  'default_branch_protection_defaults',
  'avatar_url',
  'request_access_enabled',
  'full_name',
  'full_path',
  'created_at',
  'parent_id',
  'organization_id',
  'shared_runners_setting',
  'max_artifacts_size',
  'marked_for_deletion_on',
  'custom_attributes',
];

const everyField: Record<string, OutField<GroupRecord>> = {
  ...settingFields<GroupRecord>(
    declaredGroupSettings,
    { record: (group) => group, settings: (group) => group.settings },
    {},
  ),
  id: out.integer((group) => group.id),
  web_url: out.text((group, ctx) => `${ctx.config.externalUrl}/groups/${group.full_path}`),
  name: out.text((group) => group.name),
  path: out.text((group) => group.path),
  description: out.text((group) => group.description),
  visibility: out.text((group) => group.visibility, { enum: VISIBILITY }),
  emails_disabled: out.boolean((group) => !group.settings.emails_enabled, {
    description: 'Deprecated: the opposite of `emails_enabled`.',
  }),
  archived: out.boolean((group) => group.archived),
  default_branch_protection: out.integer((group) => protectionLevel(branchProtection(group)), {
    description: 'Deprecated: use `default_branch_protection_defaults`.',
  }),
  default_branch_protection_defaults: out.any(branchProtection, { type: 'object' }),
  avatar_url: out.nullableText((group, ctx) => avatarUrl(ctx, { kind: 'group', id: group.id }, group.avatar)),
  full_name: out.text((group) => group.full_name),
  full_path: out.text((group) => group.full_path),
  created_at: out.instant((group) => group.created_at),
  parent_id: out.nullableInteger((group) => group.parent_id),
  organization_id: out.integer(() => 1),
  marked_for_deletion_on: out.nullableDay(markedOn),
  ...attributesField<GroupRecord>('group'),
};
const fields = inOrder(everyField, FIELD_ORDER);

/** A group in lists (core-resources.md section 3, "Record"). */
export const groupSerializer = serializer<GroupRecord>(
  'Group',
  {
    ...fields,
    ...inView<GroupRecord>('statistics', {
      statistics: out.record(groupStatisticsSerializer, (group, ctx) => groupStatistics.of(group, ctx)),
    }),
  },
  {
    views: {
      ...attributesView<GroupRecord>('group'),
      statistics: { when: (ctx) => ctx.caller.admin, loads: [groupStatistics] },
    },
  },
);

const { id, web_url, name, avatar_url, full_name, full_path } = fields as Record<string, OutField<GroupRecord>> & {
  [K in 'id' | 'web_url' | 'name' | 'avatar_url' | 'full_name' | 'full_path']: OutField<GroupRecord>;
};

/** A group with only its name and paths. */
export const publicGroup = serializer<GroupRecord>('PublicGroup', {
  id,
  web_url,
  name,
  avatar_url,
  full_name,
  full_path,
});

/** Anonymous callers get the basic record of a project, as everywhere (projects.md section 4). */
const projectSerializer = (ctx: Context) => (ctx.caller.anonymous ? basicProject : listedProject);

/** Up to 100 of the projects that the caller may see and that a condition on `p` names. */
async function firstProjects(ctx: Context, condition: Expression<SqlBool>): Promise<ProjectRecord[]> {
  return (await readKeysetPage(ctx, visibleProjects(ctx, [condition]), MAX_PROJECTS)).records;
}

/** The first projects in a group and of those shared with it, with what their records show. */
const projectsOfGroup = load(
  (group: Readonly<GroupRecord>) => group.id,
  async (ctx, groups) => new Map(await Promise.all(groups.map((group) => readProjects(ctx, group)))),
);

async function readProjects(ctx: Context, { id }: Readonly<GroupRecord>) {
  const [own, shared] = await Promise.all([
    firstProjects(ctx, onProjects('p.namespace_id', '=', id)),
    firstProjects(ctx, sharedWithGroup(ctx, id)),
  ]);
  const both = [...own, ...shared];
  if (both.length > 0) await projectSerializer(ctx).load(ctx, both);
  return [id, { own, shared }] as const;
}

const invitedGroups = load((group: Readonly<GroupRecord>) => group.id, invitedToGroups);

const projectList = {
  type: 'array',
  items: { $ref: `#/components/schemas/${fullProject.name}` },
  'x-serializer': fullProject,
};

const presentProjects = (ctx: Context, projects: readonly ProjectRecord[] = []) =>
  projects.map((project) => projectSerializer(ctx).present(project, ctx));

/** One group. */
export const groupDetails = serializer<GroupRecord>(
  'GroupDetails',
  {
    ...fields,
    shared_with_groups: out.records(invitedGroupSerializer, (group, ctx) => invitedGroups.of(group, ctx) ?? []),
    ...visibleIf<GroupRecord>((group, ctx) => groupPolicy.admin_group(ctx.caller, group), {
      runners_token: out.text((group, ctx) => openRunnersToken(ctx, group), { secret: true }),
      membership_lock: out.boolean((group) => group.settings.membership_lock),
    }),
    ...visibleIf<GroupRecord>((group) => group.parent_id === null, {
      prevent_sharing_groups_outside_hierarchy: out.boolean(
        (group) => group.settings.prevent_sharing_groups_outside_hierarchy,
      ),
    }),
    ...visibleIf<GroupRecord>((_group, ctx) => ctx.caller.admin, {
      allow_possible_spam: out.boolean((group) => group.settings.allow_possible_spam),
    }),
    ...inView<GroupRecord>('with_projects', {
      projects: out.any((group, ctx) => presentProjects(ctx, projectsOfGroup.of(group, ctx)?.own), projectList),
      shared_projects: out.any(
        (group, ctx) => presentProjects(ctx, projectsOfGroup.of(group, ctx)?.shared),
        projectList,
      ),
    }),
  },
  {
    loads: [invitedGroups],
    views: {
      ...attributesView<GroupRecord>('group'),
      with_projects: { byDefault: true, loads: [projectsOfGroup] },
    },
  },
);

/** The associated data that a group's encrypted runner token is bound to. */
export const getRunnersToken = (groupId: number) => `group_settings.runners_token:${groupId}`;

function openRunnersToken(ctx: Context, group: GroupRecord): string {
  return ctx.services.keys.decrypt(Buffer.from(group.settings.runners_token), getRunnersToken(group.id));
}

const SUMMARY_FIELDS = ['id', 'name', 'avatar_url', 'web_url', 'full_name', 'full_path'];

/** A group as embedded in its projects: a subset of the group's own record, with identical fields. */
export const projectGroupSerializer = serializer<GroupRecord>(
  'ProjectGroup',
  Object.fromEntries(SUMMARY_FIELDS.map((name) => [name, groupSerializer.fields[name] as OutField<GroupRecord>])),
);
