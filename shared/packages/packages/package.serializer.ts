import type { Kysely } from 'kysely';
import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { columns } from '../../core/database/columns.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { constant, unnested } from '../../core/database/expressions.js';
import type { PackagesDatabase } from '../packages.entities.js';
import { Pipeline } from '../../ci/pipelines/pipeline.entity.js';
import { selectPipelines } from '../../ci/pipelines/pipeline.finder.js';
import type { PipelineRecord } from '../../ci/pipelines/pipeline.finder.js';
import { basicPipeline } from '../../ci/pipelines/pipeline.serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { Package } from './package.entity.js';
import type { PackageFile, ListedPackage } from './package.entity.js';

const { name: _name, ...pipelineFields } = basicPipeline.fields;

/** A pipeline that a package came from (core-resources.md section 9). */
export const packagePipeline = serializer<PipelineRecord>('PackagePipeline', {
  ...pipelineFields,
  user: out.nullableRecord(userSummary, (pipeline) => pipeline.user),
});

/** Maximum number of pipelines returned with each package; the package's own list contains all of them. */
const MAX_PIPELINES = 5;
/** Maximum number of other versions returned with each package. */
const MAX_VERSIONS = 100;

/** The newest pipelines of each package. */
const pipelines = load(
  (row: Readonly<ListedPackage>) => row.id,
  async (ctx, rows) => {
    const ids = rows.map(({ id }) => id);
    const newest = ctx.em
      .getKysely<PackagesDatabase>()
      .selectFrom(unnested(ids, 'bigint').as('requested'))
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('package_pipelines as kp')
            .innerJoin('pipelines as p', 'p.id', 'kp.pipeline_id')
            .select(columns(Pipeline, 'p'))
            .whereRef('kp.package_id', '=', 'requested.value')
            .orderBy('kp.pipeline_id', 'desc')
            .limit(constant(MAX_PIPELINES))
            .as('pl'),
        (join) => join.onTrue(),
      )
      .select('requested.value as package_id')
      .orderBy('requested.value')
      .orderBy('pl.id', 'desc');
    const found = (await selectPipelines(newest).execute()) as (Omit<PipelineRecord, 'project'> & {
      package_id: number;
    })[];
    const projects = new Map(rows.map((row) => [row.id, row.project]));
    const of = (id: number) => projects.get(id) as PipelineRecord['project'];
    return Map.groupBy(
      found.map(({ package_id, ...row }) => ({ ...row, project: of(package_id), package_id })),
      (row) => row.package_id,
    );
  },
);

const findVersions = prepareQuery((db: Kysely<PackagesDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom(unnested(ids, 'bigint').as('requested'))
    .innerJoin('packages as own', 'own.id', 'requested.value')
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('packages as k')
        .select(columns(Package, 'k'))
        .whereRef('k.project_id', '=', 'own.project_id')
        .whereRef('k.package_type', '=', 'own.package_type')
        .whereRef('k.name', '=', 'own.name')
        .whereRef('k.id', '<>', 'own.id')
        .where('k.status', '=', constant('default'))
        .orderBy('k.id', 'desc')
        .limit(constant(MAX_VERSIONS))
        .as('other'),
    )
    .select([...columns(Package, 'other'), 'own.id as of'])
    .orderBy('other.id', 'desc'),
);

/** Other versions of the same package. */
const versions = load(
  (row: Readonly<ListedPackage>) => row.id,
  async (ctx, rows) => {
    const ids = rows.map(({ id }) => id);
    const found = await findVersions(ctx, { ids });
    return Map.groupBy(found, (row) => row.of);
  },
);

const tags = out.texts<object>(() => [], {
  description: 'Tags of the package: always empty, because no package type of this service has tags.',
});

const packageVersion = serializer<Package>('PackageVersion', {
  id: out.integer((row) => row.id),
  version: out.text((row) => row.version),
  created_at: out.instant((row) => row.created_at),
  tags,
});

/** A package in lists of its project. */
export const packageSerializer = serializer<ListedPackage>(
  'Package',
  {
    id: out.integer((row) => row.id),
    name: out.text((row) => row.name),
    version: out.text((row) => row.version),
    package_type: out.text((row) => row.package_type),
    status: out.text((row) => row.status, { enum: ['default', 'hidden'] }),
    _links: out.any(
      (row, ctx) => ({
        web_path: `/${row.project.full_path}/-/packages/${row.id}`,
        delete_api_path: `${ctx.config.externalUrl}/api/v4/projects/${row.project_id}/packages/${row.id}`,
      }),
      { type: 'object', properties: { web_path: { type: 'string' }, delete_api_path: { type: 'string' } } },
    ),
    created_at: out.instant((row) => row.created_at),
    last_downloaded_at: out.nullableInstant((row) => row.last_downloaded_at),
    tags,
    pipeline: out.nullableRecord(packagePipeline, (row, ctx) => pipelines.of(row, ctx)?.[0] ?? null, {
      description: 'Newest pipeline that the package came from.',
    }),
    pipelines: out.records(packagePipeline, (row, ctx) => pipelines.of(row, ctx) ?? []),
  },
  { loads: [pipelines] },
);

/** A package in lists of a group, which also return its project. */
export const groupPackage = serializer<ListedPackage>(
  'GroupPackage',
  {
    ...packageSerializer.fields,
    project_id: out.integer((row) => row.project_id),
    project_path: out.text((row) => row.project.full_path),
  },
  { loads: [pipelines] },
);

/** One package, with its other versions. */
export const packageDetails = serializer<ListedPackage>(
  'PackageDetails',
  { ...packageSerializer.fields, versions: out.records(packageVersion, (row, ctx) => versions.of(row, ctx) ?? []) },
  { loads: [pipelines, versions] },
);

/** A file of a package in its list of files. SHA-256 is the only digest stored. */
export const packageFile = serializer<PackageFile>('PackageFile', {
  id: out.integer((file) => file.id),
  package_id: out.integer((file) => file.package_id),
  created_at: out.instant((file) => file.created_at),
  file_name: out.text((file) => file.file_name),
  size: out.integer((file) => file.size, { description: 'Size of the file, in bytes.' }),
  file_md5: out.nullableText(() => null),
  file_sha1: out.nullableText(() => null),
  file_sha256: out.text((file) => file.file_sha256, { description: 'SHA-256 of the file, in hexadecimal.' }),
});

/** A file just published, as `select=package_file` has it. */
export const publishedFile = serializer<PackageFile>('PublishedPackageFile', {
  ...packageFile.fields,
  updated_at: out.instant((file) => file.updated_at),
  file_store: out.integer(() => 1),
});
