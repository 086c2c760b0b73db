import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { violatedConstraint } from '../../core/database/database.js';
import { anyOf, sameText } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { idsWithin, isAtOrBelow } from './below.js';

/**
 * The owner of a route. `Container` (a project or a group) is too narrow: personal namespaces have paths as well, and
 * an owner that claims a path is still being created, so that there is no caller's access yet.
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
 * Claims the full path of a new namespace or project. Paths are unique across users, groups and projects,
 * case-insensitive.
 * @returns false if the path is taken, also by a concurrent commit; the caller then rolls back
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
  // The path now belongs to its new owner and no longer redirects to the project that had it before.
  await db
    .deleteFrom('redirect_routes')
    .where((eb) => sameText(eb.ref('path'), full.path))
    .execute();
  return true;
}

/** Whether the full path is already taken, for reporting it together with other problems. */
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
 * Prevents creating or moving anything below a namespace until the transaction ends. Code that creates something locks
 * the target namespace and reads full paths afterwards.
 * @param beside another namespace to lock together with the tree, so that two concurrent moves into each other wait
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

/** Locks one namespace against moves and deletion, while something is created in it. @returns whether it exists */
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
 * Changes the path or name of a namespace and of everything below it, with one statement for the whole tree. The old
 * paths of projects redirect to them from now on.
 * @returns false if the path is taken; the transaction is then aborted and the caller must throw
 */
export function moveRoutes(ctx: Context, namespaceId: number, from: FullName, to: FullName): Promise<boolean> {
  return rewriteRoutes(ctx, routesBelow(namespaceId), from, to);
}

/**
 * Changes the full path or name of a project; the old path redirects to it from now on. The caller holds the affected
 * namespaces ({@link holdNamespace}) and has locked the project.
 * @returns false if the path is taken; the transaction is then aborted and the caller must throw
 */
export function moveProjectRoute(ctx: Context, projectId: number, from: FullName, to: FullName): Promise<boolean> {
  return rewriteRoutes(ctx, onRoutes('r.project_id', '=', projectId), from, to);
}

/** The column's text with its first `length` characters replaced by `start`. */
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
    // A change of case only needs no redirect: path lookups are case-insensitive.
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
