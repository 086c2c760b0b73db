import { expressionBuilder, sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import { columns } from '../../core/database/columns.js';
import type { Aliased } from '../../core/database/tables.js';
import type { List } from '../../core/database/list.js';
import type { PackagesDatabase } from '../packages.entities.js';
import { findVisibleProject, project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { containerImagePolicy, containerProjects } from './container-image.policy.js';
import { ContainerRepository } from './container-repository.entity.js';
import type { ContainerRepositoryRecord, ListedContainerRepository } from './container-repository.entity.js';

/** Repositories `c`, as conditions name them. */
const onRepositories = expressionBuilder<Aliased<PackagesDatabase, { c: 'container_repositories' }>, 'c'>();

/** A project's repositories, the oldest first. */
export const findContainerRepositories = (found: ProjectRecord): List<ContainerRepositoryRecord> => ({
  matching: onRepositories.selectFrom('container_repositories as c').where('c.project_id', '=', found.id),
  select: (query) => query.select(columns(ContainerRepository, 'c')),
  order: [byId('c', 'asc')],
  read: (row) => ({ ...row, project: found }),
});

/** Repositories that the caller may read in a group. @param within condition on project `p` */
export function repositoriesIn(ctx: Context, within: Expression<SqlBool>): List<ListedContainerRepository> {
  const list: List<ListedContainerRepository> = {
    matching: onRepositories
      .selectFrom('container_repositories as c')
      .innerJoin('projects as p', 'p.id', 'c.project_id')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .innerJoin('routes as r', 'r.project_id', 'p.id'),
    select: (query) => query.select([...columns(ContainerRepository, 'c'), PROJECT_PATH]),
    order: [byId('c', 'asc')],
  };
  return narrow(list, [within, containerProjects(ctx)]);
}

const PROJECT_PATH = sql.ref('r.path').as('project.full_path');

async function selectRepository(ctx: Context, condition: Expression<SqlBool>): Promise<ContainerRepository | null> {
  const row = await ctx.em
    .getKysely<PackagesDatabase>()
    .selectFrom('container_repositories as c')
    .select(columns(ContainerRepository, 'c'))
    .where(condition)
    .$if(ctx.inTransaction, (query) => query.forNoKeyUpdate('c'))
    .executeTakeFirst();
  return row ?? null;
}

const repositoryId = integer().describe('ID of the image repository.');

/** The resource of `/projects/:id/registry/repositories/:repository_id…`: 403 where the caller reads no images, then 404. */
export const containerRepository: Resource<ContainerRepositoryRecord> = {
  noun: 'Container repository',
  params: { ...project.params, repository_id: repositoryId },
  async find(ctx, input: { id: string; repository_id: number }) {
    const found = await project.find(ctx, input);
    if (!containerImagePolicy.read_container_image(ctx.caller, found)) throw new Forbidden();
    const own = [onRepositories('c.project_id', '=', found.id), onRepositories('c.id', '=', input.repository_id)];
    const row = await selectRepository(ctx, onRepositories.and(own));
    if (!row) throw new NotFound();
    return { ...row, project: found };
  },
  about: (record) => aboutProject(record.project),
};

/** The resource of `/registry/repositories/:id`: repositories that the caller cannot read are not found. */
export const containerRepositoryById: Resource<ContainerRepositoryRecord> = {
  noun: 'Container repository',
  params: { id: repositoryId },
  async find(ctx, input: { id: number }) {
    const row = await selectRepository(ctx, onRepositories('c.id', '=', input.id));
    const found = row && (await findVisibleProject(ctx, row.project_id));
    if (!row || !found || !containerImagePolicy.read_container_image(ctx.caller, found)) throw new NotFound();
    return { ...row, project: found };
  },
  about: (record) => aboutProject(record.project),
};
