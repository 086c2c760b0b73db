import type { Kysely } from 'kysely';
import type { GroupRecord } from '../groups/group.entity.js';
import { unnested } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

const SIZES = [
  'storage_size',
  'repository_size',
  'wiki_size',
  'lfs_objects_size',
  'job_artifacts_size',
  'pipeline_artifacts_size',
  'packages_size',
  'snippets_size',
  'uploads_size',
  'container_registry_size',
] as const;

/** Bytes that the projects right in a group store together. */
export type GroupStatistics = Record<(typeof SIZES)[number], number>;

export const groupStatisticsSerializer = serializer<GroupStatistics>(
  'GroupStatistics',
  Object.fromEntries(SIZES.map((size) => [size, out.integer<GroupStatistics>((statistics) => statistics[size])])),
);

const sumStatistics = prepareQuery((db: Kysely<TenancyDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom(unnested(ids, 'bigint').as('g'))
    .leftJoin('projects as p', 'p.namespace_id', 'g.value')
    .leftJoin('project_statistics as s', 's.project_id', 'p.id')
    .select('g.value as group_id')
    .select((eb) =>
      SIZES.map((size) => {
        const total = eb.fn.coalesce(eb.fn.sum<number>(`s.${size}`), eb.lit(0));
        return eb.cast<number>(total, 'bigint').as(size);
      }),
    )
    .groupBy('g.value'),
);

/** Sums the storage statistics of each group's projects with one statement. */
export const groupStatistics = load(
  (group: Readonly<GroupRecord>) => group.id,
  async (ctx, groups) => {
    const ids = groups.map((group) => group.id);
    const rows = await sumStatistics(ctx, { ids });
    return new Map(rows.map((row) => [row.group_id, row]));
  },
);
