import type { Context } from '../../core/context.js';
import type { WantedReference } from '../../core/markdown/reference-source.js';
import { and, sql } from '../../core/sql.js';
import { projectColumns, projectTables, visibleProjectsCondition } from '../projects/project.finder.js';
import type { ProjectRecord } from '../projects/project.record.js';

/** Projects that a page of references speaks of, as far as the caller may read them. */
export interface ReferencedProjects {
  /** The project that a reference names, or that its text is in. */
  of(wanted: WantedReference): ProjectRecord | undefined;
  /** The project that the text is in. */
  around(wanted: WantedReference): ProjectRecord | undefined;
}

const numbers = (values: Iterable<number>) => [...new Set(values)];

/** Names without a group are projects beside the text's own, or in the text's group. */
const isBeside = ({ path, place }: WantedReference) => path !== null && !path.includes('/') && place !== null;

/**
 * The projects that references name, with one statement. To be asked by `page.once`, so that the sources of a page
 * share it.
 */
export async function referencedProjects(
  ctx: Context,
  wanted: readonly WantedReference[],
): Promise<ReferencedProjects> {
  const placeIds = numbers(wanted.flatMap(({ place }) => (place?.kind === 'project' ? [place.id] : [])));
  const paths = [...new Set(wanted.flatMap(({ path }) => (path?.includes('/') ? [path.toLowerCase()] : [])))];
  const beside = wanted.filter(isBeside);
  const found = await ctx.query<ProjectRecord>(sql`
    select ${projectColumns(ctx)} from ${projectTables}
     where ${and([
       visibleProjectsCondition(ctx),
       sql`p.id = any(array(
         select unnest(${placeIds}::bigint[])
         union select named.project_id from routes named
          where lower(named.path) = any(${paths}::text[]) and named.project_id is not null
         union select named.project_id
           from unnest(${beside.map(({ place }) => place?.kind)}::text[], ${beside.map(({ place }) => place?.id)}::bigint[],
                       ${beside.map(({ path }) => path)}::text[]) w (kind, id, name)
           join routes above on above.namespace_id = case when w.kind = 'group' then w.id
             else (select own.namespace_id from projects own where own.id = w.id) end
           join routes named on lower(named.path) = lower(above.path || '/' || w.name)
          where named.project_id is not null))`,
     ])}`);
  const byId = new Map(found.map((one) => [one.id, one]));
  const byPath = new Map(found.map((one) => [one.full_path.toLowerCase(), one]));
  const byNamespace = new Map(found.map((one) => [`${one.namespace_id}/${one.path.toLowerCase()}`, one]));
  const around = ({ place }: WantedReference) => (place?.kind === 'project' ? byId.get(place.id) : undefined);
  return {
    around,
    of(one) {
      if (one.path === null) return around(one);
      if (one.path.includes('/')) return byPath.get(one.path.toLowerCase());
      const namespaceId = one.place?.kind === 'group' ? one.place.id : around(one)?.namespace_id;
      return byNamespace.get(`${namespaceId}/${one.path.toLowerCase()}`);
    },
  };
}
