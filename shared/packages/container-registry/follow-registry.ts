import { z } from 'zod';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { measureContainerImages } from './container-registry.jobs.js';
import { ContainerManifest, ContainerTag } from './container-repository.entity.js';
import { ofNobodyElse, prefixesOf } from './grant-access.js';
import { isRepositoryPath } from './registry-scopes.js';

/** Own pattern: media types of manifests and of lists of them, docker's and OCI's. */
const MANIFEST = /^application\/vnd\.(docker\.distribution\.manifest|oci\.image\.(manifest|index))\b/;

const text = () => z.string().max(512);
const bytes = () => z.int().min(0);

/** What is read of an event (distribution, "Work with notifications"). */
const eventSchema = z.object({
  /** Others change nothing that is kept. */
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

interface Place {
  project_id: number;
  repository_id: number;
}

/** The repository's row, made where the project has none of this name. */
async function openRepository(ctx: Context, path: string): Promise<Place | null> {
  if (!isRepositoryPath(path)) return null;
  const now = ctx.clock.now();
  const [row] = await ctx.query<Place>(sql`
    insert into container_repositories as c (project_id, name, path, created_at, updated_at)
    select r.project_id, ltrim(substr(${path}, length(r.path) + 1), '/'), ${path}, ${now}, ${now} from routes r
     where lower(r.path) = any(${prefixesOf(path)}::text[]) and r.project_id is not null
       and ${ofNobodyElse(path)}
     order by length(r.path) desc limit 1
    on conflict on constraint container_repositories_name
      do update set path = excluded.path, updated_at = excluded.updated_at
    returning c.project_id as "project_id", c.id as "repository_id"`);
  return row ?? null;
}

async function pushed(ctx: Context, target: Target): Promise<Place | null> {
  const { digest, size = 0, tag, references } = target;
  if (digest === undefined || !MANIFEST.test(target.mediaType ?? '')) return null;
  const place = await openRepository(ctx, target.repository);
  if (!place) return null;
  const [manifest] = await ctx.query<{ id: number }>(sql`
    insert into container_manifests as m (project_id, repository_id, digest, size)
    values (${place.project_id}, ${place.repository_id}, ${digest}, ${size})
    on conflict on constraint container_manifests_digest do update set size = excluded.size
    returning m.id as "id"`);
  const parts = references ?? [];
  await ctx.query(sql`
    insert into container_manifest_parts (project_id, manifest_id, digest, size)
    select ${place.project_id}::bigint, ${manifest?.id ?? 0}::bigint, part.digest, part.size
      from unnest(${parts.map((part) => part.digest)}::text[], ${parts.map((part) => part.size)}::bigint[])
        as part (digest, size)
    on conflict do nothing`);
  if (tag !== undefined)
    await ctx.em.upsert(
      ContainerTag,
      { ...place, name: tag, digest },
      { onConflictFields: ['project_id', 'repository_id', 'name'], onConflictMergeFields: ['digest'] },
    );
  return place;
}

async function deleted(ctx: Context, { repository, digest, tag }: Target): Promise<Place | null> {
  // The repository first, as `pushed` and its own deletion do: whoever locks its parts first could wait for each other.
  const place = await ctx.queryOne<Place>(sql`
    select c.project_id as "project_id", c.id as "repository_id" from container_repositories c
     where c.path = ${repository} order by c.id limit 1 for update`);
  if (!place) return null;
  // A registry of the third version deletes tags too, and tells their names.
  if (tag !== undefined && tag !== '') await ctx.em.nativeDelete(ContainerTag, { ...place, name: tag });
  else if (digest !== undefined) {
    await ctx.em.nativeDelete(ContainerTag, { ...place, digest });
    await ctx.em.nativeDelete(ContainerManifest, { ...place, digest });
  }
  return place;
}

/**
 * Keeps what the registry tells: repositories, what their tags keep, and how much that is. What is no event of a
 * manifest, or of no project, is passed over, since a registry repeats what is refused. Told twice, it changes nothing.
 * @param body the notification as it came
 */
export async function followRegistry(ctx: Context, body: unknown): Promise<void> {
  const envelope = envelopeSchema.safeParse(body);
  if (!envelope.success) return;
  await ctx.transaction(async () => {
    const projects = new Set<number>();
    for (const given of envelope.data.events) {
      const { data: event } = eventSchema.safeParse(given);
      const follow = event && { push: pushed, mount: pushed, delete: deleted }[event.action];
      const place = follow ? await follow(ctx, event.target) : null;
      if (place) projects.add(place.project_id);
    }
    for (const project_id of projects)
      await ctx.jobs.send(measureContainerImages, { project_id }, { singletonKey: String(project_id) });
  });
}
