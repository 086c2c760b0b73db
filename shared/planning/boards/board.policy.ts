import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import type { Container } from '../../tenancy/containers/container.js';
import { containerPolicy } from '../../tenancy/containers/container.policy.js';
import { projectIssuePolicy } from '../issues/issue.policy.js';

/** Boards of a project are visible to users who can see its issues. */
const reads = (caller: UserOrAnonymous, container: Container): boolean =>
  container.kind === 'group'
    ? containerPolicy.read_group(caller, container)
    : projectIssuePolicy.read_issue(caller, container.record);

/** Planners and above arrange boards, where anything may still change. */
const arranges = (caller: UserOrAnonymous, container: Container): boolean =>
  container.open && reads(caller, container) && roleIn(caller, container, 'planner');

/** Permissions on the boards of a project or group (core-resources.md section 8). */
export const boardPolicy = policy({
  read_issue_board: reads,
  /** The first who opens them has a board made. */
  open_issue_boards: (caller: UserOrAnonymous, container: Container) =>
    !caller.anonymous && container.open && reads(caller, container),
  admin_issue_board: arranges,
});
