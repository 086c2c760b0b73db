import type { Expression, SqlBool } from 'kysely';
import type { UserRecord } from './user.entity.js';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { constant, sameText } from '../../core/database/expressions.js';
import { boolean, instant, optional, oneOf, text } from '../../core/operations/fields.js';
import type { List, OrderStep } from '../../core/database/list.js';
import { byId } from '../../core/database/list.js';
import { attributeConditions, attributeFilterParams } from '../containers/custom-attribute.filters.js';
import { userMatchesName, onUsers } from './user.finder.js';
import { usersPolicy } from './user.policy.js';

const PUBLIC_ORDERS = ['id', 'name', 'username'] as const;
const ORDERS = [...PUBLIC_ORDERS, 'created_at', 'updated_at'] as const;

/** Parameters of user lists (core-resources.md section 1). */
export const userFilterParams = {
  username: optional(text()).describe('Exact username of the user, regardless of case.'),
  search: optional(text()).describe('Part of the name or username, or a complete email address.'),
  active: optional(boolean()).describe('If `true`, returns only active users.'),
  blocked: optional(boolean()).describe('If `true`, returns only blocked users.'),
  external: optional(boolean()).describe('If `true`, returns only external users.'),
  humans: optional(boolean()).describe('If `true`, returns only human users, neither bots nor internal users.'),
  exclude_active: optional(boolean()).describe('If `true`, returns only users that are not active.'),
  exclude_external: optional(boolean()).describe('If `true`, returns only users that are not external.'),
  exclude_humans: optional(boolean()).describe('If `true`, returns only bots and internal users.'),
  exclude_internal: optional(boolean()).describe('If `true`, excludes internal users.'),
  without_project_bots: optional(boolean()).describe('If `true`, excludes bots of project and group access tokens.'),
  public_email: optional(text()).describe('Exact public email address of the user, regardless of case.'),
  admins: optional(boolean()).describe('If `true`, returns only administrators. For administrators.'),
  created_after: optional(instant()).describe('Returns users created at or after this time. For administrators.'),
  created_before: optional(instant()).describe('Returns users created at or before this time. For administrators.'),
  extern_uid: optional(text()).describe('ID of the user at the `provider`. For administrators.'),
  provider: optional(text()).describe('Name of the provider that `extern_uid` belongs to. For administrators.'),
  two_factor: optional(oneOf(['enabled', 'disabled'])).describe(
    'Filter by two-factor authentication. For administrators.',
  ),
  without_projects: optional(boolean()).describe('If `true`, returns only users without projects. For administrators.'),
  order_by: optional(oneOf(ORDERS)).describe(
    'Field to sort the users by. For administrators; with keyset pagination everybody sorts by `id`, `name` or `username`.',
  ),
  ...attributeFilterParams,
  sort: optional(oneOf(['asc', 'desc'])).describe(
    'Direction of the sort order. For administrators; with keyset pagination for everybody.',
  ),
};

type Filters = z.output<z.ZodObject<typeof userFilterParams>>;

function searchCondition(search: string, privateAddresses: boolean): Expression<SqlBool> {
  const addresses = privateAddresses ? (['u.email', 'u.public_email'] as const) : (['u.public_email'] as const);
  return onUsers.or([
    userMatchesName(search),
    ...addresses.map((address) => sameText(onUsers.ref<'u.email' | 'u.public_email'>(address), search)),
  ]);
}

const isActive = onUsers('u.state', '=', constant('active'));
const isBot = onUsers.ref('u.bot');
const isInternal = onUsers.ref('u.internal');
const isExternal = onUsers.ref('u.external');
const isHuman = onUsers.and([onUsers.not(isBot), onUsers.not(isInternal)]);

/** A flag that narrows when true; false is as if it were not sent. */
const NARROWING: [keyof Filters, Expression<SqlBool>][] = [
  ['active', isActive],
  ['blocked', onUsers('u.state', '=', constant('blocked'))],
  ['external', isExternal],
  ['humans', isHuman],
  ['exclude_active', onUsers('u.state', '<>', constant('active'))],
  ['exclude_external', onUsers.not(isExternal)],
  ['exclude_humans', onUsers.or([isBot, isInternal])],
  ['exclude_internal', onUsers.not(isInternal)],
  ['without_project_bots', onUsers.not(isBot)],
];

