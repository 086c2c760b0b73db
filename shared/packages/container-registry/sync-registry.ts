import { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, unnestedRows } from '../../core/database/expressions.js';
import type { PackagesDatabase } from '../packages.entities.js';
import { measureContainerImages } from '../packages.jobs.js';
import { ContainerManifest, ContainerTag } from './container-repository.entity.js';
import { ofNobodyElse, getPathPrefixes } from './grant-access.js';
import { isRepositoryPath } from './registry-scopes.js';

/** Own pattern: media types of manifests and of lists of them, docker's and OCI's. */
const MANIFEST = /^application\/vnd\.(docker\.distribution\.manifest|oci\.image\.(manifest|index))\b/;

const text = () => z.string().max(512);
const bytes = () => z.int().min(0);

/** The relevant fields of an event (distribution, "Work with notifications"). */
const eventSchema = z.object({
  /** Other actions do not change stored data. */
  action: z.enum(['push', 'mount', 'delete']),
  target: z.object({
    mediaType: text().optional(),
    digest: text().optional(),
    size: bytes().optional(),
    repository: text(),
    tag: text().optional(),
    references: z.array(z.object({ digest: text(), size: bytes() })).nullish(),
  }),
});

type Target = z.output<typeof eventSchema>['target'];
const envelopeSchema = z.object({ events: z.array(z.unknown()).max(1000) });

interface RepositoryKey {
  project_id: number;
  repository_id: number;
}

/** The repository's row, made where the project has none of this name. */
async function openRepository(ctx: Context, path: string): Promise<RepositoryKey | null> {
  if (!isRepositoryPath(path)) return null;
  const now = ctx.clock.now();
  const row = await ctx.em
    .getKysely<PackagesDatabase>()
    .insertInto('container_repositories')
    .columns(['project_id', 'name', 'path', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom('routes as r')
        .select((of) => {
          const behind = of(of.fn<number>('length', ['r.path']), '+', of.lit(1));
          return [
            'r.project_id',
            of.fn<string>('ltrim', [of.fn('substr', [of.val(path), behind]), constant('/')]).as('name'),
            of.val(path).as('path'),
            of.val(now).as('created_at'),
            of.val(now).as('updated_at'),
          ];
        })
        .where((of) => of(of.fn<string>('lower', ['r.path']), '=', anyOf(getPathPrefixes(path), 'text')))
        .where('r.project_id', 'is not', null)
        .where(ofNobodyElse(path))
        .orderBy((of) => of.fn('length', ['r.path']), 'desc')
        .limit(1),
    )
    .onConflict((conflict) =>
      conflict.constraint('container_repositories_name').doUpdateSet((eb) => ({
        path: eb.ref('excluded.path'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .returning(['project_id', 'id as repository_id'])
    .executeTakeFirst();
  return row ?? null;
}

async function pushed(ctx: Context, target: Target): Promise<RepositoryKey | null> {
  const { digest, size = 0, tag, references } = target;
  if (digest === undefined || !MANIFEST.test(target.mediaType ?? '')) return null;
  const key = await openRepository(ctx, target.repository);
  if (!key) return null;
  const db = ctx.em.getKysely<PackagesDatabase>();
  const manifest = await db
    .insertInto('container_manifests')
    .values({ ...key, digest, size })
    .onConflict((conflict) =>
      conflict.constraint('container_manifests_digest').doUpdateSet((eb) => ({ size: eb.ref('excluded.size') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('container_manifest_parts')
    .columns(['project_id', 'manifest_id', 'digest', 'size'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(references ?? [], { digest: 'text', size: 'bigint' }).as('part'))
        .select([
          eb.cast<number>(eb.val(key.project_id), 'bigint').as('project_id'),
          eb.cast<number>(eb.val(manifest.id), 'bigint').as('manifest_id'),
          'part.digest',
          'part.size',
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (tag !== undefined)
    await ctx.em.upsert(
      ContainerTag,
      { ...key, name: tag, digest },
      { onConflictFields: ['project_id', 'repository_id', 'name'], onConflictMergeFields: ['digest'] },
    );
  return key;
}

async function deleted(ctx: Context, { repository, digest, tag }: Target): Promise<RepositoryKey | null> {
  // Locks the repository first, as `pushed` and the deletion of a repository do: locking its parts first could
  // deadlock.
  const key = await ctx.em
    .getKysely<PackagesDatabase>()
    .selectFrom('container_repositories as c')
    .select(['c.project_id', 'c.id as repository_id'])
    .where('c.path', '=', repository)
    .orderBy('c.id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (!key) return null;
  // A version 3 registry also deletes tags, and reports their names.
  if (tag !== undefined && tag !== '') await ctx.em.nativeDelete(ContainerTag, { ...key, name: tag });
  else if (digest !== undefined) {
    await ctx.em.nativeDelete(ContainerTag, { ...key, digest });
    await ctx.em.nativeDelete(ContainerManifest, { ...key, digest });
  }
  return key;
}

/**
 * Stores the state that the registry reports: repositories, the contents of their tags, and their sizes. Events that
 * concern no manifest or no project are skipped, because a registry repeats rejected notifications. Idempotent.
 * @param body the notification as received
 */
export async function syncRegistry(ctx: Context, body: unknown): Promise<void> {
  const envelope = envelopeSchema.safeParse(body);
  if (!envelope.success) return;
  await ctx.transaction(async () => {
    const projects = new Set<number>();
    for (const rawEvent of envelope.data.events) {
      const { data: event } = eventSchema.safeParse(rawEvent);
      const handler = event && { push: pushed, mount: pushed, delete: deleted }[event.action];
      const key = handler ? await handler(ctx, event.target) : null;
      if (key) projects.add(key.project_id);
    }
    for (const project_id of projects)
      await ctx.jobs.send(measureContainerImages, { project_id }, { singletonKey: String(project_id) });
  });
}
