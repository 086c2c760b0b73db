import { boolean, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { inGroup } from '../../planning/issue-lists/issuable-scopes.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { containerImagePolicy } from './container-image.policy.js';
import { deleteContainerImages } from '../packages.jobs.js';
import { ContainerRepository } from './container-repository.entity.js';
import type { ContainerRepositoryRecord } from './container-repository.entity.js';
import {
  containerRepository,
  containerRepositoryById,
  repositoriesIn,
  findContainerRepositories,
} from './container-repository.finder.js';

/** Of one repository, by its project. */
export const canOfImages = <A extends keyof typeof containerImagePolicy>(ability: A) => ({
  ability,
  rule: (caller: Parameters<(typeof containerImagePolicy)[A]>[0], found: ContainerRepositoryRecord) =>
    containerImagePolicy[ability](caller, found.project),
});

const viewParams = {
  tags: withDefault(boolean(), false).describe('If `true`, includes the tags of each image repository.'),
  tags_count: withDefault(boolean(), false).describe(
    'If `true`, includes the number of tags of each image repository.',
  ),
};

/** List the image repositories of a project that the registry has reported. */
export const listContainerRepositories = operation({
  name: 'listContainerRepositories',
  summary: "List a project's image repositories",
  resource: project,
  can: can(containerImagePolicy, 'read_container_image'),
  authentication: 'open',
  kind: 'read',
  params: viewParams,
  run: (_ctx, found) => Promise.resolve(findContainerRepositories(found)),
});

/** List the image repositories of the projects in a group, and in those below it, that the caller may read. */
export const listGroupContainerRepositories = operation({
  name: 'listGroupContainerRepositories',
  summary: "List the image repositories of a group's projects",
  resource: group,
  authentication: 'open',
  kind: 'read',
  run: (ctx, found) => Promise.resolve(repositoriesIn(ctx, inGroup(found))),
});

/** Read one image repository. */
export const getContainerRepository = operation({
  name: 'getContainerRepository',
  summary: 'Read an image repository',
  resource: containerRepositoryById,
  authentication: 'open',
  kind: 'read',
  params: {
    ...viewParams,
    size: withDefault(boolean(), false).describe('If `true`, includes the size of the image repository in bytes.'),
  },
  run: (_ctx, found) => Promise.resolve(found),
});

/** Delete an image repository with all its tags: Maintainers. A job does it. */
export const deleteContainerRepository = operation({
  name: 'deleteContainerRepository',
  summary: 'Delete an image repository',
  resource: containerRepository,
  can: canOfImages('admin_container_image'),
  kind: 'write',
  async run(ctx, found) {
    const change = { status: 'delete_scheduled', updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(ContainerRepository, { id: found.id }, change);
    await ctx.jobs.send(deleteContainerImages, { repository_id: found.id });
    ctx.record({ type: 'container_repository.deletion_requested', repository: found, project: found.project });
    return { message: '202 Accepted' };
  },
});
