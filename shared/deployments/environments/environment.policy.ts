import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { featureOpen, writable } from '../../tenancy/projects/project.policy.js';
import type { EnvironmentRecord } from './environment.entity.js';

/** Environments and deployments are part of CI/CD: if CI/CD or environments are disabled, no caller has access. */
const open = (caller: UserOrAnonymous, project: ProjectRecord): boolean =>
  featureOpen(caller, project, project.environments_access_level) && project.builds_access_level !== 'disabled';

const reads = (caller: UserOrAnonymous, project: ProjectRecord): boolean =>
  open(caller, project) && roleIn(caller, project, 'reporter');

const develops = (caller: UserOrAnonymous, project: ProjectRecord): boolean =>
  open(caller, project) && writable(project) && roleIn(caller, project, 'developer');

const maintains = (caller: UserOrAnonymous, project: ProjectRecord): boolean =>
  open(caller, project) && writable(project) && roleIn(caller, project, 'maintainer');

/** Permissions for the environments and deployments of a project (delivery-resources.md sections 1 and 2). */
export const projectEnvironmentPolicy = policy({
  /** Reporters; in a public project with environments open to all, every signed-in user. */
  read_environment: (caller: UserOrAnonymous, project: ProjectRecord) =>
    reads(caller, project) || (!caller.anonymous && open(caller, project) && project.visibility === 'public'),
  create_environment: develops,
  stop_environments: develops,
  destroy_review_apps: maintains,
  read_deployment: reads,
  create_deployment: develops,
  destroy_deployment: maintains,
  /** Those who deploy to unprotected ones learn why they may not deploy to others. */
  read_deploy_rights: (caller: UserOrAnonymous, project: ProjectRecord) =>
    open(caller, project) && roleIn(caller, project, 'developer'),
  /** The approval rules of the environment are checked when the approval is given. */
  approve_deployment: (caller: UserOrAnonymous, project: ProjectRecord) => writable(project) && reads(caller, project),
});

/** Permissions for one environment. */
export const environmentPolicy = policy({
  update_environment: (caller: UserOrAnonymous, { project }: EnvironmentRecord) => develops(caller, project),
  stop_environment: (caller: UserOrAnonymous, { project }: EnvironmentRecord) => develops(caller, project),
  destroy_environment: (caller: UserOrAnonymous, { project }: EnvironmentRecord) => develops(caller, project),
  /** Only stopped environments can be deleted. */
  destroy_stopped_environment: (caller: UserOrAnonymous, { project, state }: EnvironmentRecord) =>
    state === 'stopped' && develops(caller, project),
});
