import type { CallerToken, Principal } from '../../core/context/callers.js';
import { containerOfRow } from '../../core/operations/container.js';
import type { ContainerRef } from '../../core/operations/container.js';
import { writable } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { DeployToken } from './deploy-token.entity.js';
import type { DeployTokenScope } from './deploy-token-values.js';

declare module '../../core/context/callers.js' {
  interface TokenKinds {
    deploy_token: true;
  }
  interface Principals {
    deploy_token: DeployTokenCaller;
  }
}

/** A deploy token's fields as a caller. */
export type DeployTokenSummary = Pick<DeployToken, 'id' | 'name' | 'scopes' | 'project_id' | 'namespace_id'>;

type Right = (caller: DeployTokenCaller, project: ProjectRecord) => boolean;

const reaches: Right = (caller, project) => caller.reaches(project);
const readsCode: Right = (caller, project) =>
  caller.reaches(project) && caller.holds('read_repository') && project.repository_access_level !== 'disabled';
const usesPackages =
  (scope: DeployTokenScope): Right =>
  (caller, project) =>
    caller.reaches(project) && caller.holds(scope) && project.package_registry_access_level !== 'disabled';
const writesPackages: Right = (caller, project) =>
  usesPackages('write_package_registry')(caller, project) && writable(project);
const usesImages =
  (scope: DeployTokenScope): Right =>
  (caller, project) =>
    caller.reaches(project) && caller.holds(scope) && project.container_registry_access_level !== 'disabled';
const pushesImages: Right = (caller, project) => usesImages('write_registry')(caller, project) && writable(project);

/**
 * All abilities of deploy tokens on projects. No scope allows writing to repositories, and public visibility of a
 * project does not extend to deploy tokens (decision 36).
 */
const RIGHTS: ReadonlyMap<string, Right> = new Map([
  ['read_project', reaches],
  ['read_code', readsCode],
  ['read_package', usesPackages('read_package_registry')],
  ['create_package', writesPackages],
  ['read_container_image', usesImages('read_registry')],
  ['create_container_image', pushesImages],
]);

/** Policies receive records of many kinds; deploy tokens have abilities only on projects. */
function isProject(record: unknown): record is ProjectRecord {
  const { id, namespace } = (record ?? {}) as Partial<ProjectRecord>;
  return typeof id === 'number' && Array.isArray(namespace?.traversal_ids);
}

/**
 * A deploy token as a separate kind of caller (decision 36): no user and no role, but permissions on its project, or on
 * every project in and below its group, evaluated at the time of the check.
 */
export class DeployTokenCaller implements Principal {
  readonly kind = 'deploy_token';
  readonly id: number;
  readonly name: string;
  readonly token: CallerToken;
  /** The project or group that it belongs to; with null it reaches nothing. */
  readonly container: ContainerRef | null;

  constructor(token: DeployTokenSummary) {
    this.id = token.id;
    this.name = `Deploy token ${token.name}`;
    this.token = { kind: 'deploy_token', id: token.id, scopes: token.scopes };
    this.container = containerOfRow(token);
  }

  holds(scope: DeployTokenScope): boolean {
    return this.token.scopes.includes(scope);
  }

  /** Whether a project lies in its container, and is not being removed. */
  reaches(project: ProjectRecord): boolean {
    if (!this.container || project.removal_started_at !== null) return false;
    const { kind, id } = this.container;
    return kind === 'project' ? project.id === id : project.namespace.traversal_ids.includes(id);
  }

  may(ability: string, record: unknown): boolean {
    const right = RIGHTS.get(ability);
    return right !== undefined && isProject(record) && right(this, record);
  }
}
