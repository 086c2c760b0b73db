import { aboutNamespace } from '../../core/job-context.js';
import type { NamespaceRecord } from './namespace.record.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { text } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { aboveMembership, memberOfGroup, namespaceAccess, today } from '../access/access.js';
import { Namespace } from './namespace.entity.js';
import { namespacePolicy } from './namespace.policy.js';

const tables: Fragment = sql`namespaces n
  join routes r on r.namespace_id = n.id
  left join group_settings gs on gs.namespace_id = n.id
  left join users ou on ou.id = n.owner_id`;

function selected(ctx: Context): Fragment {
  const { id } = ctx.caller;
  return sql`${textColumns(Namespace, 'n')}, r.path as "full_path", r.name as "full_name",
    coalesce(gs.removal_started_at is not null, false) as "removing", ou.avatar as "owner_avatar",
    ${namespaceAccess(id, today(ctx))} as "access", ${aboveMembership(id, today(ctx))} as "below"`;
}

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
  const condition = isId ? sql`n.id = ${Number(reference)}` : sql`lower(r.path) = lower(${reference})`;
  const found = await ctx.queryOne<NamespaceRecord>(sql`select ${selected(ctx)} from ${tables} where ${condition}`);
  if (!found || !namespacePolicy.read_namespace(ctx.caller, found)) throw new NotFound('Namespace');
  return found;
}

/** Many namespaces by id, those that the caller may read. */
export async function namespacesById(ctx: Context, ids: readonly number[]): Promise<Map<number, NamespaceRecord>> {
  const found = await ctx.query<NamespaceRecord>(
    sql`select ${selected(ctx)} from ${tables} where n.id = any(${ids}::bigint[])`,
  );
  const readable = found.filter((one) => namespacePolicy.read_namespace(ctx.caller, one));
  return new Map(readable.map((one) => [one.id, one]));
}

/** The subject of `/namespaces/:id`. */
export const namespace: Subject<NamespaceRecord> = {
  noun: 'Namespace',
  params: {
    id: text()
      .describe('Id, or URL-encoded full path, of the namespace.')
      .meta({ examples: ['root'] }),
  },
  find: (ctx, input: { id: string }) => findNamespace(ctx, input.id),
  about: aboutNamespace,
};

/** The caller's own namespace, and groups in which the caller has `level` or above. */
export function ownNamespaces(ctx: Context, level: number): Fragment {
  const { id } = ctx.caller;
  return sql`n.owner_id = ${id} or (n.kind = 'group' and ${memberOfGroup(id, today(ctx), level)})`;
}

/** Namespaces that the caller belongs to, to administrators all, oldest first; filters on `n` and `r` are added. */
export function listedNamespaces(ctx: Context, where: readonly Fragment[] = []): TextList<NamespaceRecord> {
  const mine = ctx.caller.admin ? sql`true` : ownNamespaces(ctx, 1);
  return {
    select: selected(ctx),
    from: tables,
    where: [mine, sql`gs.removal_started_at is null`, ...where],
    order: [byId('n', 'asc')],
  };
}