/** That a provider knows the user by this. */
function hasIdentity(provider: string, uid: string): Expression<SqlBool> {
  const ids = onUsers
    .selectFrom('user_identities as i')
    .select('i.user_id')
    .where('i.provider', '=', provider)
    .where((eb) => sameText(eb.ref('i.extern_uid'), uid));
  return onUsers('u.id', 'in', ids);
}

/** That the user has neither made a project nor a role in one. */
function hasNoProjects(): Expression<SqlBool> {
  const one = onUsers.lit(1).as('one');
  const ownProjects = onUsers.selectFrom('projects as p').select(one).whereRef('p.creator_id', '=', 'u.id');
  const joined = onUsers.selectFrom('project_members as m').select(one).whereRef('m.user_id', '=', 'u.id');
  return onUsers.and([onUsers.not(onUsers.exists(ownProjects)), onUsers.not(onUsers.exists(joined))]);
}

function fullConditions(input: Filters): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (input.admins) conditions.push(onUsers.ref('u.admin'));
  if (input.created_after) conditions.push(onUsers('u.created_at', '>=', input.created_after));
  if (input.created_before) conditions.push(onUsers('u.created_at', '<=', input.created_before));
  if (input.extern_uid !== undefined && input.provider !== undefined)
    conditions.push(hasIdentity(input.provider, input.extern_uid));
  // Two-factor authentication does not exist yet, so no user has it enabled.
  if (input.two_factor === 'enabled') conditions.push(constant(false));
  if (input.without_projects) conditions.push(hasNoProjects());
  return conditions;
}

/** People who are listed to callers that did not sign in, as a condition on `u`. */
export const visibleToEverybody: Expression<SqlBool> = onUsers.and([isActive, isHuman]);

/** Conditions on `u`. Those for administrators are left out for others, who get no error. */
export function userConditions(ctx: Context, input: Filters): Expression<SqlBool>[] {
  const full = usersPolicy.filter_users_fully(ctx.caller, null);
  const conditions = NARROWING.filter(([name]) => input[name] === true).map(([, condition]) => condition);
  if (input.username !== undefined) conditions.push(sameText(onUsers.ref('u.username'), input.username));
  if (input.search !== undefined) conditions.push(searchCondition(input.search, full));
  if (input.public_email !== undefined) conditions.push(sameText(onUsers.ref('u.public_email'), input.public_email));
  conditions.push(...attributeConditions(ctx, 'user', onUsers.ref('u.id'), input.custom_attributes));
  return full ? [...conditions, ...fullConditions(input)] : conditions;
}

/** The requested order, if the caller may choose one; otherwise newest first. */
export function userOrder(ctx: Context, input: Filters): List<UserRecord>['order'] {
  return usersPolicy.filter_users_fully(ctx.caller, null) ? orderBy(input) : orderBy({});
}

/** Of keyset pages everybody chooses the order (rest-conventions.md section 7), by what everybody sees of users. */
export function userKeysetOrder(ctx: Context, input: Filters): List<UserRecord>['order'] {
  const isPublic = PUBLIC_ORDERS.some((column) => column === input.order_by);
  const { order_by: column, sort } = input;
  const full = usersPolicy.filter_users_fully(ctx.caller, null);
  return orderBy({ order_by: full || isPublic ? column : undefined, sort });
}

function orderBy({ order_by: column = 'id', sort: direction = 'desc' }: Partial<Filters>): List<UserRecord>['order'] {
  const id = byId<UserRecord>('u', direction);
  if (column === 'id') return [id];
  const step: OrderStep<UserRecord> = {
    key: column,
    expression: onUsers.ref(`u.${column}`),
    direction,
    type: column.endsWith('_at') ? 'instant' : 'text',
    value: (user) => user[column],
  };
  return [step, id];
}
