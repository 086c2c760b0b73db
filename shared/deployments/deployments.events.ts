import type { ContainerSummary, ProjectSummary } from '../tenancy/tenancy.events.js';
import type { ClusterAgent } from './cluster-agents/cluster-agent.entity.js';
import type { Deployment } from './deployments/deployment.entity.js';
import type { Environment } from './environments/environment.entity.js';
import type { Protection } from './protected-environments/protection-notes.js';

/** An environment with the project it belongs to. */
interface EnvironmentEvent {
  readonly environment: Environment;
  readonly project: ProjectSummary;
}

/** An approval or rejection of a deployment that waits for approvals. */
type Decided = EnvironmentEvent & {
  readonly deployment: Deployment;
  /** The name of the user, group or role that they stood for; null where there are no rules. */
  readonly represented_as: string | null;
  readonly comment: string | null;
};

interface ProtectionEvents {
  'deployment.approved': Decided;
  'deployment.rejected': Decided;
  /** An environment of a project, or a tier of a group, was protected. */
  'protected_environment.created': { readonly container: ContainerSummary } & Protection;
  'protected_environment.updated': {
    readonly container: ContainerSummary;
    readonly before: Protection;
    readonly after: Protection;
  };
  /** It is no longer protected. */
  'protected_environment.removed': { readonly container: ContainerSummary } & Protection;
}

export interface DeploymentEvents extends ProtectionEvents {
  'cluster_agent.created': { readonly agent: ClusterAgent; readonly project: ProjectSummary };
  'cluster_agent.deleted': { readonly agent: ClusterAgent; readonly project: ProjectSummary };
  'environment.created': EnvironmentEvent;
  /** Values that callers give it; its tier may be another one. */
  'environment.updated': {
    readonly before: Environment;
    readonly after: Environment;
    readonly project: ProjectSummary;
  };
  /** `environment` as it is now. */
  'environment.stopped': EnvironmentEvent;
  /** Includes its deployments, which have no events of their own. */
  'environment.deleted': EnvironmentEvent;
  'deployment.created': EnvironmentEvent & { readonly deployment: Deployment };
  /** Its status is another one. */
  'deployment.changed': EnvironmentEvent & { readonly before: Deployment; readonly after: Deployment };
  /**
   * A job found that these merge requests are new in their environment, or none if the deployment did not succeed after
   * all. Follow-up work starts with this event.
   */
  'deployment.linked': EnvironmentEvent & {
    readonly deployment: Deployment;
    readonly merge_request_ids: readonly number[];
  };
  'deployment.deleted': EnvironmentEvent & { readonly deployment: Deployment };
}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends DeploymentEvents {}
}
