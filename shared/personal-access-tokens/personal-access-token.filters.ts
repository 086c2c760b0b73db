import type { z } from 'zod';
import type { Context } from '../core/context.js';
import { day, flag, instant, integer, maybe, oneOf, text } from '../core/fields.js';
import type { List } from '../core/list.js';
import { byId } from '../core/list.js';
import { likeLiteral, sql } from '../core/sql.js';
import type { Sql } from '../core/sql.js';
import { today } from '../members/access.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';

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
  user_id: maybe(integer()).describe('Only tokens of this user.'),
  state: maybe(oneOf(['active', 'inactive'])).describe('Only tokens that work, or only others.'),
  revoked: maybe(flag()).describe('Only revoked tokens, or only others.'),
  search: maybe(text()).describe('Part of the name.'),
  created_after: maybe(instant()).describe('Made after this instant.'),
  created_before: maybe(instant()).describe('Made before this instant.'),
  last_used_after: maybe(instant()).describe('Last used after this instant.'),
  last_used_before: maybe(instant()).describe('Last used before this instant.'),
  expires_after: maybe(day()).describe('Expires after this day.'),
  expires_before: maybe(day()).describe('Expires before this day.'),
  sort: maybe(oneOf(SORTS)).describe('Order.'),
};

type Filters = z.output<z.ZodObject<typeof tokenFilterParams>>;

/** Conditions on `t`. Tokens made to impersonate somebody are listed elsewhere. */
export function tokenConditions(ctx: Context, input: Filters): Sql[] {
  const works = sql`not t.revoked and (t.expires_on is null or t.expires_on > ${today(ctx)}::date)`;
  const conditions = [sql`not t.impersonation`];
  if (input.user_id !== undefined) conditions.push(sql`t.user_id = ${input.user_id}`);
  if (input.state === 'active') conditions.push(works);
  if (input.state === 'inactive') conditions.push(sql`not (${works})`);
  if (input.revoked !== undefined) conditions.push(sql`t.revoked = ${input.revoked}`);
  if (input.search !== undefined) conditions.push(sql`t.name ilike ${`%${likeLiteral(input.search)}%`}`);
  if (input.created_after) conditions.push(sql`t.created_at > ${input.created_after}`);
  if (input.created_before) conditions.push(sql`t.created_at < ${input.created_before}`);
  if (input.last_used_after) conditions.push(sql`t.last_used_at > ${input.last_used_after}`);
  if (input.last_used_before) conditions.push(sql`t.last_used_at < ${input.last_used_before}`);
  if (input.expires_after) conditions.push(sql`t.expires_on > ${input.expires_after}::date`);
  if (input.expires_before) conditions.push(sql`t.expires_on < ${input.expires_before}::date`);
  return conditions;
}

/** What never happens sorts as if it happened last: no expiry after every expiry; never used before every use. */
const EXPRESSIONS = {
  created: sql`t.created_at`,
  expires: sql`coalesce(t.expires_on, 'infinity'::date)`,
  last_used: sql`coalesce(t.last_used_at, '-infinity'::timestamptz)`,
  name: sql`lower(t.name)`,
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
