import type { Context } from '../../core/context/context.js';
import { Limiter } from '../../core/values/limiter.js';
import type { PackagesDatabase } from '../packages.entities.js';
import { addPathHold } from '../../tenancy/projects/path-holds.js';
import type { ContainerRepository, ContainerTagDetails, ContainerTagRecord } from './container-repository.entity.js';
import { RegistryClient } from './registry-client.js';
import type { Manifest } from './registry-client.js';

/** Requests to the registry at once, for one of our own. */
const AT_ONCE = 8;

/** All tags of a repository, by name; none where no registry is configured. */
export async function loadContainerTags(ctx: Context, repository: ContainerRepository): Promise<ContainerTagRecord[]> {
  if (!ctx.config.registry) return [];
  const names = await new RegistryClient(ctx, repository.path).tags();
  return names.map((name) => ({ name, repository }));
}

/** Calls `work` for each of them, a few at once. */
export function forEachAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  return new Limiter({ capacity: AT_ONCE }).map(items, work);
}

/** The build time of an image; for a list, of its first image. Null if unknown. */
async function builtAt(client: RegistryClient, manifest: Manifest): Promise<Date | null> {
  const [first] = manifest.manifests ?? [];
  const image = first?.digest === undefined ? manifest : await client.manifest(first.digest);
  const digest = image?.config?.digest;
  const { created } = (digest === undefined ? null : await client.configuration(digest)) ?? {};
  const date = typeof created === 'string' ? new Date(created) : null;
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

/** A tag with what it points at; null where there is none of that name. */
export async function tagDetails(
  ctx: Context,
  repository: ContainerRepository,
  name: string,
): Promise<ContainerTagDetails | null> {
  if (!ctx.config.registry) return null;
  const client = new RegistryClient(ctx, repository.path);
  const manifest = await client.manifest(name);
  if (!manifest) return null;
  const { digest, config, layers } = manifest;
  return {
    name,
    repository,
    digest,
    revision: config?.digest?.replace(/^sha256:/, '') ?? null,
    created_at: await builtAt(client, manifest),
    total_size: layers ? layers.reduce((sum, { size = 0 }) => sum + size, 0) : null,
  };
}

/** Images are known by the full path of their project: as long as a tag is there it stays, as in the public product. */
export function holdPathsOfImages(): void {
  addPathHold(async (ctx, projects) => {
    const found = await ctx.em
      .getKysely<PackagesDatabase>()
      .selectFrom('projects as p')
      .select('p.id')
      .where(projects)
      .where((eb) =>
        eb.exists(
          eb.selectFrom('container_tags as t').select(eb.lit(1).as('one')).whereRef('t.project_id', '=', 'p.id'),
        ),
      )
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  });
}
