import type { Expression, SqlBool, Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { List } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { PackagesDatabase } from '../packages.entities.js';
import { selectPipelines } from '../../ci/pipelines/pipeline.finder.js';
import type { PipelineRecord } from '../../ci/pipelines/pipeline.finder.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { Package, PackageFile } from './package.entity.js';
import type { ListedPackage, PackageFileRecord, PackageRecord } from './package.entity.js';
import { onPackages } from './package.filters.js';
import { packagePolicy, packageProjects } from './package.policy.js';

/** A project's packages, the oldest first. @param where conditions on `k` */
export function findPackages(found: ProjectRecord, where: readonly Expression<SqlBool>[]): List<PackageRecord> {
  const list: List<PackageRecord> = {
    matching: onPackages.selectFrom('packages as k').where('k.project_id', '=', found.id),
    select: (query) => query.select(columns(Package, 'k')),
    order: [byId('k', 'asc')],
    read: (row) => ({ ...row, project: found }),
  };
  return narrow(list, where);
}

/**
 * Packages that the caller may read in a group.
 * @param within conditions on project `p` and its namespace `n`
 * @param where conditions on `k`
 */
export function packagesIn(
  ctx: Context,
  within: Expression<SqlBool>,
  where: readonly Expression<SqlBool>[],
): List<ListedPackage> {
  const list: List<ListedPackage> = {
    matching: onPackages
      .selectFrom('packages as k')
      .innerJoin('projects as p', 'p.id', 'k.project_id')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .innerJoin('routes as r', 'r.project_id', 'p.id'),
    select: (query) => query.select([...columns(Package, 'k'), onPackages.ref('r.path').as('project.full_path')]),
    order: [byId('k', 'asc')],
  };
  return narrow(list, [within, packageProjects(ctx), ...where]);
}

/**
 * The project resource for package clients, which also allows deploy tokens: 403 if the caller may not read its
 * packages.
 */
export const packageProject: Resource<ProjectRecord, Caller> = project;

interface PackageKey {
  readonly project_id: number;
  readonly id: number;
}

const getPackage = (db: Kysely<PackagesDatabase>, { project_id: projectId, id }: Placeholders<PackageKey>) =>
  db
    .selectFrom('packages as k')
    .select(columns(Package, 'k'))
    .where('k.project_id', '=', projectId)
    .where('k.id', '=', id);

const loadPackage = prepareQuery(getPackage);
const lockPackage = prepareQuery<PackagesDatabase, PackageKey, Package>((db, key) =>
  getPackage(db, key).forNoKeyUpdate('k'),
);

/** A package by its id, whatever its status. */
async function findPackage(ctx: Context, found: ProjectRecord, id: number): Promise<PackageRecord> {
  if (!packagePolicy.read_package(ctx.caller, found)) throw new Forbidden();
  const [row] = await (ctx.inTransaction ? lockPackage : loadPackage)(ctx, { project_id: found.id, id });
  if (!row) throw new NotFound('Package');
  return { ...row, project: found };
}

/** The resource of `/projects/:id/packages/:package_id…`: 403 where the caller reads none, then 404. */
export const projectPackage: Resource<PackageRecord> = {
  noun: 'Package',
  params: { ...project.params, package_id: integer().describe('ID of the package.') },
  find: async (ctx, input: { id: string; package_id: number }) =>
    findPackage(ctx, await project.find(ctx, input), input.package_id),
  about: (record) => aboutProject(record.project),
};

/** A package's files, the oldest first. */
export const findPackageFiles = (found: PackageRecord): List<PackageFileRecord> => ({
  matching: onPackages.selectFrom('package_files as f').where('f.package_id', '=', found.id),
  select: (query) => query.select(columns(PackageFile, 'f')),
  order: [byId('f', 'asc')],
  read: (row) => ({ ...row, project: found.project }),
});

const genericFile = prepareQuery<
  PackagesDatabase,
  { project_id: number; name: string; version: string; file: string },
  PackageFile & { key: string }
>((db, { project_id: projectId, name, version, file }) =>
  db
    .selectFrom('packages as k')
    .innerJoin('package_files as f', 'f.package_id', 'k.id')
    .innerJoin('stored_objects as o', 'o.id', 'f.object_id')
    .select([...columns(PackageFile, 'f'), 'o.key'])
    .where('k.project_id', '=', projectId)
    .where('k.package_type', '=', constant('generic'))
    .where('k.name', '=', name)
    .where('k.version', '=', version)
    .where('f.file_name', '=', file)
    .orderBy('f.id', 'desc')
    .limit(constant(1)),
);

/** A file of a package with its object storage data; null if there is none. */
export async function findPackageFile(
  ctx: Context<Caller>,
  projectId: number,
  which: { name: string; version: string; file: string },
): Promise<(PackageFile & { key: string }) | null> {
  const [file] = await genericFile(ctx, { project_id: projectId, ...which });
  return file ?? null;
}

/** The pipelines that a package came from. @param offered whether the caller may page them by keyset */
export function pipelinesOfPackage(
  found: PackageRecord,
  direction: 'asc' | 'desc',
  offered: boolean,
): List<PipelineRecord> {
  return {
    matching: onPackages
      .selectFrom('package_pipelines as kp')
      .innerJoin('pipelines as pl', 'pl.id', 'kp.pipeline_id')
      .where('kp.package_id', '=', found.id),
    select: selectPipelines,
    order: [byId('pl', direction)],
    keyset: { type: 'Ci::Pipeline', by: 'cursor', offered },
    read: (row) => ({ ...row, project: found.project }),
  };
}
