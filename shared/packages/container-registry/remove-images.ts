import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { PackagesDatabase } from '../packages.entities.js';
import { ContainerRepository, RemovedImages } from './container-repository.entity.js';
import { forEachAtOnce } from './container-tags.js';
import { RegistryClient } from './registry-client.js';

/** Manifests that are deleted between two looks at the time of the job. */
const BATCH = 100;

/** Deletes all that tags of a repository name, at the registry. */
async function deleteImages(ctx: Context, path: string): Promise<void> {
  if (!ctx.config.registry) return;
  const client = new RegistryClient(ctx, path);
  const names = await client.tags();
  for (let at = 0; at < names.length; at += BATCH) {
    ctx.signal.throwIfAborted();
    const manifests = await forEachAtOnce(names.slice(at, at + BATCH), (name) => client.manifest(name));
    const digests = new Set(manifests.flatMap((manifest) => (manifest ? [manifest.digest] : [])));
    await forEachAtOnce([...digests], (digest) => client.deleteManifest(digest));
  }
}

/** Deletes a repository whose deletion was requested: first its images, then its row. Idempotent. */
export async function deleteRepository(ctx: Context, { repository_id: id }: { repository_id: number }): Promise<void> {
  const repository = await ctx.em.findOne(ContainerRepository, { id, status: 'delete_scheduled' });
  if (!repository) return;
  await deleteImages(ctx, repository.path);
  await ctx.transaction(async () => {
    if ((await ctx.em.nativeDelete(ContainerRepository, { id, status: 'delete_scheduled' })) === 0) return;
    // Its images are gone already.
    await ctx.em.nativeDelete(RemovedImages, { path: repository.path });
    ctx.record({ type: 'container_repository.deleted', project_id: repository.project_id });
  });
}

/** The next images that are to be deleted, by id. */
const findNextImages = prepareQuery<PackagesDatabase, { after: number }, RemovedImages>((db, { after }) =>
  db
    .selectFrom('instance_removed_images as r')
    .select(columns(RemovedImages, 'r'))
    .where('r.id', '>', after)
    .orderBy('r.id')
    .limit(constant(1)),
);

/**
 * Deletes images at the registry whose repositories were deleted with their projects. Without a registry their paths
 * stay recorded.
 */
export async function removeImages(ctx: Context): Promise<void> {
  if (!ctx.config.registry) return;
  let after = 0;
  await inSteps(ctx, async () => {
    const [next] = await findNextImages(ctx, { after });
    if (!next) return false;
    after = next.id;
    await deleteImages(ctx, next.path);
    await ctx.transaction(() => ctx.em.nativeDelete(RemovedImages, { id: next.id }));
    return true;
  });
}
