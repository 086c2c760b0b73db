import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import type { ByteRange } from '../../core/object-store/object-store.js';
import { openObject } from '../../core/stored-files/storing.js';
import { can, operation } from '../../core/operations/operation.js';
import type { PackagesDatabase } from '../packages.entities.js';
import { findPackageFile, packageProject } from './package.finder.js';
import { genericFileParams } from './generic-names.js';
import { packagePolicy } from './package.policy.js';

/** When a package was last downloaded is written at most this often. */
const NOTED_EVERY_MS = 60_000;

/** Does not wait for a row that another transaction is writing. */
async function noteDownload(ctx: Context<Caller>, packageId: number): Promise<void> {
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - NOTED_EVERY_MS);
  await ctx.em
    .getKysely<PackagesDatabase>()
    .updateTable('packages')
    .set({ last_downloaded_at: now })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('packages as k')
        .select('k.id')
        .where('k.id', '=', packageId)
        .where((of) => of.or([of('k.last_downloaded_at', 'is', null), of('k.last_downloaded_at', '<=', since)]))
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute();
}

/**
 * Download a file of a generic package: users who can read the project's packages, and deploy tokens with
 * `read_package_registry`. If several files have the same name, the newest is served.
 */
export const downloadGenericFile = operation({
  name: 'downloadGenericPackageFile',
  summary: 'Download a file of a generic package',
  resource: packageProject,
  can: can(packagePolicy, 'read_package'),
  authentication: 'resource',
  principals: ['deploy_token'],
  scopes: ['api', 'read_api', 'read_package_registry'],
  kind: 'read',
  params: genericFileParams,
  async run(ctx, found, input) {
    const { package_name: name, package_version: version, file_name: file } = input;
    const row = await findPackageFile(ctx, found.id, { name, version, file });
    if (!row) throw new NotFound('Package');
    return {
      filename: row.file_name,
      bytes: row.size,
      sha256: row.file_sha256,
      async open(range?: ByteRange) {
        await noteDownload(ctx, row.package_id);
        return openObject(ctx, { key: row.key, bytes: row.size }, range);
      },
    };
  },
});
