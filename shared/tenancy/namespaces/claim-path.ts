import type { Context } from '../../core/context.js';
import { violatedConstraint } from '../../core/database/database.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

/**
 * What a route is of. A `Container` (a project or a group) would say too little: users' own namespaces have paths as
 * well, and what claims one is not found, with a caller's access, but only now being made.
 */
type RouteOwner = { namespace_id: number } | { project_id: number };

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
  const namespaceId = 'namespace_id' in owner ? owner.namespace_id : null;
  const projectId = 'project_id' in owner ? owner.project_id : null;
  const claimed = await ctx.query(sql`
    insert into routes (namespace_id, project_id, path, name)
    values (${namespaceId}, ${projectId}, ${full.path}, ${full.name})
    on conflict (lower(path)) do nothing returning id`);
  // Whoever has a path now is whom it names: it leads no longer to the project that had it before.
  if (claimed.length > 0) await ctx.query(sql`delete from redirect_routes where lower(path) = lower(${full.path})`);
  return claimed.length > 0;
}

/** Whether anything has this full path already, for telling it together with other problems. */
export async function pathTaken(ctx: Context, path: string, except: number | null = null): Promise<boolean> {
  const row = await ctx.queryOne(sql`
    select 1 as found from routes r
     where lower(r.path) = lower(${path}) and r.namespace_id is distinct from ${except}`);
  return row !== null;
}

/**
 * Keeps everything below a namespace from being made or moved until the transaction ends. Whoever makes something
 * locks the namespace that it goes into, and reads full paths after that.
 * @param beside another namespace to keep, locked together with the tree so that two who move into each other wait
 */
export async function lockTree(ctx: Context, namespaceId: number, beside: number | null = null): Promise<void> {
  let known = '';
  // While one waits for a lock something may come to lie below: one looks until nothing is new.
  for (;;) {
    const rows = await ctx.query<{ id: number }>(sql`
      select d.id as "id" from namespaces d
       where d.traversal_ids @> array[${namespaceId}]::bigint[] or d.id = ${beside} order by d.id for update`);
    const found = rows.map((row) => row.id).join();
    if (found === known) return;
    known = found;
  }
}

/** Keeps one namespace where it is, while something is made in it. @returns whether it is there */
export async function holdNamespace(ctx: Context, namespaceId: number): Promise<boolean> {
  const held = await ctx.query(sql`select n.id from namespaces n where n.id = ${namespaceId} for share`);
  return held.length > 0;
}

/** Keeps several namespaces where they are, in the order in which everybody locks them. */
export async function holdNamespaces(ctx: Context, namespaceIds: readonly number[]): Promise<void> {
  await ctx.query(
    sql`select n.id from namespaces n where n.id = any(${namespaceIds}::bigint[]) order by n.id for share`,
  );
}

/** Routes of a namespace and of everything below it, as a condition on `r`. */
const routesBelow = (namespaceId: number): Fragment => sql`
  r.namespace_id in (select d.id from namespaces d where d.traversal_ids @> array[${namespaceId}]::bigint[])
  or r.project_id in (select p.id from projects p join namespaces d on d.id = p.namespace_id
                       where d.traversal_ids @> array[${namespaceId}]::bigint[])`;

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
  return rewriteRoutes(ctx, sql`r.project_id = ${projectId}`, from, to);
}

/** Replaces the start of paths and names, and keeps redirects from where projects were (projects.md section 5.4). */
async function rewriteRoutes(ctx: Context, which: Fragment, from: FullName, to: FullName): Promise<boolean> {
  const newPath = sql`${to.path}::text || substr(r.path, ${from.path.length + 1})`;
  try {
    // A difference in case only is no move: paths are looked up without regard to it.
    if (from.path.toLowerCase() !== to.path.toLowerCase())
      await ctx.query(sql`
        insert into redirect_routes (project_id, path, created_at)
        select r.project_id, r.path, ${ctx.clock.now()} from routes r where (${which}) and r.project_id is not null
        on conflict (lower(path)) do update set project_id = excluded.project_id, created_at = excluded.created_at`);
    await ctx.query(sql`
      with moved as (
        update routes r
           set path = ${newPath}, name = ${to.name}::text || substr(r.name, ${[...from.name].length + 1})
         where ${which} returning r.path)
      delete from redirect_routes o using moved where lower(o.path) = lower(moved.path)`);
    return true;
  } catch (error) {
    if (violatedConstraint(error) === 'routes_path') return false;
    throw error;
  }
}
