import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { containerOfProject, mayComment } from '../../tenancy/containers/container.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { featureOpen, projectPolicy, readOnly, writable } from '../../tenancy/projects/project.policy.js';
import type { MergeRequestRecord } from './merge-request.entity.js';

/** Merge requests are visible to callers who can see the code. */
const open = (caller: UserOrAnonymous, project: ProjectRecord) =>
  featureOpen(caller, project, project.merge_requests_access_level) && projectPolicy.read_code(caller, project);

const isAuthor = (caller: UserOrAnonymous, request: MergeRequestRecord) =>
  !caller.anonymous && request.author_id === caller.id;

/** Permissions on the merge requests of a project (core-resources.md section 7). */
export const projectMergeRequestPolicy = policy({
  read_merge_request: open,
  /** Propose changes to the project; `push_from` is checked on the source project. */
  create_merge_request: (caller: UserOrAnonymous, project: ProjectRecord) =>
    open(caller, project) && projectPolicy.create_merge_request_in(caller, project),
  /** Offer its branches to others: Developers. */
  push_from: (caller: UserOrAnonymous, project: ProjectRecord) =>
    projectPolicy.read_code(caller, project) && writable(project) && roleIn(caller, project, 'developer'),
  /** Labels, assignees, reviewers and milestone: Reporters and above. */
  set_merge_request_metadata: (caller: UserOrAnonymous, project: ProjectRecord) =>
    open(caller, project) && !readOnly(project) && roleIn(caller, project, 'reporter'),
  admin_merge_request: (caller: UserOrAnonymous, project: ProjectRecord) =>
    open(caller, project) && !readOnly(project) && roleIn(caller, project, 'developer'),
});

/** Permissions on one merge request. */
export const mergeRequestPolicy = policy({
  read_merge_request: (caller: UserOrAnonymous, request: MergeRequestRecord) => open(caller, request.project),
  /** Developers, and its author. */
  update_merge_request: (caller: UserOrAnonymous, { project, ...request }: MergeRequestRecord) =>
    open(caller, project) &&
    !readOnly(project) &&
    (roleIn(caller, project, 'developer') || isAuthor(caller, { project, ...request })),
  admin_merge_request: (caller: UserOrAnonymous, { project }: MergeRequestRecord) =>
    projectMergeRequestPolicy.admin_merge_request(caller, project),
  set_merge_request_metadata: (caller: UserOrAnonymous, { project }: MergeRequestRecord) =>
    projectMergeRequestPolicy.set_merge_request_metadata(caller, project),
  destroy_merge_request: (caller: UserOrAnonymous, { project }: MergeRequestRecord) =>
    open(caller, project) && !readOnly(project) && roleIn(caller, project, 'owner'),
  create_note: (caller: UserOrAnonymous, { project, discussion_locked: locked }: MergeRequestRecord) =>
    open(caller, project) && mayComment(caller, containerOfProject(project), locked ?? false),
  /** Signed-in users who can see it. */
  subscribe_merge_request: (caller: UserOrAnonymous, { project }: MergeRequestRecord) =>
    !caller.anonymous && open(caller, project),
});
