import { expressionBuilder } from 'kysely';
import type { Kysely, Expression } from 'kysely';
import type { NamespaceCounts, NamespaceRecord } from './namespace.entity.js';
import { avatarUrl } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, contains, scalar } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { load } from '../../core/context/loads.js';
import { out, serializer, visibleIf } from '../../core/operations/serializer.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { today, unexpired } from './access.js';
import { namespacePolicy } from './namespace.policy.js';

const onNamespaces = expressionBuilder<Aliased<TenancyDatabase, { n: 'namespaces' }>, 'n'>();

/** How many people own namespace `n` or have a role in or below it. */
function countPeople(day: Expression<string>) {
  const inGroups = onNamespaces
    .selectFrom('group_members as m')
    .innerJoin('namespaces as d', 'd.id', 'm.namespace_id')
    .where((eb) => contains(eb.ref('d.traversal_ids'), eb.ref('n.id')))
    .where(unexpired('m', day))
    .select('m.user_id');
  const inProjects = onNamespaces
    .selectFrom('project_members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .innerJoin('namespaces as d', 'd.id', 'p.namespace_id')
    .where((eb) => contains(eb.ref('d.traversal_ids'), eb.ref('n.id')))
    .where(unexpired('m', day))
    .select('m.user_id');
  const owner = onNamespaces.selectFrom('users as o').whereRef('o.id', '=', 'n.owner_id').select('o.id as user_id');
  return onNamespaces
    .selectFrom(owner.unionAll(inGroups).unionAll(inProjects).as('x'))
    .innerJoin('users as u', 'u.id', 'x.user_id')
    .where((eb) => eb.not(eb.ref('u.bot')))
    .select((eb) => eb.fn.count<number>('x.user_id').distinct().as('count'));
}

const countContents = prepareQuery(
  (db: Kysely<TenancyDatabase>, { ids, day }: Placeholders<{ ids: readonly number[]; day: string }>) =>
    db
      .selectFrom('namespaces as n')
      .crossJoinLateral((eb) =>
        eb
          .selectFrom('projects as p')
          .innerJoin('namespaces as d', 'd.id', 'p.namespace_id')
          .leftJoin('project_statistics as ps', 'ps.project_id', 'p.id')
          .where((of) => contains(of.ref('d.traversal_ids'), of.ref('n.id')))
          .select((of) => [
            of.fn.countAll<number>().as('projects'),
            of.cast<number>(of.fn.coalesce(of.fn.sum('ps.repository_size'), of.lit(0)), 'bigint').as('repositories'),
          ])
          .as('size'),
      )
      .where('n.id', '=', anyOf(ids, 'bigint'))
      .select(['n.id', scalar(countPeople(day)).as('members'), 'size.projects', 'size.repositories']),
);

/** Counts people, projects and bytes in and below namespaces: one statement for a page. */
async function getCounts(ctx: Context, ids: readonly number[]): Promise<Map<number, NamespaceCounts>> {
  const rows = await countContents(ctx, { ids, day: today(ctx) });
  return new Map(rows.map((row) => [row.id, row]));
}

const mayAdmin = (namespace: NamespaceRecord, ctx: Context) => namespacePolicy.admin_namespace(ctx.caller, namespace);

const counts = load(
  (namespace: Readonly<NamespaceRecord>) => namespace.id,
  async (ctx, namespaces) => {
    const ids = namespaces.filter((namespace) => mayAdmin(namespace, ctx)).map(({ id }) => id);
    return ids.length > 0 ? getCounts(ctx, ids) : new Map<number, NamespaceCounts>();
  },
);

const isGroup = (namespace: NamespaceRecord) => namespace.kind === 'group';

/** A namespace; its Owners see how much is in it. */
export const namespaceSerializer = serializer<NamespaceRecord>(
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
    ...visibleIf<NamespaceRecord>((namespace, ctx) => isGroup(namespace) && mayAdmin(namespace, ctx), {
      members_count_with_descendants: out.integer((namespace, ctx) => counts.of(namespace, ctx)?.members ?? 0),
    }),
    ...visibleIf<NamespaceRecord>(mayAdmin, {
      billable_members_count: out.integer((namespace, ctx) => counts.of(namespace, ctx)?.members ?? 0),
      projects_count: out.integer((namespace, ctx) => counts.of(namespace, ctx)?.projects ?? 0),
      plan: out.text((_namespace, ctx) => ctx.settings.plan),
      // The plan is the instance's: nothing of it is tried out or ends.
      end_date: out.nullableText(() => null),
      trial_ends_on: out.nullableText(() => null),
      trial: out.boolean(() => false),
    }),
    ...visibleIf<NamespaceRecord>((namespace, ctx) => namespace.parent_id === null && mayAdmin(namespace, ctx), {
      root_repository_size: out.integer((namespace, ctx) => counts.of(namespace, ctx)?.repositories ?? 0),
    }),
  },
  { loads: [counts] },
);
