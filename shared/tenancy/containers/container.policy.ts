import { administers } from '../../core/operations/container.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy } from '../../core/operations/policy.js';
import { groupPolicy } from '../groups/group.policy.js';
import { projectPolicy } from '../projects/project.policy.js';
import type { Container } from './container.js';

const read = (caller: UserOrAnonymous, container: Container) =>
  container.kind === 'project'
    ? projectPolicy.read_project(caller, container.record)
    : groupPolicy.read_group(caller, container.record);

/**
 * Abilities common to projects and groups, for resources that belong to either: `can(containerPolicy, `read_${kind}`)`.
 */
export const containerPolicy = policy({
  read_project: read,
  read_group: read,
  admin_project: administers,
  admin_group: administers,
  admin_group_member: administers,
});
