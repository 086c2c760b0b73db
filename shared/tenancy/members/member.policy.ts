import type { Caller } from '../../core/context.js';
import { ACCESS_LEVELS, policy, roleIn } from '../../core/policy.js';
import type { MemberSource } from './member-source.js';

/** Who may do what with the members of a project or group (core-resources.md section 4). */
export const memberPolicy = policy({
  read_member: (_caller: Caller, source: MemberSource) => source.readable,
  /** Maintainers of a project, Owners of a group. */
  admin_member: (caller: Caller, source: MemberSource) =>
    roleIn(caller, source, source.kind === 'project' ? 'maintainer' : 'owner'),
});

/** The highest level that a caller may give, or take from somebody: their own. */
export function ownLevel(caller: Caller, source: MemberSource): number {
  return caller.admin ? ACCESS_LEVELS.admin : source.access;
}
