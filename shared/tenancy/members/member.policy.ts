import { administers } from '../../core/operations/container.js';
import type { FoundContainer } from '../../core/operations/container.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { ACCESS_LEVELS, policy } from '../../core/operations/policy.js';
import type { Container } from '../containers/container.js';
import { groupPolicy } from '../groups/group.policy.js';

/** Permissions on the members of a project or group (core-resources.md section 4). */
export const memberPolicy = policy({
  read_member: (caller: UserOrAnonymous, source: Container) =>
    source.kind === 'project' || groupPolicy.read_group_member(caller, source.record),
  /** Maintainers of a project, Owners of a group. */
  admin_member: administers,
});

/** The highest level that a caller may grant or revoke: their own. */
export function ownLevel(caller: UserOrAnonymous, source: FoundContainer): number {
  return caller.admin ? ACCESS_LEVELS.admin : source.access;
}
