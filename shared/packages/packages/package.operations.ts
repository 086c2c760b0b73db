import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { NotFound } from '../../core/values/errors.js';
import { integer, oneOf, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { byId } from '../../core/database/list.js';
import type { PackagesDatabase } from '../packages.entities.js';
import { inGroup } from '../../planning/issue-lists/issuable-scopes.js';
import { group } from '../../tenancy/groups/group.finder.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import { onProjects, project } from '../../tenancy/projects/project.finder.js';
import { Package, PackageFile } from './package.entity.js';
import type { PackageFileRecord, PackageRecord } from './package.entity.js';
import { groupPackageFilters, packageConditions, packageFilters, packageOrder } from './package.filters.js';
import { findPackageFiles, packagesIn, findPackages, pipelinesOfPackage, projectPackage } from './package.finder.js';
import { packagePolicy } from './package.policy.js';

/** Of one package, by its project. */
const canOfPackage = <A extends keyof typeof packagePolicy>(ability: A) => ({
  ability,
  rule: (caller: Parameters<(typeof packagePolicy)[A]>[0], found: PackageRecord) =>
    packagePolicy[ability](caller, found.project),
});

/** List a project's packages; hidden ones only if requested by `status`. */
export const listPackages = operation({
  name: 'listPackages',
  summary: "List a project's packages",
  resource: project,
  can: can(packagePolicy, 'read_package'),
  authentication: 'open',
  kind: 'read',
  params: packageFilters,
  run: (_ctx, found, input) =>
    Promise.resolve({
      ...findPackages(found, packageConditions(input)),
      order: packageOrder<PackageRecord>(input.order_by, input.sort),
    }),
});

const within = (found: GroupRecord, alone: boolean): Expression<SqlBool> =>
  alone ? onProjects('p.namespace_id', '=', found.id) : inGroup(found);

/** List the packages of the projects in a group, and in those below it, that the caller may read. */
export const listGroupPackages = operation({
  name: 'listGroupPackages',
  summary: "List the packages of a group's projects",
  resource: group,
  authentication: 'open',
  kind: 'read',
  params: groupPackageFilters,
  run: (ctx, found, input) =>
    Promise.resolve({
      ...packagesIn(ctx, within(found, input.exclude_subgroups), packageConditions(input)),
      order: packageOrder(input.order_by, input.sort),
    }),
});

/** Read one package. */
export const getPackage = operation({
  name: 'getPackage',
  summary: 'Read a package',
  resource: projectPackage,
  authentication: 'open',
  kind: 'read',
  statements: 7,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Delete a package with its files: Maintainers and above. The bytes go soon after. */
export const deletePackage = operation({
  name: 'deletePackage',
  summary: 'Delete a package',
  resource: projectPackage,
  can: canOfPackage('destroy_package'),
  conditional: true,
  kind: 'write',
  async run(ctx, found) {
    if ((await ctx.em.nativeDelete(Package, { id: found.id })) === 0) throw new NotFound('Package');
    ctx.record({ type: 'package.deleted', package: found, project: found.project });
  },
});

/** List the pipelines that a package came from, by keyset for callers who are signed in (rest-conventions.md section 7). */
export const listPackagePipelines = operation({
  name: 'listPackagePipelines',
  summary: 'List the pipelines of a package',
  resource: projectPackage,
  authentication: 'open',
  kind: 'read',
  params: {
    order_by: withDefault(oneOf(['id']), 'id').describe('Column to order by.'),
    sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order.'),
  },
  run(ctx, found, { sort }) {
    const offered = sort === 'desc' && !ctx.caller.anonymous;
    return Promise.resolve(pipelinesOfPackage(found, sort, offered));
  },
});

const FILE_ORDERS = ['id', 'created_at', 'file_name'] as const;

const FILE_STEPS = {
  created_at: { type: 'instant', value: (row: PackageFileRecord) => row.created_at },
  file_name: { type: 'text', value: (row: PackageFileRecord) => row.file_name },
} as const;

/** List the files of a package. */
export const listPackageFiles = operation({
  name: 'listPackageFiles',
  summary: 'List the files of a package',
  resource: projectPackage,
  authentication: 'open',
  kind: 'read',
  params: {
    order_by: withDefault(oneOf(FILE_ORDERS), 'id').describe('Column to order by.'),
    sort: withDefault(oneOf(['asc', 'desc']), 'asc').describe('Direction of the order.'),
  },
  run(_ctx, found, { order_by: column, sort: direction }) {
    const last = byId<PackageFileRecord>('f', direction);
    const first =
      column === 'id' ? [] : [{ key: column, direction, expression: sql.ref(`f.${column}`), ...FILE_STEPS[column] }];
    return Promise.resolve({ ...findPackageFiles(found), order: [...first, last] });
  },
});

/** Delete a file of a package: Maintainers and above. The package stays, also without any. */
export const deletePackageFile = operation({
  name: 'deletePackageFile',
  summary: 'Delete a file of a package',
  resource: projectPackage,
  can: canOfPackage('destroy_package'),
  kind: 'write',
  params: { package_file_id: integer().describe('ID of the package file.') },
  async run(ctx, found, { package_file_id: id }) {
    const file = await ctx.em
      .getKysely<PackagesDatabase>()
      .selectFrom('package_files as f')
      .select('f.file_name')
      .where('f.id', '=', id)
      .where('f.package_id', '=', found.id)
      .executeTakeFirst();
    if (!file || (await ctx.em.nativeDelete(PackageFile, { id, package_id: found.id })) === 0)
      throw new NotFound('Package file');
    ctx.record({ type: 'package_file.deleted', package: found, file_name: file.file_name, project: found.project });
  },
});
