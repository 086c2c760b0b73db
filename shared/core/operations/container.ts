import type { UserOrAnonymous } from '../context/callers.js';
import type { Context } from '../context/context.js';
import type { Resource } from './operation.js';
import { roleIn } from './policy.js';
import type { WithAccess } from './policy.js';

/*
 * Projects and groups are two kinds of containers, with members, tokens, hooks, labels, audit events. Code for "a
 * project or a group" is written once over these types (decisions/0035-containers.md). The kinds themselves, with their
 * records, are defined in `tenancy/containers`.
 */

export type ContainerKind = 'project' | 'group';

/** A reference to a container: the id is that of its project, or of the group's namespace. */
export interface ContainerRef {
  readonly kind: ContainerKind;
  readonly id: number;
}

/** A container with the caller's effective access to it. */
export interface FoundContainer extends ContainerRef, WithAccess {}

/** One value for each kind of container. */
export type ByContainer<T> = Readonly<Record<ContainerKind, T>>;

/** As errors, audit events and names of operations call a container. */
export const CONTAINER_NOUNS = { project: 'Project', group: 'Group' } as const satisfies ByContainer<string>;

/** The common properties of all containers of a kind: operations over containers are declared with it. */
export interface ContainerType<C extends FoundContainer = FoundContainer> {
  readonly kind: ContainerKind;
  readonly noun: (typeof CONTAINER_NOUNS)[ContainerKind];
  /** The resource of `/projects/:id/…` or `/groups/:id/…`. */
  readonly resource: Resource<C>;
  /**
   * Keeps it, until the transaction ends, from being removed or moved while something is made in it; changes to the
   * members of a group also wait for each other.
   * @throws NotFound when it was removed until it could be locked
   */
  lock(ctx: Context, container: C): Promise<void>;
  /**
   * The same for what also concerns other namespaces, locked together with it in the order in which everybody locks.
   * @returns the container as it is now, with the rights that the caller has now: check them again
   * @throws NotFound
   */
  hold(ctx: Context, container: C, namespaceIds: readonly number[]): Promise<C>;
}

/** The column that names the container in a row of its kind. */
export const containerColumn = (kind: ContainerKind): 'project_id' | 'namespace_id' =>
  kind === 'project' ? 'project_id' : 'namespace_id';

/**
 * The table of a resource that has one per kind, such as `project_members`, and the column that names the container, by
 * the names of groups: what both kinds have is of the same types.
 */
export const containerTable = <Resource extends string>(kind: ContainerKind, resource: Resource) => ({
  table: `${kind}_${resource}` as `group_${Resource}`,
  column: (kind === 'project' ? 'project_id' : 'namespace_id') as 'namespace_id',
});

/** A row that belongs to a project, to a group, or to neither. */
export interface ContainerColumns {
  project_id?: number | null | undefined;
  namespace_id?: number | null | undefined;
}

/** Both columns of a row that belongs to a container; two nulls without a container. */
export const containerColumns = (container: ContainerRef | null) => ({
  project_id: container?.kind === 'project' ? container.id : null,
  namespace_id: container?.kind === 'group' ? container.id : null,
});

/** The container of a row with both columns. */
export function containerOfRow({ project_id, namespace_id }: ContainerColumns): ContainerRef | null {
  if (project_id) return { kind: 'project', id: project_id };
  return namespace_id ? { kind: 'group', id: namespace_id } : null;
}

/** Whether the caller administers a container: Maintainers of a project, Owners of a group. */
export const administers = (caller: UserOrAnonymous, container: FoundContainer): boolean =>
  roleIn(caller, container, container.kind === 'project' ? 'maintainer' : 'owner');
