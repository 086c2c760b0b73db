import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { sameText, scalar } from '../../core/database/expressions.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { findGroup } from '../groups/group.finder.js';
import { mayCreateProjects } from '../groups/group.policy.js';
import { namespaceAccess, today } from '../namespaces/access.js';
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

/**
 * Whether the caller may create projects in a namespace: its user, or by the group's `project_creation_level`
 * (core-resources.md 5).
 */
function mayCreateIn(ctx: Context, namespace: ProjectTarget): boolean {
  if (namespace.kind === 'user') return namespace.owner_id === ctx.caller.id || ctx.caller.admin;
  return mayCreateProjects(ctx.caller, namespace, namespace.project_creation_level);
}

/**
 * The target namespace of projects, locked against moves until the transaction ends.
 * @returns null if it does not exist or the caller may not create projects in it
 */
export async function findProjectTarget(ctx: Context, id: number | null): Promise<ProjectTarget | null> {
  if (id === null || !(await holdNamespace(ctx, id))) return null;
  const namespace = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('namespaces as n')
    .innerJoin('routes as r', 'r.namespace_id', 'n.id')
    .leftJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .select([
      ...columns(Namespace, 'n'),
      'r.path as full_path',
      'r.name as full_name',
      'gs.project_creation_level',
      'gs.default_branch',
      'gs.shared_runners_setting',
      namespaceAccess(ctx.caller.id, today(ctx)).as('access'),
    ])
    .where('n.id', '=', id)
    .$castTo<ProjectTarget>()
    .executeTakeFirst();
  return namespace && mayCreateIn(ctx, namespace) ? namespace : null;
}

/**
 * The id of the namespace that an id or full path names, if the caller may know of it: a group that is readable, or
 * one's own namespace.
 */
export async function readableNamespaceId(ctx: Context, reference: string | number): Promise<number | null> {
  const idOrPath = String(reference);
  const byId = /^\d+$/.test(idOrPath);
  if (byId && idOrPath.length > 15) return null;
  const row = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('namespaces as n')
    .innerJoin('routes as r', 'r.namespace_id', 'n.id')
    .select(['n.id', 'n.kind', 'n.owner_id'])
    .where((eb) => (byId ? eb('n.id', '=', Number(idOrPath)) : sameText(eb.ref('r.path'), idOrPath)))
    .executeTakeFirst();
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
  // A separate locking statement: the next statement then sees what the previous lock holder committed.
  const profile = ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('user_profiles as up')
    .where('up.user_id', '=', namespace.owner_id as number);
  await profile.select('up.id').forNoKeyUpdate().execute();
  const row = await profile
    .select((eb) => {
      const projects = eb.selectFrom('projects as p').where('p.namespace_id', '=', namespace.id);
      return ['up.projects_limit', scalar(projects.select((of) => of.fn.countAll<number>().as('count'))).as('count')];
    })
    .executeTakeFirst();
  if (!row || row.count < row.projects_limit) return;
  const limit = row.projects_limit;
  throw new Forbidden(`The limit of ${limit} personal project${limit === 1 ? '' : 's'} is reached`);
}
