import type { ProjectRecord } from './project.entity.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';

/**
 * Whether the caller may read the record: members; signed-in users for internal projects; all callers for public ones.
 */
function readable(caller: UserOrAnonymous, project: ProjectRecord): boolean {
  if (project.removal_started_at !== null) return false;
  if (roleIn(caller, project, 'guest')) return true;
  if (project.visibility === 'public') return true;
  return project.visibility === 'internal' && !caller.anonymous && !caller.user?.external;
}

/** Whether a feature of the project (issues, repository, builds, …) is open to the caller. */
export function featureOpen(caller: UserOrAnonymous, project: ProjectRecord, level: string): boolean {
  if (level === 'disabled') return false;
  if (level === 'private') return roleIn(caller, project, 'guest');
  return readable(caller, project);
}

/** Guests of a private project see its record, not its code. */
function codeOpen(caller: UserOrAnonymous, project: ProjectRecord): boolean {
  if (!featureOpen(caller, project, project.repository_access_level)) return false;
  return project.visibility !== 'private' || roleIn(caller, project, 'reporter');
}

/** Whether a job is still importing the repository; no user may change it meanwhile. */
function importing(project: ProjectRecord): boolean {
  return project.import_status === 'scheduled' || project.import_status === 'started';
}

/** By itself or with a group (projects.md section 2: what lies in an archived group counts as archived). */
export function isArchived(project: ProjectRecord): boolean {
  return project.archived || project.namespace.archived;
}

/** Archived projects and projects marked for deletion, by themselves or with a group, are read-only (projects.md section 6). */
export function readOnly(project: ProjectRecord): boolean {
  return isArchived(project) || project.marked_for_deletion_at !== null || project.namespace.frozen;
}

/** Whether the project accepts writes at all: it is neither read-only nor is its repository being imported. */
export function writable(project: ProjectRecord): boolean {
  return !readOnly(project) && !importing(project);
}

export const projectPolicy = policy({
  read_project: readable,
  read_code: codeOpen,
  push_code: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'developer') && project.repository_access_level !== 'disabled',
  admin_project: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'maintainer'),
  /** Signed-in users who may read its code; `forking_access_level` may limit this to members or disable it. */
  fork_project: (caller: UserOrAnonymous, project: ProjectRecord) =>
    !caller.anonymous && codeOpen(caller, project) && featureOpen(caller, project, project.forking_access_level),
  link_fork: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'owner'),
  /** Signed-in users who may read it. */
  star_project: (caller: UserOrAnonymous, project: ProjectRecord) => !caller.anonymous && readable(caller, project),
  /** Archiving, deleting and moving a project is for Owners (core-resources.md section 5). */
  archive_project: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'owner'),
  remove_project: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'owner'),
  transfer_project: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'owner'),
  read_statistics: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'reporter'),
  read_service_desk: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'planner'),
  /** Propose changes: everybody signed in who sees the code, from a fork if not otherwise. */
  create_merge_request_in: (caller: UserOrAnonymous, project: ProjectRecord) =>
    !caller.anonymous &&
    writable(project) &&
    featureOpen(caller, project, project.merge_requests_access_level) &&
    codeOpen(caller, project),
  /** Another name, path or visibility. */
  rename_project: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'owner'),
  change_visibility: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'owner'),
  /** Have pipelines removed once they are old: who deletes them decides that. */
  prune_pipelines: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'owner'),
  /** Reporters; with "public pipelines" all callers who may read the project and its CI (pipeline-schedules.md 3). */
  read_pipeline: (caller: UserOrAnonymous, project: ProjectRecord) =>
    featureOpen(caller, project, project.builds_access_level) &&
    (roleIn(caller, project, 'reporter') || project.public_jobs),
  create_pipeline: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && project.builds_access_level !== 'disabled' && roleIn(caller, project, 'developer'),
  /** Users who may change pipelines may report the status of a commit (contract decision 17). */
  create_commit_status: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && project.builds_access_level !== 'disabled' && roleIn(caller, project, 'developer'),
  /** Like `read_pipeline`, but only for signed-in users (pipeline-schedules.md 1). */
  read_pipeline_schedule: (caller: UserOrAnonymous, project: ProjectRecord) =>
    !caller.anonymous &&
    featureOpen(caller, project, project.builds_access_level) &&
    (roleIn(caller, project, 'reporter') || project.public_jobs),
  create_pipeline_schedule: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && project.builds_access_level !== 'disabled' && roleIn(caller, project, 'developer'),
});
