import type { Context } from '../core/context.js';
import { violatedConstraint } from '../core/database.js';
import { sql } from '../core/sql.js';

export type RouteOwner = { namespace_id: number } | { project_id: number };

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
 */
export async function lockTree(ctx: Context, namespaceId: number): Promise<void> {
  await ctx.query(sql`
    select d.id from namespaces d where d.traversal_ids @> array[${namespaceId}]::bigint[] order by d.id for update`);
}

/** Keeps one namespace where it is, while something is made in it. @returns whether it is there */
export async function holdNamespace(ctx: Context, namespaceId: number): Promise<boolean> {
  const held = await ctx.query(sql`select n.id from namespaces n where n.id = ${namespaceId} for share`);
  return held.length > 0;
}

/**
 * Gives a namespace another path or name, and with it everything below: one statement for the whole tree.
 * @returns false when the path is somebody else's; the transaction is then lost and the caller must throw
 */
export async function moveRoutes(ctx: Context, namespaceId: number, from: FullName, to: FullName): Promise<boolean> {
  try {
    await ctx.query(sql`
      update routes r
         set path = ${to.path}::text || substr(r.path, ${from.path.length + 1}),
             name = ${to.name}::text || substr(r.name, ${[...from.name].length + 1})
       where r.namespace_id in (select d.id from namespaces d where d.traversal_ids @> array[${namespaceId}]::bigint[])
          or r.project_id in (select p.id from projects p join namespaces d on d.id = p.namespace_id
                               where d.traversal_ids @> array[${namespaceId}]::bigint[])`);
    return true;
  } catch (error) {
    if (violatedConstraint(error) === 'routes_path') return false;
    throw error;
  }
}
