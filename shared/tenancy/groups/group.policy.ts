import type { GroupRecord } from './group.entity.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import type { WithAccess } from '../../core/operations/policy.js';

/** Open to the caller without any membership. */
function open(caller: UserOrAnonymous, group: Pick<GroupRecord, 'visibility'>): boolean {
  if (group.visibility === 'public') return true;
  return group.visibility === 'internal' && !caller.anonymous && !caller.user?.external;
}

/** Namespace fields that decide about creating projects in a group. */
interface ProjectNamespace extends WithAccess {
  frozen: boolean;
  archived: boolean;
}

/** Whether the caller may create projects in a group, by its `project_creation_level` (core-resources.md section 5). */
export function mayCreateProjects(caller: UserOrAnonymous, namespace: ProjectNamespace, level: string | null): boolean {
  if (namespace.frozen || namespace.archived) return false;
  if (level === 'noone') return false;
  if (level === 'administrator') return caller.admin;
  return roleIn(caller, namespace, level === 'owner' || level === 'maintainer' ? level : 'developer');
}

/** Permissions on one group (core-resources.md section 3). */
export const groupPolicy = policy({
  /** Members of anything below may read the group too: else their own projects would hang in the air. */
  read_group: (caller: UserOrAnonymous, group: GroupRecord) =>
    group.settings.removal_started_at === null &&
    (caller.admin || group.access > 0 || group.below || open(caller, group)),
  /** Excludes callers who are only members of something below the group. */
  read_group_member: (caller: UserOrAnonymous, group: GroupRecord) =>
    caller.admin || group.access > 0 || open(caller, group),
  admin_group: (caller: UserOrAnonymous, group: GroupRecord) => roleIn(caller, group, 'owner'),
  admin_group_member: (caller: UserOrAnonymous, group: GroupRecord) => roleIn(caller, group, 'owner'),
  create_projects: (caller: UserOrAnonymous, group: GroupRecord) =>
    mayCreateProjects(caller, group, group.settings.project_creation_level),
  archive_group: (caller: UserOrAnonymous, group: GroupRecord) => roleIn(caller, group, 'owner'),
  transfer_group: (caller: UserOrAnonymous, group: GroupRecord) => roleIn(caller, group, 'owner'),
  transfer_project_to_group: (caller: UserOrAnonymous, _group: GroupRecord) => caller.admin,
  destroy_group: (caller: UserOrAnonymous, group: GroupRecord) => roleIn(caller, group, 'owner'),
  /** Owners, or Maintainers if the group allows it. Never in a group that is archived or pending deletion. */
  create_subgroup: (caller: UserOrAnonymous, group: GroupRecord) =>
    !group.frozen &&
    !group.archived &&
    roleIn(caller, group, group.settings.subgroup_creation_level === 'maintainer' ? 'maintainer' : 'owner'),
});

/** Permissions on groups in general. */
export const groupsPolicy = policy({
  /** External users make nothing of their own. */
  create_group: (caller: UserOrAnonymous, settings: { can_create_group: boolean }) =>
    caller.admin || (!caller.anonymous && !caller.user?.external && settings.can_create_group),
});
