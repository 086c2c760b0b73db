import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { aboutProject } from '../../core/job-context.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { empty, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { pipelineColumns, pipelineTables } from '../../ci/pipelines/pipeline.finder.js';
import type { PipelineRecord } from '../../ci/pipelines/pipeline.finder.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { Package, PackageFile } from './package.entity.js';
import { packagePolicy, packageProjects } from './package.policy.js';
import type { ListedPackage, PackageFileRecord, PackageRecord } from './package.record.js';

/** A project's packages, the oldest first; filters on `k` are added to `where`. */
export function packagesOf(found: ProjectRecord, where: readonly Fragment[]): TextList<PackageRecord> {
  return {
    select: textColumns(Package, 'k'),
    from: sql`packages k`,
    where: [sql`k.project_id = ${found.id}`, ...where],
    order: [byId('k', 'asc')],
    read: (row) => ({ ...row, project: found }),
  };
}

/**
 * Packages that the caller may read in a group.
 * @param within conditions on project `p` and its namespace `n`
 * @param where conditions on `k`
 */
export function packagesIn(ctx: Context, within: Fragment, where: readonly Fragment[]): TextList<ListedPackage> {
  return {
    select: sql`${textColumns(Package, 'k')}, r.path as "project.full_path"`,
    from: sql`packages k join projects p on p.id = k.project_id join namespaces n on n.id = p.namespace_id
      join routes r on r.project_id = p.id`,
    where: [within, packageProjects(ctx), ...where],
    order: [byId('k', 'asc')],
  };
}

/** The subject of what clients of packages ask of a project, which deploy tokens may too: 403 where there are none to read. */
export const packageProject: Subject<ProjectRecord, Caller> = project;

/** A package by its id, whatever its status. */
async function findPackage(ctx: Context, found: ProjectRecord, id: number): Promise<PackageRecord> {
  if (!packagePolicy.read_package(ctx.caller, found)) throw new Forbidden();
  const row = await ctx.queryOne<Package>(sql`
    select ${textColumns(Package, 'k')} from packages k where k.project_id = ${found.id} and k.id = ${id}
    ${ctx.inTransaction ? sql`for no key update of k` : empty}`);
  if (!row) throw new NotFound('Package');
  return { ...row, project: found };
}

/** The subject of `/projects/:id/packages/:package_id…`: 403 where the caller reads none, then 404. */
export const projectPackage: Subject<PackageRecord> = {
  noun: 'Package',
  params: { ...project.params, package_id: integer().describe('Id of the package.') },
  find: async (ctx, input: { id: string; package_id: number }) =>
    findPackage(ctx, await project.find(ctx, input), input.package_id),
  about: (record) => aboutProject(record.project),
};

/** A package's files, the oldest first. */
export function filesOf(found: PackageRecord): TextList<PackageFileRecord> {
  return {
    select: textColumns(PackageFile, 'f'),
    from: sql`package_files f`,
    where: [sql`f.package_id = ${found.id}`],
    order: [byId('f', 'asc')],
    read: (row) => ({ ...row, project: found.project }),
  };
}

/** A file of a package with what the store knows of it; null for none. */
export const findPackageFile = (
  ctx: Context<Caller>,
  projectId: number,
  { name, version, file }: { name: string; version: string; file: string },
): Promise<(PackageFile & { key: string }) | null> =>
  ctx.queryOne(sql`
    select ${textColumns(PackageFile, 'f')}, o.key as "key"
      from packages k join package_files f on f.package_id = k.id join stored_objects o on o.id = f.object_id
     where k.project_id = ${projectId} and k.package_type = 'generic' and k.name = ${name}
       and k.version = ${version} and f.file_name = ${file}
     order by f.id desc limit 1`);

/** The pipelines that a package came from. @param offered whether the caller may page them by keyset */
export function pipelinesOfPackage(
  found: PackageRecord,
  direction: 'asc' | 'desc',
  offered: boolean,
): TextList<PipelineRecord> {
  return {
    select: pipelineColumns,
    from: sql`package_pipelines kp join (${pipelineTables}) on pl.id = kp.pipeline_id`,
    where: [sql`kp.package_id = ${found.id}`],
    order: [byId('pl', direction)],
    keyset: { type: 'Ci::Pipeline', by: 'cursor', offered },
    read: (row) => ({ ...row, project: found.project }),
  };
}
