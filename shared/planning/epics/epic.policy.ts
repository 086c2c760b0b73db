import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import type { EpicRecord } from './epic.entity.js';

const isAuthor = (caller: UserOrAnonymous, epic: EpicRecord) => !caller.anonymous && epic.author_id === caller.id;

/** Confidential ones exist for Planners and above, and their author. */
const readable = (caller: UserOrAnonymous, epic: EpicRecord): boolean =>
  groupPolicy.read_group(caller, epic.group) &&
  (!epic.confidential || roleIn(caller, epic.group, 'planner') || isAuthor(caller, epic));

const writable = (caller: UserOrAnonymous, group: GroupRecord): boolean =>
  !group.frozen && roleIn(caller, group, 'reporter');

/** Permissions on the epics of a group (core-resources.md section 8). */
export const groupEpicPolicy = policy({
  /** Sets the creation time. */
  read_epics: groupPolicy.read_group,
  create_epic: writable,
  /** When it was made. */
  set_epic_origin: (caller: UserOrAnonymous, group: GroupRecord) => roleIn(caller, group, 'owner'),
});

/** Permissions on one epic. */
export const epicPolicy = policy({
  read_epic: readable,
  update_epic: (caller: UserOrAnonymous, epic: EpicRecord) => readable(caller, epic) && writable(caller, epic.group),
  destroy_epic: (caller: UserOrAnonymous, epic: EpicRecord) =>
    readable(caller, epic) && !epic.group.frozen && roleIn(caller, epic.group, 'owner'),
  /** Signed-in users who can see the epic. */
  subscribe_epic: (caller: UserOrAnonymous, epic: EpicRecord) => !caller.anonymous && readable(caller, epic),
});
