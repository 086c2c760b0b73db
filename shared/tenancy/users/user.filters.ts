import type { UserRecord } from './user.record.js';
import type { z } from 'zod';
import type { Context } from '../../core/context.js';
import { boolean, instant, optional, oneOf, text } from '../../core/fields.js';
import type { TextList, OrderStep } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { attributeConditions, attributeFilterParams } from '../custom-attributes/custom-attribute.filters.js';
import { likeLiteral, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { usersPolicy } from './user.policy.js';

const SEEN_ORDERS = ['id', 'name', 'username'] as const;
const ORDERS = [...SEEN_ORDERS, 'created_at', 'updated_at'] as const;

/** Parameters of user lists (core-resources.md section 1). */
export const userFilterParams = {
  username: optional(text()).describe('Exactly this username, whatever its case.'),
  search: optional(text()).describe('Part of name or username, or a whole address.'),
  active: optional(boolean()).describe('Only active users.'),
  blocked: optional(boolean()).describe('Only blocked users.'),
  external: optional(boolean()).describe('Only external users.'),
  humans: optional(boolean()).describe('Only people, neither bots nor internal users.'),
  exclude_active: optional(boolean()).describe('Only users that are not active.'),
  exclude_external: optional(boolean()).describe('Only users that are not external.'),
  exclude_humans: optional(boolean()).describe('Only bots and internal users.'),
  exclude_internal: optional(boolean()).describe('Without internal users.'),
  without_project_bots: optional(boolean()).describe('Without the bots of project and group access tokens.'),
  public_email: optional(text()).describe('Exactly this public address, whatever its case.'),
  admins: optional(boolean()).describe('Only administrators. For administrators.'),
  created_after: optional(instant()).describe('Made at or after this instant. For administrators.'),
  created_before: optional(instant()).describe('Made at or before this instant. For administrators.'),
  extern_uid: optional(text()).describe('Known by this at `provider`. For administrators.'),
  provider: optional(text()).describe('Provider that `extern_uid` is of. For administrators.'),
  two_factor: optional(oneOf(['enabled', 'disabled'])).describe('With or without a second factor. For administrators.'),
  without_projects: optional(boolean()).describe('Only users without projects. For administrators.'),
  order_by: optional(oneOf(ORDERS)).describe(
    'Column to order by. For administrators; by keyset everybody orders by `id`, `name` or `username`.',
  ),
  ...attributeFilterParams,
  sort: optional(oneOf(['asc', 'desc'])).describe(
    'Direction of the order. For administrators; by keyset for everybody.',
  ),
};

type Filters = z.output<z.ZodObject<typeof userFilterParams>>;

function searchCondition(search: string, privateAddresses: boolean): Fragment {
  const pattern = `%${likeLiteral(search)}%`;
  const address = privateAddresses ? sql`lower(u.email) = lower(${search}) or ` : sql``;
  return sql`u.username ilike ${pattern} or u.name ilike ${pattern}
    or ${address}lower(u.public_email) = lower(${search})`;
}

/** A flag that narrows when true; false is as if it were not sent. */
const NARROWING: [keyof Filters, Fragment][] = [
  ['active', sql`u.state = 'active'`],
  ['blocked', sql`u.state = 'blocked'`],
  ['external', sql`u.external`],
  ['humans', sql`not u.bot and not u.internal`],
  ['exclude_active', sql`u.state <> 'active'`],
  ['exclude_external', sql`not u.external`],
  ['exclude_humans', sql`u.bot or u.internal`],
  ['exclude_internal', sql`not u.internal`],
  ['without_project_bots', sql`not u.bot`],
];

function fullConditions(input: Filters): Fragment[] {
  const conditions: Fragment[] = [];
  if (input.admins) conditions.push(sql`u.admin`);
  if (input.created_after) conditions.push(sql`u.created_at >= ${input.created_after}`);
  if (input.created_before) conditions.push(sql`u.created_at <= ${input.created_before}`);
  if (input.extern_uid !== undefined && input.provider !== undefined)
    conditions.push(sql`u.id in (select i.user_id from user_identities i
      where i.provider = ${input.provider} and lower(i.extern_uid) = lower(${input.extern_uid}))`);
  // There is no second factor yet: nobody has one.
  if (input.two_factor === 'enabled') conditions.push(sql`false`);
  if (input.without_projects)
    conditions.push(sql`not exists (select 1 from projects p where p.creator_id = u.id)
      and not exists (select 1 from project_members m where m.user_id = u.id)`);
  return conditions;
}

/** People who are listed to callers that did not sign in, as a condition on `u`. */
export const visibleToEverybody: Fragment = sql`u.state = 'active' and not u.bot and not u.internal`;

/** Conditions on `u`. Those for administrators are left out for others, who get no error. */
export function userConditions(ctx: Context, input: Filters): Fragment[] {
  const full = usersPolicy.filter_users_fully(ctx.caller, null);
  const conditions: Fragment[] = NARROWING.filter(([name]) => input[name] === true).map(([, condition]) => condition);
  if (input.username !== undefined) conditions.push(sql`lower(u.username) = lower(${input.username})`);
  if (input.search !== undefined) conditions.push(searchCondition(input.search, full));
  if (input.public_email !== undefined) conditions.push(sql`lower(u.public_email) = lower(${input.public_email})`);
  conditions.push(...attributeConditions(ctx, 'user', sql`u.id`, input.custom_attributes));
  return full ? [...conditions, ...fullConditions(input)] : conditions;
}

/** The order that was asked for, by somebody who may; else newest first. */
export function userOrder(ctx: Context, input: Filters): TextList<UserRecord>['order'] {
  return usersPolicy.filter_users_fully(ctx.caller, null) ? orderBy(input) : orderBy({});
}

/** Of keyset pages everybody chooses the order (seed 8a), by what everybody sees of users. */
export function userKeysetOrder(ctx: Context, input: Filters): TextList<UserRecord>['order'] {
  const isPublic = SEEN_ORDERS.some((column) => column === input.order_by);
  const { order_by: column, sort } = input;
  const full = usersPolicy.filter_users_fully(ctx.caller, null);
  return orderBy({ order_by: full || isPublic ? column : undefined, sort });
}

function orderBy({
  order_by: column = 'id',
  sort: direction = 'desc',
}: Partial<Filters>): TextList<UserRecord>['order'] {
  const id = byId<UserRecord>('u', direction);
  if (column === 'id') return [id];
  const step: OrderStep<UserRecord> = {
    key: column,
    expression: raw(`u.${column}`),
    direction,
    type: column.endsWith('_at') ? 'instant' : 'text',
    value: (user) => user[column],
  };
  return [step, id];
}
