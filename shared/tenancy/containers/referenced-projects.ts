import { expressionBuilder } from 'kysely';
import type { NotNull } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { MarkdownReference } from '../../core/markdown/reference-source.js';
import { anyIn, anyOf, arrayFrom, constant, unnested, unnestedRows } from '../../core/database/expressions.js';
import { readAll } from '../../core/database/list.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { onProjects, visibleProjects } from '../projects/project.finder.js';
import type { ProjectRecord } from '../projects/project.entity.js';

/** Projects that a page of references speaks of, as far as the caller may read them. */
export interface ReferencedProjects {
  /** The project that a reference names, or that its text is in. */
  of(reference: MarkdownReference): ProjectRecord | undefined;
  /** The project that the text is in. */
  around(reference: MarkdownReference): ProjectRecord | undefined;
}

const numbers = (values: Iterable<number>) => [...new Set(values)];

/** A reference without a group path resolves in the same namespace as the text's project, or in the text's group. */
const isBeside = ({ path, container }: MarkdownReference) => path !== null && !path.includes('/') && container !== null;

const db = expressionBuilder<TenancyDatabase>();

/** Ids of the projects that references without a group path resolve to. */
function selectNeighbours(references: readonly MarkdownReference[]) {
  const rows = references.flatMap(({ path, container }) =>
    path !== null && container !== null ? [{ kind: container.kind, id: container.id, name: path }] : [],
  );
  return db
    .selectFrom(unnestedRows(rows, { kind: 'text', id: 'bigint', name: 'text' }).as('w'))
    .innerJoin('routes as above', (join) =>
      join.on((eb) => {
        const own = eb.selectFrom('projects as own').select('own.namespace_id').whereRef('own.id', '=', 'w.id');
        const namespaceId = eb
          .case()
          .when('w.kind', '=', constant('group'))
          .then(eb.ref('w.id'))
          .else(own.$asScalar())
          .end();
        return eb('above.namespace_id', '=', namespaceId);
      }),
    )
    .innerJoin('routes as named', (join) =>
      join.on((eb) => {
        const path = eb(eb('above.path', '||', constant('/')), '||', eb.ref('w.name'));
        return eb(eb.fn('lower', ['named.path']), '=', eb.fn('lower', [path]));
      }),
    )
    .select('named.project_id as id')
    .where('named.project_id', 'is not', null)
    .$narrowType<{ id: NotNull }>();
}

/**
 * Loads the referenced projects with one statement. Call it through `page.once`, so that the sources of a page share
 * the result.
 */
export async function referencedProjects(
  ctx: Context,
  references: readonly MarkdownReference[],
): Promise<ReferencedProjects> {
  const projectIds = numbers(
    references.flatMap(({ container }) => (container?.kind === 'project' ? [container.id] : [])),
  );
  const paths = [...new Set(references.flatMap(({ path }) => (path?.includes('/') ? [path.toLowerCase()] : [])))];
  const beside = references.filter(isBeside);
  const ids = db
    .selectFrom(unnested(projectIds, 'bigint').as('w'))
    .select('w.value as id')
    .union(
      db
        .selectFrom('routes as named')
        .select('named.project_id as id')
        .where((eb) => eb(eb.fn('lower', ['named.path']), '=', anyOf(paths, 'text')))
        .where('named.project_id', 'is not', null)
        .$narrowType<{ id: NotNull }>(),
    )
    .union(selectNeighbours(beside));
  const found = await readAll(ctx, visibleProjects(ctx, [onProjects('p.id', '=', anyIn(arrayFrom(ids)))]));
  const byId = new Map(found.map((one) => [one.id, one]));
  const byPath = new Map(found.map((one) => [one.full_path.toLowerCase(), one]));
  const byNamespace = new Map(found.map((one) => [`${one.namespace_id}/${one.path.toLowerCase()}`, one]));
  const around = ({ container }: MarkdownReference) =>
    container?.kind === 'project' ? byId.get(container.id) : undefined;
  return {
    around,
    of(one) {
      if (one.path === null) return around(one);
      if (one.path.includes('/')) return byPath.get(one.path.toLowerCase());
      const namespaceId = one.container?.kind === 'group' ? one.container.id : around(one)?.namespace_id;
      return byNamespace.get(`${namespaceId}/${one.path.toLowerCase()}`);
    },
  };
}
