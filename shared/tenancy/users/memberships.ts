import { expressionBuilder } from 'kysely';
import type { SelectQueryBuilder, Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { optional, oneOf } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { today, unexpired } from '../namespaces/access.js';
import { user } from './user.finder.js';
import { userPolicy } from './user.policy.js';

/** One group or project that a user is a direct member of. */
export interface Membership {
  source_id: number;
  source_name: string;
  /** `Project`, or `Namespace` for a group. */
  source_type: string;
  access_level: number;
}

export const membershipSerializer = serializer<Membership>('Membership', {
  source_id: out.integer((membership) => membership.source_id),
  source_name: out.text((membership) => membership.source_name),
  source_type: out.text((membership) => membership.source_type, { enum: ['Project', 'Namespace'] }),
  access_level: out.integer((membership) => membership.access_level),
});

interface OfMemberships {
  m: Membership;
}
type MembershipQuery = SelectQueryBuilder<OfMemberships, 'm', object>;
const onMemberships = expressionBuilder<OfMemberships, 'm'>();

const db = expressionBuilder<TenancyDatabase>();

/** The direct roles of a user that last on `day`. */
const getMemberships = (userId: number, day: string) =>
  db
    .selectFrom('project_members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .where('m.user_id', '=', userId)
    .where(unexpired('m', day))
    .select([
      'p.id as source_id',
      'p.name as source_name',
      constant<string>('Project').as('source_type'),
      'm.access_level',
    ])
    .unionAll(
      db
        .selectFrom('group_members as m')
        .innerJoin('namespaces as n', 'n.id', 'm.namespace_id')
        .where('m.user_id', '=', userId)
        .where(unexpired('m', day))
        .select([
          'n.id as source_id',
          'n.name as source_name',
          constant<string>('Namespace').as('source_type'),
          'm.access_level',
        ]),
    );

/** List the groups and projects that a user is a direct member of, as long as the roles last: administrators. */
export const listMemberships = operation({
  name: 'listMemberships',
  summary: "List a user's memberships",
  resource: user,
  can: can(userPolicy, 'admin_user'),
  kind: 'read',
  statements: 4,
  params: {
    type: optional(oneOf(['Project', 'Namespace'])).describe('Filter by type: memberships of projects, or of groups.'),
  },
  run(ctx, found, input): Promise<List<Membership>> {
    const matching = db
      .selectFrom(getMemberships(found.id, today(ctx)).as('m'))
      .$if(input.type !== undefined, (query) => query.where('m.source_type', '=', input.type as string));
    return Promise.resolve({
      matching,
      select: (query: MembershipQuery) =>
        query.select(['m.source_id', 'm.source_name', 'm.source_type', 'm.access_level']),
      order: [
        {
          key: 'type',
          expression: onMemberships.ref('m.source_type'),
          direction: 'asc',
          type: 'text',
          value: (m) => m.source_type,
        },
        {
          key: 'id',
          expression: onMemberships.ref('m.source_id'),
          direction: 'asc',
          type: 'integer',
          value: (m) => m.source_id,
        },
      ],
    });
  },
});

const countGroups = prepareQuery(
  (db: Kysely<TenancyDatabase>, { ids, day }: Placeholders<{ ids: readonly number[]; day: string }>) =>
    db
      .selectFrom('group_members as m')
      .where('m.user_id', '=', anyOf(ids, 'bigint'))
      .where(unexpired('m', day))
      .groupBy('m.user_id')
      .select((eb) => ['m.user_id', eb.fn.countAll<number>().as('count')]),
);

/** In how many groups users have a direct role that lasts, by their ids. */
export async function groupCounts(ctx: Context, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await countGroups(ctx, { ids, day: today(ctx) });
  return new Map(rows.map(({ user_id, count }) => [user_id, count]));
}
