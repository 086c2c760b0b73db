import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { aboutProject } from '../../core/job-context.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { empty, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { findVisibleProject, project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { containerImagePolicy, containerProjects } from './container-image.policy.js';
import { ContainerRepository } from './container-repository.entity.js';
import type { ContainerRepositoryRecord, ListedContainerRepository } from './container-repository.record.js';

/** A project's repositories, the oldest first. */
export function repositoriesOf(found: ProjectRecord): TextList<ContainerRepositoryRecord> {
  return {
    select: textColumns(ContainerRepository, 'c'),
    from: sql`container_repositories c`,
    where: [sql`c.project_id = ${found.id}`],
    order: [byId('c', 'asc')],
    read: (row) => ({ ...row, project: found }),
  };
}

/** Repositories that the caller may read in a group. @param within condition on project `p` */
export function repositoriesIn(ctx: Context, within: Fragment): TextList<ListedContainerRepository> {
  return {
    select: sql`${textColumns(ContainerRepository, 'c')}, r.path as "project.full_path"`,
    from: sql`container_repositories c join projects p on p.id = c.project_id
      join namespaces n on n.id = p.namespace_id join routes r on r.project_id = p.id`,
    where: [within, containerProjects(ctx)],
    order: [byId('c', 'asc')],
  };
}

const selectRepository = (ctx: Context, condition: Fragment): Promise<ContainerRepository | null> =>
  ctx.queryOne<ContainerRepository>(sql`
    select ${textColumns(ContainerRepository, 'c')} from container_repositories c where ${condition}
    ${ctx.inTransaction ? sql`for no key update of c` : empty}`);

const repositoryId = integer().describe('Id of the image repository.');

/** The subject of `/projects/:id/registry/repositories/:repository_id…`: 403 where the caller reads no images, then 404. */
export const containerRepository: Subject<ContainerRepositoryRecord> = {
  noun: 'Container repository',
  params: { ...project.params, repository_id: repositoryId },
  async find(ctx, input: { id: string; repository_id: number }) {
    const found = await project.find(ctx, input);
    if (!containerImagePolicy.read_container_image(ctx.caller, found)) throw new Forbidden();
    const row = await selectRepository(ctx, sql`c.project_id = ${found.id} and c.id = ${input.repository_id}`);
    if (!row) throw new NotFound();
    return { ...row, project: found };
  },
  about: (record) => aboutProject(record.project),
};

/** The subject of `/registry/repositories/:id`: what the caller may not read is not there. */
export const containerRepositoryById: Subject<ContainerRepositoryRecord> = {
  noun: 'Container repository',
  params: { id: repositoryId },
  async find(ctx, input: { id: number }) {
    const row = await selectRepository(ctx, sql`c.id = ${input.id}`);
    const found = row && (await findVisibleProject(ctx, row.project_id));
    if (!row || !found || !containerImagePolicy.read_container_image(ctx.caller, found)) throw new NotFound();
    return { ...row, project: found };
  },
  about: (record) => aboutProject(record.project),
};
