import type { GroupRecord } from '../groups/group.record.js';
import { load } from '../../core/loads.js';
import { out, shape } from '../../core/shape.js';
import { join, raw, sql } from '../../core/sql.js';

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

export const groupStatisticsShape = shape<GroupStatistics>(
  'GroupStatistics',
  Object.fromEntries(SIZES.map((size) => [size, out.integer<GroupStatistics>((statistics) => statistics[size])])),
);

const sums = join(SIZES.map((size) => raw(`coalesce(sum(s.${size}), 0)::bigint as "${size}"`)));

/** Adds up what the projects of each group store, by one statement. */
export const groupStatistics = load(
  (group: Readonly<GroupRecord>) => group.id,
  async (ctx, groups) => {
    const rows = await ctx.query<GroupStatistics & { group_id: number }>(sql`
      select g.id as "group_id", ${sums}
        from unnest(${groups.map((group) => group.id)}::bigint[]) as g (id)
        left join projects p on p.namespace_id = g.id left join project_statistics s on s.project_id = p.id
       group by g.id`);
    return new Map(rows.map((row) => [row.group_id, row]));
  },
);
