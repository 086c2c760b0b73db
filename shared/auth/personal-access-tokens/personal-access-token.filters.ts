import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import { constant, likeLiteral } from '../../core/database/expressions.js';
import type { Context } from '../../core/context/context.js';
import { day, boolean, instant, optional, oneOf, text } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { byId } from '../../core/database/list.js';
import { today, unexpired } from '../../tenancy/namespaces/access.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';
import { onTokens } from './personal-access-token.finder.js';

const SORTS = [
  'created_asc',
  'created_desc',
  'expires_asc',
  'expires_desc',
  'last_used_asc',
  'last_used_desc',
  'name_asc',
  'name_desc',
] as const;

/** Parameters of token lists (core-resources.md section 2). */
export const tokenFilterParams = {
  state: optional(oneOf(['active', 'inactive'])).describe('Only tokens that work, or only others.'),
  revoked: optional(boolean()).describe('Only revoked tokens, or only others.'),
  search: optional(text()).describe('Part of the name.'),
  created_after: optional(instant()).describe('Made after this instant.'),
  created_before: optional(instant()).describe('Made before this instant.'),
  last_used_after: optional(instant()).describe('Last used after this instant.'),
  last_used_before: optional(instant()).describe('Last used before this instant.'),
  expires_after: optional(day()).describe('Expires after this day.'),
  expires_before: optional(day()).describe('Expires before this day.'),
  sort: optional(oneOf(SORTS)).describe('Order.'),
};

type Filters = z.output<z.ZodObject<typeof tokenFilterParams>>;

/** Whether a token works, or only whether it doesn't, as conditions on `t`. */
export function tokenStateConditions(ctx: Context, state: 'active' | 'inactive' | undefined): Expression<SqlBool>[] {
  const works = onTokens.and([onTokens('t.revoked', '=', constant(false)), unexpired('t', today(ctx))]);
  if (state === undefined) return [];
  return [state === 'active' ? works : onTokens.not(works)];
}

/** Conditions on `t`. Tokens made to impersonate somebody are listed elsewhere. */
export function tokenConditions(ctx: Context, input: Filters): Expression<SqlBool>[] {
  const asDay = (value: string) => onTokens.cast<string>(onTokens.val(value), 'date');
  const conditions: Expression<SqlBool>[] = [
    onTokens('t.impersonation', '=', constant(false)),
    ...tokenStateConditions(ctx, input.state),
  ];
  if (input.revoked !== undefined) conditions.push(onTokens('t.revoked', '=', constant(input.revoked)));
  if (input.search !== undefined) conditions.push(onTokens('t.name', 'ilike', `%${likeLiteral(input.search)}%`));
  if (input.created_after) conditions.push(onTokens('t.created_at', '>', input.created_after));
  if (input.created_before) conditions.push(onTokens('t.created_at', '<', input.created_before));
  // What was never used, and what never ends, is not found.
  if (input.last_used_after) conditions.push(onTokens('t.last_used_at', '>', input.last_used_after));
  if (input.last_used_before) conditions.push(onTokens('t.last_used_at', '<', input.last_used_before));
  if (input.expires_after) conditions.push(onTokens('t.expires_on', '>', asDay(input.expires_after)));
  if (input.expires_before) conditions.push(onTokens('t.expires_on', '<', asDay(input.expires_before)));
  return conditions;
}

/** What never happens sorts as if it happened last: no expiry after every expiry; never used before every use. */
const EXPRESSIONS = {
  created: onTokens.ref('t.created_at'),
  expires: onTokens.fn.coalesce('t.expires_on', onTokens.cast<string>(constant('infinity'), 'date')),
  last_used: onTokens.fn.coalesce('t.last_used_at', onTokens.cast<Date>(constant('-infinity'), 'timestamptz')),
  name: onTokens.fn('lower', ['t.name']),
} as const;

/** The order of a sort word such as `expires_asc`; by id where none is given. */
export function tokenOrder(sort: Filters['sort']): List<PersonalAccessToken>['order'] {
  if (sort === undefined) return [byId('t', 'asc')];
  const at = sort.lastIndexOf('_');
  const key = sort.slice(0, at) as keyof typeof EXPRESSIONS;
  const direction = sort.slice(at + 1) as 'asc' | 'desc';
  // Offset pages only: no cursor reads these values.
  return [{ key, expression: EXPRESSIONS[key], direction, type: 'text', value: () => null }, byId('t', direction)];
}
