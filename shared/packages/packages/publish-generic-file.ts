import { getUserId } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { integer, oneOf, optional, storedFile } from '../../core/operations/fields.js';
import type { StoredFile } from '../../core/stored-files/storing.js';
import { can, operation } from '../../core/operations/operation.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { Pipeline } from '../../ci/pipelines/pipeline.entity.js';
import type { PackagesDatabase } from '../packages.entities.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { genericFileParams } from './generic-names.js';
import { Package, PackageFile, PackagePipeline } from './package.entity.js';
import { packageProject } from './package.finder.js';
import { packagePolicy } from './package.policy.js';

/** Bytes of a file at most, as the public product has it. */
const FILE_BYTES = 5 * 1024 ** 3;

interface PackageFileInput {
  package_name: string;
  package_version: string;
  file_name: string;
  status?: 'default' | 'hidden' | undefined;
  pipeline_id?: number | undefined;
  file: StoredFile;
}

/** @throws Invalid for a pipeline of another project */
async function requirePipeline(ctx: Context<Caller>, found: ProjectRecord, id: number | undefined): Promise<void> {
  if (id === undefined) return;
  const count = await ctx.em.count(Pipeline, { id, project_id: found.id });
  if (count === 0) throw new Invalid({ pipeline_id: ['does not exist in this project'] });
}

/** The package of that name and version, made where there is none, and locked. */
async function openPackage(ctx: Context<Caller>, found: ProjectRecord, input: PackageFileInput): Promise<Package> {
  const now = ctx.clock.now();
  // The insert itself detects whether the row already exists, even if it is inserted concurrently.
  return ctx.em
    .getKysely<PackagesDatabase>()
    .insertInto('packages')
    .values({
      project_id: found.id,
      name: input.package_name,
      version: input.package_version,
      package_type: constant('generic'),
      status: input.status ?? 'default',
      creator_id: getUserId(ctx.caller) || null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.constraint('packages_name').doUpdateSet((eb) => ({
        updated_at: eb.ref('excluded.updated_at'),
        status: eb.fn.coalesce(eb.cast<string>(eb.val(input.status ?? null), 'text'), 'packages.status'),
      })),
    )
    .returning(columns(Package, 'packages'))
    .executeTakeFirstOrThrow();
}

async function tiePipeline(ctx: Context<Caller>, { id, project_id }: Package, pipelineId: number): Promise<void> {
  const tie = { project_id, package_id: id, pipeline_id: pipelineId };
  await ctx.em.upsert(PackagePipeline, tie, {
    onConflictFields: ['project_id', 'package_id', 'pipeline_id'],
    onConflictAction: 'ignore',
  });
}

async function addFile(ctx: Context<Caller>, owner: Package, input: PackageFileInput): Promise<PackageFile> {
  const now = ctx.clock.now();
  const row = {
    project_id: owner.project_id,
    package_id: owner.id,
    object_id: await input.file.object.keep(ctx),
    pipeline_id: input.pipeline_id ?? null,
    file_name: input.file_name,
    size: input.file.object.bytes,
    file_sha256: input.file.object.sha256,
    created_at: now,
    updated_at: now,
  };
  return { id: await ctx.em.insert(PackageFile, row), ...row };
}

/**
 * Publish a file of a generic package: Developers, and deploy tokens with `write_package_registry`. An existing file
 * with the same name is kept, but the new one is served.
 */
export const publishGenericFile = operation({
  name: 'publishGenericPackageFile',
  summary: 'Publish a file of a generic package',
  resource: packageProject,
  can: can(packagePolicy, 'create_package'),
  authentication: 'signed_in_resource',
  principals: ['deploy_token'],
  scopes: ['api', 'write_package_registry'],
  kind: 'write',
  statements: 20,
  params: {
    ...genericFileParams,
    status: optional(oneOf(['default', 'hidden'])).describe(
      'Status of the package; `hidden` excludes the package from lists.',
    ),
    select: optional(oneOf(['package_file'])).describe('If `package_file`, returns the file in the response.'),
    pipeline_id: optional(integer()).describe(
      "ID of the project's pipeline that the file comes from. Beyond the public API.",
    ),
    file: storedFile().describe('Package file: the request body itself, or the part `file` of a form.'),
  },
  upload: { param: 'file', kind: 'package_files', raw: true, limit: () => FILE_BYTES },
  async run(ctx, found, input) {
    await requirePipeline(ctx, found, input.pipeline_id);
    const owner = await openPackage(ctx, found, input);
    if (input.pipeline_id !== undefined) await tiePipeline(ctx, owner, input.pipeline_id);
    const file = await addFile(ctx, owner, input);
    ctx.record({ type: 'package_file.published', package: owner, file, project: found });
    return input.select === 'package_file' ? file : null;
  },
});
