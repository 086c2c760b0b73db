import type { NamespaceCounts, NamespaceRecord } from './namespace.record.js';
import { avatarUrl } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context.js';
import { load } from '../../core/loads.js';
import { out, shape, shownIf } from '../../core/shape.js';
import { sql } from '../../core/sql.js';
import { today, unexpired } from '../access/access.js';
import { namespacePolicy } from './namespace.policy.js';

/** Counts people, projects and bytes in and below namespaces: one statement for a page. */
async function countsOf(ctx: Context, ids: readonly number[]): Promise<Map<number, NamespaceCounts>> {
  const rows = await ctx.query<NamespaceCounts & { id: number }>(sql`
    select n.id,
           (select count(distinct x.user_id) from (
              select n.owner_id as user_id
              union all
              select m.user_id from group_members m join namespaces d on d.id = m.namespace_id
               where d.traversal_ids @> array[n.id] and ${unexpired('m', today(ctx))}
              union all
              select m.user_id from project_members m join projects p on p.id = m.project_id
                join namespaces d on d.id = p.namespace_id
               where d.traversal_ids @> array[n.id] and ${unexpired('m', today(ctx))}) x
             join users u on u.id = x.user_id where not u.bot) as "members",
           size.projects, size.repositories
      from namespaces n
      cross join lateral (
        select count(*) as projects, coalesce(sum(ps.repository_size), 0)::bigint as repositories
          from projects p join namespaces d on d.id = p.namespace_id
          left join project_statistics ps on ps.project_id = p.id
         where d.traversal_ids @> array[n.id]) size
     where n.id = any(${ids}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

const mayAdmin = (namespace: NamespaceRecord, ctx: Context) => namespacePolicy.admin_namespace(ctx.caller, namespace);

const counts = load(
  (namespace: Readonly<NamespaceRecord>) => namespace.id,
  async (ctx, namespaces) => {
    const shown = namespaces.filter((namespace) => mayAdmin(namespace, ctx)).map(({ id }) => id);
    return shown.length > 0 ? countsOf(ctx, shown) : new Map<number, NamespaceCounts>();
  },
);

const isGroup = (namespace: NamespaceRecord) => namespace.kind === 'group';

/** A namespace; its Owners see how much is in it. */
export const namespaceShape = shape<NamespaceRecord>(
  'Namespace',
  {
    id: out.integer((namespace) => namespace.id),
    name: out.text((namespace) => namespace.name),
    path: out.text((namespace) => namespace.path),
    kind: out.text((namespace) => namespace.kind, { enum: ['user', 'group'] }),
    full_path: out.text((namespace) => namespace.full_path),
    parent_id: out.nullableInteger((namespace) => namespace.parent_id),
    avatar_url: out.nullableText((namespace, ctx) =>
      isGroup(namespace)
        ? avatarUrl(ctx, { kind: 'group', id: namespace.id }, namespace.avatar)
        : avatarUrl(ctx, { kind: 'user', id: namespace.owner_id ?? 0 }, namespace.owner_avatar),
    ),
    web_url: out.text(
      (namespace, ctx) => `${ctx.config.externalUrl}/${isGroup(namespace) ? 'groups/' : ''}${namespace.full_path}`,
    ),
    ...shownIf<NamespaceRecord>((namespace, ctx) => isGroup(namespace) && mayAdmin(namespace, ctx), {
      members_count_with_descendants: out.integer((namespace, ctx) => counts.of(namespace, ctx)?.members ?? 0),
    }),
    ...shownIf<NamespaceRecord>(mayAdmin, {
      billable_members_count: out.integer((namespace, ctx) => counts.of(namespace, ctx)?.members ?? 0),
      projects_count: out.integer((namespace, ctx) => counts.of(namespace, ctx)?.projects ?? 0),
      plan: out.text((_namespace, ctx) => ctx.settings.plan),
      // The plan is the instance's: nothing of it is tried out or ends.
      end_date: out.nullableText(() => null),
      trial_ends_on: out.nullableText(() => null),
      trial: out.boolean(() => false),
    }),
    ...shownIf<NamespaceRecord>((namespace, ctx) => namespace.parent_id === null && mayAdmin(namespace, ctx), {
      root_repository_size: out.integer((namespace, ctx) => counts.of(namespace, ctx)?.repositories ?? 0),
    }),
  },
  { loads: [counts] },
);
