import type { ContainerKind, ContainerRef } from '../../core/operations/container.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { constant, sameText } from '../../core/database/expressions.js';
import { NotFound, ProjectMoved, Unauthenticated } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import type { Resource } from '../../core/operations/operation.js';
import { policy } from '../../core/operations/policy.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { containerTypes } from './container.js';

/** The hosted service has none (custom-attributes.md section 2). */
export const OFFERINGS = ['self-managed', 'dedicated'] as const;

export type OwnerKind = 'user' | ContainerKind;

/** Something that may have custom attributes: nothing more is known of it than that it is there. */
export type AttributeOwner = { readonly kind: 'user'; readonly id: number } | ContainerRef;

const COLUMNS = { user: 'user_id', project: 'project_id', group: 'namespace_id' } as const;

/**
 * Table for the custom attributes of an owner kind, and its owner column. Both are typed as those of users so that
 * queries are typed once.
 */
export const attributeTable = (kind: OwnerKind) => ({
  table: `${kind}_custom_attributes` as 'user_custom_attributes',
  column: COLUMNS[kind] as 'user_id',
});

const OWNERS = { user: 'users', project: 'projects', group: 'namespaces' } as const;

/** How an id, or the full path of a group or project, names an owner (custom-attributes.md section 4). */
function ownerQuery(ctx: Context, kind: OwnerKind, reference: string) {
  const id = /^\d{1,15}$/.test(reference) ? Number(reference) : null;
  if (id === null && (kind === 'user' || /^\d+$/.test(reference))) return null;
  const all = ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom(`${OWNERS[kind] as 'namespaces'} as o`)
    .select('o.id');
  const owners = kind === 'group' ? all.where('o.kind', '=', constant('group')) : all;
  if (id !== null) return owners.where('o.id', '=', id);
  return owners.where('o.id', '=', (eb) =>
    eb
      .selectFrom('routes as r')
      .select(`r.${COLUMNS[kind] as 'namespace_id'}`)
      .where((of) => sameText(of.ref('r.path'), reference))
      .$castTo<{ id: number }>(),
  );
}

/** @throws ProjectMoved by a path that a project had before (projects.md section 5.4) */
async function requireUnmoved(ctx: Context, path: string): Promise<void> {
  const moved = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('redirect_routes as o')
    .select('o.project_id')
    .where((eb) => sameText(eb.ref('o.path'), path))
    .executeTakeFirst();
  if (moved) throw new ProjectMoved(moved.project_id);
}

/** Finds an owner for an administrator, without visibility checks. @throws NotFound, ProjectMoved */
async function findAnyOwner(ctx: Context, kind: OwnerKind, reference: string): Promise<AttributeOwner> {
  const query = ownerQuery(ctx, kind, reference);
  // A write keeps its owner from going away meanwhile.
  const owner = await (ctx.inTransaction ? query?.forKeyShare('o') : query)?.executeTakeFirst();
  if (owner) return { kind, id: owner.id };
  if (kind === 'project' && ctx.caller.admin) await requireUnmoved(ctx, reference);
  throw NotFound.unspecified();
}

/**
 * Finds an owner that the caller can see, even without any further permission. Users are visible to all callers by id.
 * @throws NotFound, ProjectMoved
 */
async function findVisibleOwner(ctx: Context, kind: OwnerKind, reference: string): Promise<AttributeOwner> {
  if (kind === 'user') return findAnyOwner(ctx, kind, reference);
  try {
    const { id } = await containerTypes[kind].resource.find(ctx, { id: reference });
    return { kind, id };
  } catch (error) {
    // All kinds of owners share the same 404 message.
    throw error instanceof NotFound ? NotFound.unspecified() : error;
  }
}

/** @throws NotFound "404 Not Found", also for a group or project that the caller may not see (decision 2) */
export function findAttributeOwner(ctx: Context, kind: OwnerKind, reference: string): Promise<AttributeOwner> {
  return ctx.caller.admin ? findAnyOwner(ctx, kind, reference) : findVisibleOwner(ctx, kind, reference);
}

/**
 * The resource of `/<users|groups|projects>/:id/custom_attributes…`, found before the caller's permission is checked:
 * callers who are not administrators get 404 for missing or hidden owners and 403 for visible ones. Anonymous writers
 * get 401 before both checks, anonymous readers do not (custom-attributes.md section 2; rest-conventions.md section
 * 3.1).
 */
export function attributeOwner(kind: OwnerKind, access: 'read' | 'write'): Resource<AttributeOwner> {
  const paths = kind === 'user' ? '' : ', or URL-encoded full path,';
  return {
    noun: 'Custom attribute',
    params: {
      id: text()
        .describe(`ID${paths} of the ${kind}.`)
        .meta({ examples: ['1'] }),
    },
    find(ctx, input: { id: string }) {
      if (access === 'write' && ctx.caller.anonymous) throw new Unauthenticated();
      return findAttributeOwner(ctx, kind, input.id);
    },
  };
}

/** Administrators alone, whatever they are to the user, group or project. */
export const customAttributePolicy = policy({
  read_custom_attribute: (caller: UserOrAnonymous, _owner: AttributeOwner) => caller.admin,
  admin_custom_attribute: (caller: UserOrAnonymous, _owner: AttributeOwner) => caller.admin,
});
