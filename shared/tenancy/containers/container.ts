import { aboutNamespace, aboutProject } from '../../core/values/job-context.js';
import type { GroupRecord } from '../groups/group.entity.js';
import type { ProjectRecord } from '../projects/project.entity.js';
import { CONTAINER_NOUNS } from '../../core/operations/container.js';
import type { ByContainer, ContainerType, FoundContainer } from '../../core/operations/container.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { roleIn } from '../../core/operations/policy.js';
import { NotFound } from '../../core/values/errors.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { findGroup, group } from '../groups/group.finder.js';
import { holdNamespace, holdNamespaces } from '../namespaces/claim-path.js';
import { lockProject } from '../projects/lock-project.js';
import { project } from '../projects/project.finder.js';
import { writable } from '../projects/project.policy.js';
import type { ContainerSummary } from '../tenancy.events.js';

interface BaseContainer extends FoundContainer {
  /** The group, or the project's namespace, and everything above it, the top first. */
  readonly namespaceIds: readonly number[];
  /** Whether anything new may be made in it: it is neither read-only nor waiting for its import or deletion. */
  readonly open: boolean;
  /** Summary of the container for events. */
  readonly summary: ContainerSummary;
}

export interface ProjectContainer extends BaseContainer {
  readonly kind: 'project';
  readonly record: ProjectRecord;
}

export interface GroupContainer extends BaseContainer {
  readonly kind: 'group';
  readonly record: GroupRecord;
}

/** A project or a group, as a caller finds it, with the record that it is. */
export type Container = ProjectContainer | GroupContainer;

/** A project as a container. */
export function containerOfProject(record: ProjectRecord): ProjectContainer {
  return {
    kind: 'project',
    id: record.id,
    access: record.access,
    namespaceIds: record.namespace.traversal_ids,
    open: writable(record),
    summary: { project: record },
    record,
  };
}

/** Whether the caller may comment on what they read there: only members where the discussion is locked. */
export const mayComment = (
  caller: UserOrAnonymous,
  container: Pick<BaseContainer, 'access' | 'open'>,
  locked: boolean,
): boolean => !caller.anonymous && container.open && (!locked || roleIn(caller, container, 'guest'));

/** A group as a container. */
export function containerOfGroup(record: GroupRecord): GroupContainer {
  return {
    kind: 'group',
    id: record.id,
    access: record.access,
    namespaceIds: record.traversal_ids,
    open: !record.frozen,
    summary: { group: record },
    record,
  };
}

export const projectContainer: ContainerType<ProjectContainer> = {
  kind: 'project',
  noun: CONTAINER_NOUNS.project,
  resource: {
    ...project,
    find: async (ctx, input) => containerOfProject(await project.find(ctx, input)),
    about: ({ record }) => aboutProject(record),
  },
  async lock(ctx, { record }) {
    if (!(await holdNamespace(ctx, record.namespace_id))) throw new NotFound('Project');
  },
  async hold(ctx, { record }, namespaceIds) {
    return containerOfProject(await lockProject(ctx, record, 'read_project', namespaceIds));
  },
};

export const groupContainer: ContainerType<GroupContainer> = {
  kind: 'group',
  noun: CONTAINER_NOUNS.group,
  resource: {
    ...group,
    find: async (ctx, input) => containerOfGroup(await group.find(ctx, input)),
    about: ({ record }) => aboutNamespace(record),
  },
  async lock(ctx, { id }) {
    const held = await ctx.em
      .getKysely<TenancyDatabase>()
      .selectFrom('namespaces as n')
      .select('n.id')
      .where('n.id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!held) throw new NotFound('Group');
  },
  async hold(ctx, { id }, namespaceIds) {
    await holdNamespaces(ctx, [id, ...namespaceIds]);
    return containerOfGroup(await findGroup(ctx, id));
  },
};

export const containerTypes: ByContainer<ContainerType<Container>> = {
  project: projectContainer,
  group: groupContainer,
};

/**
 * Declares something once for both kinds of containers: its operations, each with the kind's resource and a name of its
 * own, as in ``forContainers(({ noun, resource }) => ({ list: operation({ name: `list${noun}Badges`, resource, … }) }))``.
 */
export function forContainers<T>(declare: (type: ContainerType<Container>) => T): ByContainer<T> {
  return { project: declare(projectContainer), group: declare(groupContainer) };
}

/** {@link ContainerType.lock} of a container of either kind. */
export const lockContainer = (ctx: Context, container: Container): Promise<void> =>
  containerTypes[container.kind].lock(ctx, container);

/** {@link ContainerType.hold} of a container of either kind. */
export const holdContainer = (
  ctx: Context,
  container: Container,
  namespaceIds: readonly number[],
): Promise<Container> => containerTypes[container.kind].hold(ctx, container, namespaceIds);
