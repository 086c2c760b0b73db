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
  state: optional(oneOf(['active', 'inactive'])).describe(
    'Filter by state: `active` tokens can be used, `inactive` tokens cannot.',
  ),
  revoked: optional(boolean()).describe(
    'If `true`, returns only revoked tokens. If `false`, returns only tokens that are not revoked.',
  ),
  search: optional(text()).describe('Search term: part of the name of the token.'),
  created_after: optional(instant()).describe('Tokens created after this time.'),
  created_before: optional(instant()).describe('Tokens created before this time.'),
  last_used_after: optional(instant()).describe('Tokens last used after this time.'),
  last_used_before: optional(instant()).describe('Tokens last used before this time.'),
  expires_after: optional(day()).describe('Tokens that expire after this date.'),
  expires_before: optional(day()).describe('Tokens that expire before this date.'),
  sort: optional(oneOf(SORTS)).describe('Sort order of the tokens.'),
};

type Filters = z.output<z.ZodObject<typeof tokenFilterParams>>;

/** Whether a token works, or only whether it doesn't, as conditions on `t`. */
export function tokenStateConditions(ctx: Context, state: 'active' | 'inactive' | undefined): Expression<SqlBool>[] {
  const works = onTokens.and([onTokens('t.revoked', '=', constant(false)), unexpired('t', today(ctx))]);
  if (state === undefined) return [];
  return [state === 'active' ? works : onTokens.not(works)];
}

/** Conditions on `t`. Impersonation tokens are listed elsewhere. */
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

/** The order of a sort value such as `expires_asc`; by id by default. */
export function tokenOrder(sort: Filters['sort']): List<PersonalAccessToken>['order'] {
  if (sort === undefined) return [byId('t', 'asc')];
  const at = sort.lastIndexOf('_');
  const key = sort.slice(0, at) as keyof typeof EXPRESSIONS;
  const direction = sort.slice(at + 1) as 'asc' | 'desc';
  // Offset pages only: no cursor reads these values.
  return [{ key, expression: EXPRESSIONS[key], direction, type: 'text', value: () => null }, byId('t', direction)];
}
