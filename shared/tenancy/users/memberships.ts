import type { Context } from '../../core/context.js';
import { optional, oneOf } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { can, operation } from '../../core/operation.js';
import { out, shape } from '../../core/shape.js';
import { raw, sql } from '../../core/sql.js';
import { today } from '../access/access.js';
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

export const membershipShape = shape<Membership>('Membership', {
  source_id: out.integer((membership) => membership.source_id),
  source_name: out.text((membership) => membership.source_name),
  source_type: out.text((membership) => membership.source_type, { enum: ['Project', 'Namespace'] }),
  access_level: out.integer((membership) => membership.access_level),
});

/** List the groups and projects that a user is a direct member of, as long as the roles last: administrators. */
export const listMemberships = operation({
  name: 'listMemberships',
  summary: "List a user's memberships",
  subject: user,
  can: can(userPolicy, 'admin_user'),
  kind: 'read',
  statements: 4,
  params: { type: optional(oneOf(['Project', 'Namespace'])).describe('Only projects, or only groups.') },
  run(ctx, found, input): Promise<TextList<Membership>> {
    const lasting = sql`m.user_id = ${found.id} and (m.expires_on is null or m.expires_on > ${today(ctx)}::date)`;
    return Promise.resolve({
      select: sql`m.source_id, m.source_name, m.source_type, m.access_level`,
      from: sql`(
        select p.id as source_id, p.name as source_name, 'Project' as source_type, m.access_level
          from project_members m join projects p on p.id = m.project_id where ${lasting}
        union all
        select n.id, n.name, 'Namespace', m.access_level
          from group_members m join namespaces n on n.id = m.namespace_id where ${lasting}) m`,
      where: input.type === undefined ? [] : [sql`m.source_type = ${input.type}`],
      order: [
        { key: 'type', expression: raw('m.source_type'), direction: 'asc', type: 'text', value: (m) => m.source_type },
        { key: 'id', expression: raw('m.source_id'), direction: 'asc', type: 'integer', value: (m) => m.source_id },
      ],
    });
  },
});

/** In how many groups users have a direct role that lasts, by their ids. */
export async function groupCounts(ctx: Context, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await ctx.query<{ user_id: number; count: number }>(sql`
    select m.user_id as "user_id", count(*) as "count" from group_members m
     where m.user_id = any(${ids}::bigint[]) and (m.expires_on is null or m.expires_on > ${today(ctx)}::date)
     group by m.user_id`);
  return new Map(rows.map(({ user_id, count }) => [user_id, count]));
}
