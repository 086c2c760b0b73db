import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { violatedConstraint } from '../../core/database/database.js';
import { anyOf, sameText } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { idsWithin, isAtOrBelow } from './below.js';

/**
 * What a route is of. A `Container` (a project or a group) would say too little: users' own namespaces have paths as
 * well, and what claims one is not found, with a caller's access, but only now being made.
 */
type RouteOwner = { namespace_id: number } | { project_id: number };

const onRoutes = expressionBuilder<Aliased<TenancyDatabase, { r: 'routes' }>, 'r'>();

interface FullName {
  /** `group/sub/project`. */
  path: string;
  /** `Group / Sub / Project`. */
  name: string;
}

/**
 * Gives a new namespace or project its full path. Paths are shared by users, groups and projects, whatever their case.
 * @returns false when somebody has it, also somebody who commits at this moment; the caller then rolls back
 */
export async function claimPath(ctx: Context, owner: RouteOwner, full: FullName): Promise<boolean> {
  const db = ctx.em.getKysely<TenancyDatabase>();
  const claimed = await db
    .insertInto('routes')
    .values({ namespace_id: null, project_id: null, ...owner, path: full.path, name: full.name })
    .onConflict((conflict) => conflict.expression(onRoutes.fn('lower', ['path'])).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!claimed) return false;
  // Whoever has a path now is whom it names: it leads no longer to the project that had it before.
  await db
    .deleteFrom('redirect_routes')
    .where((eb) => sameText(eb.ref('path'), full.path))
    .execute();
  return true;
}

/** Whether anything has this full path already, for telling it together with other problems. */
export async function isPathTaken(ctx: Context, path: string, except: number | null = null): Promise<boolean> {
  const route = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('routes as r')
    .select('r.id')
    .where(sameText(onRoutes.ref('r.path'), path))
    .where('r.namespace_id', 'is distinct from', except)
    .executeTakeFirst();
  return route !== undefined;
}

/**
 * Keeps everything below a namespace from being made or moved until the transaction ends. Whoever makes something
 * locks the namespace that it goes into, and reads full paths after that.
 * @param beside another namespace to keep, locked together with the tree so that two who move into each other wait
 */
export async function lockTree(ctx: Context, namespaceId: number, beside: number | null = null): Promise<void> {
  const tree = ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('namespaces as d')
    .select('d.id')
    .where((eb) =>
      beside === null ? isAtOrBelow('d', namespaceId) : eb.or([isAtOrBelow('d', namespaceId), eb('d.id', '=', beside)]),
    )
    .orderBy('d.id')
    .forUpdate();
  let previous = '';
  // While one waits for a lock something may come to lie below: one looks until nothing is new.
  for (;;) {
    const rows = await tree.execute();
    const found = rows.map((row) => row.id).join();
    if (found === previous) return;
    previous = found;
  }
}

/** Keeps one namespace where it is, while something is made in it. @returns whether it is there */
export async function holdNamespace(ctx: Context, namespaceId: number): Promise<boolean> {
  const held = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('namespaces as n')
    .select('n.id')
    .where('n.id', '=', namespaceId)
    .forShare()
    .executeTakeFirst();
  return held !== undefined;
}

/** Keeps several namespaces where they are, in the order in which everybody locks them. */
export async function holdNamespaces(ctx: Context, namespaceIds: readonly number[]): Promise<void> {
  await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('namespaces as n')
    .select('n.id')
    .where('n.id', '=', anyOf(namespaceIds, 'bigint'))
    .orderBy('n.id')
    .forShare()
    .execute();
}

/** Routes of a namespace and of everything below it, as a condition on `r`. */
function routesBelow(namespaceId: number): Expression<SqlBool> {
  const projects = onRoutes
    .selectFrom('projects as p')
    .innerJoin('namespaces as d', 'd.id', 'p.namespace_id')
    .select('p.id')
    .where(isAtOrBelow('d', namespaceId));
  return onRoutes.or([
    onRoutes('r.namespace_id', 'in', idsWithin(namespaceId)),
    onRoutes('r.project_id', 'in', projects),
  ]);
}

/**
 * Gives a namespace another path or name, and with it everything below: one statement for the whole tree. The old
 * paths of projects lead to them from now on.
 * @returns false when the path is somebody else's; the transaction is then lost and the caller must throw
 */
export function moveRoutes(ctx: Context, namespaceId: number, from: FullName, to: FullName): Promise<boolean> {
  return rewriteRoutes(ctx, routesBelow(namespaceId), from, to);
}

/**
 * Gives a project another full path or name; the old path leads to it from now on. The caller holds the namespaces
 * concerned ({@link holdNamespace}) and has locked the project.
 * @returns false when the path is somebody else's; the transaction is then lost and the caller must throw
 */
export function moveProjectRoute(ctx: Context, projectId: number, from: FullName, to: FullName): Promise<boolean> {
  return rewriteRoutes(ctx, onRoutes('r.project_id', '=', projectId), from, to);
}

/** The text of a column with another start, in place of one of so many characters. */
const moved = (column: 'r.name' | 'r.path', length: number, start: string): Expression<string> =>
  onRoutes(
    onRoutes.cast<string>(onRoutes.val(start), 'text'),
    '||',
    onRoutes.fn<string>('substr', [column, onRoutes.val(length + 1)]),
  ).$castTo<string>();

/** Replaces the start of paths and names, and keeps redirects from where projects were (projects.md section 5.4). */
async function rewriteRoutes(ctx: Context, which: Expression<SqlBool>, from: FullName, to: FullName): Promise<boolean> {
  const db = ctx.em.getKysely<TenancyDatabase>();
  try {
    // A difference in case only is no move: paths are looked up without regard to it.
    if (from.path.toLowerCase() !== to.path.toLowerCase())
      await db
        .insertInto('redirect_routes')
        .columns(['project_id', 'path', 'created_at'])
        .expression((eb) =>
          eb
            .selectFrom('routes as r')
            .where(which)
            .where('r.project_id', 'is not', null)
            .select(['r.project_id', 'r.path', eb.cast<Date>(eb.val(ctx.clock.now()), 'timestamptz').as('created_at')])
            .$narrowType<{ project_id: number }>(),
        )
        .onConflict((conflict) =>
          conflict.expression(onRoutes.fn('lower', ['path'])).doUpdateSet((eb) => ({
            project_id: eb.ref('excluded.project_id'),
            created_at: eb.ref('excluded.created_at'),
          })),
        )
        .execute();
    await db
      .with('moved', (query) =>
        query
          .updateTable('routes as r')
          .set({
            path: moved('r.path', from.path.length, to.path),
            name: moved('r.name', [...from.name].length, to.name),
          })
          .where(which)
          .returning('r.path'),
      )
      .deleteFrom('redirect_routes as o')
      .using('moved')
      .where((eb) => sameText(eb.ref('o.path'), eb.ref('moved.path')))
      .execute();
    return true;
  } catch (error) {
    if (violatedConstraint(error) === 'routes_path') return false;
    throw error;
  }
}
