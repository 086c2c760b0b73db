import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { featureOpen, readOnly } from '../../tenancy/projects/project.policy.js';
import type { IssueRecord } from './issue.entity.js';

/** Planners, a role between Guest and Reporter, can manage planning data of issues. */
const plans = (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'planner');

const open = (caller: UserOrAnonymous, project: ProjectRecord) =>
  featureOpen(caller, project, project.issues_access_level);

const isAuthor = (caller: UserOrAnonymous, issue: IssueRecord) => !caller.anonymous && issue.author_id === caller.id;

const concerns = (caller: UserOrAnonymous, issue: IssueRecord) =>
  isAuthor(caller, issue) || (!caller.anonymous && issue.assigned_id === caller.id);

/** Confidential ones exist for Planners and above, their author and assignees alone. */
function readable(caller: UserOrAnonymous, issue: IssueRecord): boolean {
  if (!open(caller, issue.project)) return false;
  return !issue.confidential || plans(caller, issue.project) || concerns(caller, issue);
}

const manages = (caller: UserOrAnonymous, issue: IssueRecord) =>
  open(caller, issue.project) && !readOnly(issue.project) && plans(caller, issue.project);

/** Planners may delete what Reporters, Developers and Maintainers may not (core-resources.md section 6). */
const deletes = (caller: UserOrAnonymous, { access }: ProjectRecord) => caller.admin || access === 15 || access >= 50;

/** Permissions on the issues of a project (core-resources.md section 6). */
export const projectIssuePolicy = policy({
  /** The issues that are not confidential. */
  read_issue: open,
  read_confidential_issues: (caller: UserOrAnonymous, project: ProjectRecord) =>
    open(caller, project) && plans(caller, project),
  /** Guests, and everybody signed in where the issues are open to all. */
  create_issue: (caller: UserOrAnonymous, project: ProjectRecord) =>
    !caller.anonymous && open(caller, project) && !readOnly(project),
  /** Labels, assignees, milestone and the like of a new issue: members. Of one that is there: `admin_issue`. */
  set_new_issue_metadata: (caller: UserOrAnonymous, project: ProjectRecord) =>
    open(caller, project) && !readOnly(project) && roleIn(caller, project, 'guest'),
  admin_issue: (caller: UserOrAnonymous, project: ProjectRecord) =>
    open(caller, project) && !readOnly(project) && plans(caller, project),
  /** Its number, and when it was made. */
  set_issue_origin: (caller: UserOrAnonymous, project: ProjectRecord) =>
    open(caller, project) && roleIn(caller, project, 'owner'),
  move_issue_to: (caller: UserOrAnonymous, project: ProjectRecord) =>
    open(caller, project) && !readOnly(project) && roleIn(caller, project, 'reporter'),
});

/** Permissions on one issue. */
export const issuePolicy = policy({
  read_issue: readable,
  update_issue: (caller: UserOrAnonymous, issue: IssueRecord) =>
    readable(caller, issue) && !readOnly(issue.project) && (plans(caller, issue.project) || concerns(caller, issue)),
  admin_issue: manages,
  /** Labels, assignees, milestone, dates, weight: Planners and above. */
  set_issue_metadata: manages,
  move_issue: (caller: UserOrAnonymous, issue: IssueRecord) =>
    manages(caller, issue) && roleIn(caller, issue.project, 'reporter'),
  destroy_issue: (caller: UserOrAnonymous, issue: IssueRecord) =>
    readable(caller, issue) && !readOnly(issue.project) && deletes(caller, issue.project),
  /** With what it was made is for administrators. */
  read_user_agent: (caller: UserOrAnonymous) => caller.admin,
  /** Signed-in users who can see the issue. */
  subscribe_issue: (caller: UserOrAnonymous, issue: IssueRecord) => !caller.anonymous && readable(caller, issue),
});
