import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression, Kysely, Nullable, SelectQueryBuilder, SqlBool } from 'kysely';
import { aboutNamespace } from '../../core/values/job-context.js';
import { Namespace } from './namespace.entity.js';
import type { NamespaceRecord } from './namespace.entity.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant, sameText } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { asQueryOf } from '../../core/database/tables.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { aboveMembership, memberOfGroup, namespaceAccess, today } from './access.js';
import { describeCaller } from './for-caller.js';
import type { Who } from './for-caller.js';
import { namespacePolicy } from './namespace.policy.js';

/** Namespaces `n` with their routes `r`, the settings `gs` of groups and the owners `ou` of personal ones. */
export type OfNamespaces = Aliased<TenancyDatabase, { n: 'namespaces'; r: 'routes' }> & {
  gs: Nullable<TenancyDatabase['group_settings']>;
  ou: Nullable<TenancyDatabase['users']>;
};
type Tables = 'gs' | 'n' | 'ou' | 'r';

/** Builds conditions on them. */
export const onNamespaces = expressionBuilder<OfNamespaces, Tables>();

const joined = <O>(query: SelectQueryBuilder<OfNamespaces, 'n', O>) =>
  asQueryOf<OfNamespaces, Tables>()(
    query
      .innerJoin('routes as r', 'r.namespace_id', 'n.id')
      .leftJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
      .leftJoin('users as ou', 'ou.id', 'n.owner_id'),
  );

/** Selected columns of a namespace's record, with a user's access. */
function selected(userId: number | Expression<number>, day: string | Expression<string>) {
  const removing = onNamespaces('gs.removal_started_at', 'is not', null).$castTo<boolean>();
  return [
    ...columns(Namespace, 'n'),
    onNamespaces.ref('r.path').as('full_path'),
    onNamespaces.ref('r.name').as('full_name'),
    removing.as('removing'),
    onNamespaces.ref('ou.avatar').as('owner_avatar'),
    namespaceAccess(userId, day).as('access'),
    (aboveMembership(userId, day) as AliasableExpression<boolean>).as('below'),
  ];
}

const getNamespaces = (db: Kysely<OfNamespaces>, { userId, day }: Placeholders<Who>) =>
  joined(db.selectFrom('namespaces as n')).select(selected(userId, day));

const load = {
  id: prepareQuery<OfNamespaces, Who & { id: number }, NamespaceRecord>((db, { id, userId, day }) =>
    getNamespaces(db, { userId, day }).where('n.id', '=', id),
  ),
  ids: prepareQuery<OfNamespaces, Who & { ids: readonly number[] }, NamespaceRecord>((db, { ids, userId, day }) =>
    getNamespaces(db, { userId, day }).where('n.id', '=', anyOf(ids, 'bigint')),
  ),
  path: prepareQuery<OfNamespaces, Who & { path: string }, NamespaceRecord>((db, { path, userId, day }) =>
    getNamespaces(db, { userId, day }).where((eb) => sameText(eb.ref('r.path'), path)),
  ),
};

/**
 * The namespace that an id or full path names, if the caller may read it.
 * @param options.byPath takes digits, too, for a path
 * @throws NotFound "404 Namespace Not Found"
 */
export async function findNamespace(
  ctx: Context,
  reference: string,
  options: { byPath?: boolean } = {},
): Promise<NamespaceRecord> {
  const isId = !options.byPath && /^\d{1,15}$/.test(reference);
  const [found] = isId
    ? await load.id(ctx, { id: Number(reference), ...describeCaller(ctx) })
    : await load.path(ctx, { path: reference, ...describeCaller(ctx) });
  if (!found || !namespacePolicy.read_namespace(ctx.caller, found)) throw new NotFound('Namespace');
  return found;
}

/** Many namespaces by id, those that the caller may read. */
export async function namespacesById(ctx: Context, ids: readonly number[]): Promise<Map<number, NamespaceRecord>> {
  const found = await load.ids(ctx, { ids, ...describeCaller(ctx) });
  const readable = found.filter((one) => namespacePolicy.read_namespace(ctx.caller, one));
  return new Map(readable.map((one) => [one.id, one]));
}

/** The resource of `/namespaces/:id`. */
export const namespace: Resource<NamespaceRecord> = {
  noun: 'Namespace',
  params: {
    id: text()
      .describe('ID, or URL-encoded full path, of the namespace.')
      .meta({ examples: ['root'] }),
  },
  find: (ctx, input: { id: string }) => findNamespace(ctx, input.id),
  about: aboutNamespace,
};

/** The caller's own namespace, and groups in which the caller has `level` or above. */
export function ownNamespaces(ctx: Context, level: number): Expression<SqlBool> {
  const { id } = ctx.caller;
  const isGroup = onNamespaces('n.kind', '=', constant('group'));
  return onNamespaces.or([
    onNamespaces('n.owner_id', '=', id),
    onNamespaces.and([isGroup, memberOfGroup(id, today(ctx), level)]),
  ]);
}

/** Namespaces that the caller belongs to, or all for administrators, oldest first; filters on `n` and `r` are added. */
export function listedNamespaces(ctx: Context, where: readonly Expression<SqlBool>[] = []): List<NamespaceRecord> {
  const { userId, day } = describeCaller(ctx);
  const mine = ctx.caller.admin ? constant(true) : ownNamespaces(ctx, 1);
  const list = {
    matching: joined(expressionBuilder<OfNamespaces>().selectFrom('namespaces as n')),
    select: (query: SelectQueryBuilder<OfNamespaces, Tables, object>) => query.select(selected(userId, day)),
    order: [byId<NamespaceRecord>('n', 'asc')],
  };
  return narrow(list, [mine, onNamespaces('gs.removal_started_at', 'is', null), ...where]);
}
