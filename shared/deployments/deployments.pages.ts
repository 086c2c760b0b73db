import type { PageChange, PageChangesOf } from '../core/page-changes/publish-page-changes.js';
import type { ContainerSummary } from '../tenancy/tenancy.events.js';
import type { LiveKinds } from '../tenancy/project-details/page-scope.js';
import { projectEnvironmentPolicy } from './environments/environment.policy.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** Environments and what protects them. */
    environments: true;
    /** Deployments, and approvals of blocked ones. */
    deployments: true;
  }
}

/** Who may be notified of changes to environments and deployments: users who can read them. */
export const deploymentsLiveKinds: LiveKinds = {
  environments: { may: projectEnvironmentPolicy.read_environment },
  deployments: { may: projectEnvironmentPolicy.read_deployment },
};

const ofEnvironment = ({ project }: { project: { id: number } }): PageChange => ({
  kind: 'environments',
  project_id: project.id,
});

const ofDeployment = ({ project }: { project: { id: number } }): PageChange => ({
  kind: 'deployments',
  project_id: project.id,
});

/** What protects the environments of a group's projects is seen when their pages are opened the next time. */
const ofProtection = ({ container }: { container: ContainerSummary }): readonly PageChange[] =>
  'project' in container ? [ofEnvironment(container)] : [];

/** What of pages events change. */
export const deploymentsPageChanges: PageChangesOf = {
  'environment.created': ofEnvironment,
  'environment.updated': ofEnvironment,
  'environment.stopped': ofEnvironment,
  'environment.deleted': ofEnvironment,
  'protected_environment.created': ofProtection,
  'protected_environment.updated': ofProtection,
  'protected_environment.removed': ofProtection,
  'deployment.created': ofDeployment,
  'deployment.changed': ofDeployment,
  'deployment.approved': ofDeployment,
  'deployment.rejected': ofDeployment,
  'deployment.deleted': ofDeployment,
};
