import { load } from '../../core/context/loads.js';
import { getRegistryHost } from '../../core/network/external-url.js';
import type { Context } from '../../core/context/context.js';
import { inView, out, serializer } from '../../core/operations/serializer.js';
import type {
  ContainerRepository,
  ContainerTagDetails,
  ContainerTagRecord,
  ListedContainerRepository,
} from './container-repository.entity.js';
import { forEachAtOnce, loadContainerTags } from './container-tags.js';

const getLocation = (repository: ContainerRepository, ctx: Context) =>
  `${getRegistryHost(ctx.config)}/${repository.path}`;

const tagFields = {
  name: out.text<ContainerTagRecord>((tag) => tag.name),
  path: out.text<ContainerTagRecord>((tag) => `${tag.repository.path}:${tag.name}`),
  location: out.text<ContainerTagRecord>((tag, ctx) => `${getLocation(tag.repository, ctx)}:${tag.name}`),
};

/** A tag in lists (core-resources.md section 9). */
export const containerTag = serializer<ContainerTagRecord>('ContainerTag', tagFields);

/** Characters of a revision that people read. */
const SHORT = 9;

/** One tag, with what it points at. */
export const containerTagDetails = serializer<ContainerTagDetails>('ContainerTagDetails', {
  ...(tagFields as object),
  revision: out.nullableText((tag) => tag.revision),
  short_revision: out.nullableText((tag) => tag.revision?.slice(0, SHORT) ?? null),
  digest: out.text((tag) => tag.digest),
  created_at: out.nullableInstant((tag) => tag.created_at, { description: 'Timestamp of when the image was built.' }),
  total_size: out.nullableInteger((tag) => tag.total_size, { description: 'Total size of all layers, in bytes.' }),
});

/** Requests the tags of each repository of a page from the registry. */
const repositoryTags = load(
  (row: Readonly<ListedContainerRepository>) => row.id,
  async (ctx, rows) => {
    const found = await forEachAtOnce(rows, async (row) => [row.id, await loadContainerTags(ctx, row)] as const);
    return new Map(found);
  },
);

const fields = {
  id: out.integer<ListedContainerRepository>((row) => row.id),
  name: out.text<ListedContainerRepository>((row) => row.name),
  path: out.text<ListedContainerRepository>((row) => row.path),
  project_id: out.integer<ListedContainerRepository>((row) => row.project_id),
  location: out.text<ListedContainerRepository>(getLocation),
  created_at: out.instant<ListedContainerRepository>((row) => row.created_at),
  cleanup_policy_started_at: out.nullableInstant<ListedContainerRepository>((row) => row.cleanup_started_at),
  cleanup_policy_status: out.text<ListedContainerRepository>((row) => row.cleanup_status, {
    enum: ['cleanup_unscheduled', 'cleanup_scheduled', 'cleanup_ongoing', 'cleanup_unfinished'],
  }),
  status: out.nullableText<ListedContainerRepository>((row) => row.status),
};

/** An image repository of a group's projects. */
export const groupContainerRepository = serializer<ListedContainerRepository>('GroupContainerRepository', fields);

const tagViews = {
  ...inView<ListedContainerRepository>('tags_count', {
    tags_count: out.integer((row, ctx) => repositoryTags.of(row, ctx)?.length ?? 0),
  }),
  ...inView<ListedContainerRepository>('tags', {
    tags: out.records(containerTag, (row, ctx) => repositoryTags.of(row, ctx) ?? []),
  }),
};
const views = { tags: { loads: [repositoryTags] }, tags_count: { loads: [repositoryTags] } };

/** An image repository in lists of its project. */
export const containerRepositorySerializer = serializer<ListedContainerRepository>(
  'ContainerRepository',
  { ...fields, ...tagViews },
  { views },
);

/** One image repository. */
export const containerRepositoryDetails = serializer<ListedContainerRepository>(
  'ContainerRepositoryDetails',
  {
    ...fields,
    ...tagViews,
    ...inView('size', {
      size: out.integer((row) => row.size, { description: 'Size in bytes, with each blob counted once.' }),
    }),
    delete_api_path: out.text(
      (row, ctx) => `${ctx.config.externalUrl}/api/v4/projects/${row.project_id}/registry/repositories/${row.id}`,
    ),
  },
  { views: { ...views, size: {} } },
);
