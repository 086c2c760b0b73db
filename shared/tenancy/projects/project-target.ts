import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import { sql, textColumns } from '../../core/sql.js';
import { findGroup } from '../groups/group.finder.js';
import { mayCreateProjects } from '../groups/group.policy.js';
import { namespaceAccess, today } from '../access/access.js';
import { holdNamespace } from '../namespaces/claim-path.js';
import { Namespace } from '../namespaces/namespace.entity.js';

type ProjectCreationLevel = 'noone' | 'owner' | 'maintainer' | 'developer' | 'administrator';

/** A namespace that a project is to be made in or moved to, with the caller's access to it. */
export type ProjectTarget = Namespace & {
  full_path: string;
  full_name: string;
  access: number;
  project_creation_level: ProjectCreationLevel | null;
  default_branch: string | null;
  shared_runners_setting: string | null;
};

/** Who may make projects in a namespace: its person, or by the group's `project_creation_level` (core-resources.md 5). */
function mayCreateIn(ctx: Context, namespace: ProjectTarget): boolean {
  if (namespace.kind === 'user') return namespace.owner_id === ctx.caller.id || ctx.caller.admin;
  return mayCreateProjects(ctx.caller, namespace, namespace.project_creation_level);
}

/**
 * The namespace that projects are to be put into, kept where it is until the transaction ends.
 * @returns null when it does not exist or the caller may not make projects in it
 */
export async function findProjectTarget(ctx: Context, id: number | null): Promise<ProjectTarget | null> {
  if (id === null || !(await holdNamespace(ctx, id))) return null;
  const namespace = await ctx.queryOne<ProjectTarget>(sql`
    select ${textColumns(Namespace, 'n')}, r.path as "full_path", r.name as "full_name",
           gs.project_creation_level as "project_creation_level", gs.default_branch as "default_branch",
           gs.shared_runners_setting as "shared_runners_setting",
           ${namespaceAccess(ctx.caller.id, today(ctx))} as "access"
      from namespaces n join routes r on r.namespace_id = n.id
      left join group_settings gs on gs.namespace_id = n.id
     where n.id = ${id}`);
  return namespace && mayCreateIn(ctx, namespace) ? namespace : null;
}

/**
 * The id of the namespace that an id or full path names, if the caller may know of it: a group that is readable, or
 * one's own namespace.
 */
export async function readableNamespaceId(ctx: Context, reference: string | number): Promise<number | null> {
  const given = String(reference);
  const byId = /^\d+$/.test(given);
  if (byId && given.length > 15) return null;
  const row = await ctx.queryOne<{ id: number; kind: string; owner_id: number | null }>(sql`
    select n.id as "id", n.kind as "kind", n.owner_id as "owner_id"
      from namespaces n join routes r on r.namespace_id = n.id
     where ${byId ? sql`n.id = ${Number(given)}` : sql`lower(r.path) = lower(${given})`}`);
  if (!row) return null;
  if (row.kind === 'user') return row.owner_id === ctx.caller.id || ctx.caller.admin ? row.id : null;
  try {
    return (await findGroup(ctx, row.id)).id;
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

/** @throws Forbidden when the personal namespace is full */
export async function requireRoom(ctx: Context, namespace: ProjectTarget): Promise<void> {
  if (namespace.kind !== 'user') return;
  // Locked by a statement of its own: the next one sees what the one that held the lock has made.
  await ctx.query(sql`
    select up.id from user_profiles up where up.user_id = ${namespace.owner_id} for no key update`);
  const row = await ctx.queryOne<{ projects_limit: number; count: number }>(sql`
    select up.projects_limit as "projects_limit",
           (select count(*) from projects p where p.namespace_id = ${namespace.id}) as "count"
      from user_profiles up where up.user_id = ${namespace.owner_id}`);
  if (!row || row.count < row.projects_limit) return;
  const limit = row.projects_limit;
  throw new Forbidden(`The limit of ${limit} personal project${limit === 1 ? '' : 's'} is reached`);
}
