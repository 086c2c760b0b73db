import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { nested } from '../../core/database/columns.js';
import { anyIn, arrayFrom, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { Awardable, AwardableType } from './awardable.js';

/** An emoji with who gave it, and to what. */
export interface AwardRecord {
  id: number;
  name: string;
  user: UserSummary;
  created_at: Date;
  updated_at: Date;
  awardable_id: number;
  awardable_type: string;
}

type OfAwards = Aliased<PlanningDatabase, { e: 'issue_award_emojis'; u: 'users' }>;

/** Builds conditions on emoji `e` of any kind of records. */
const onAwards = expressionBuilder<OfAwards, 'e'>();

/** Columns selected for award emoji `e` given by user `u`. */
export const awardColumns = ({ tables: { record_id }, noun }: Pick<AwardableType, 'tables' | 'noun'>) => {
  const eb = expressionBuilder<OfAwards, 'e' | 'u'>();
  return [
    ...(['e.id', 'e.name', 'e.created_at', 'e.updated_at'] as const),
    eb.ref(`e.${record_id}`).as('awardable_id'),
    eb.cast<string>(constant(noun), 'text').as('awardable_type'),
    ...nested('user', User, 'u', { only: USER_SUMMARY }),
  ] as const;
};

/** The emoji of a record, the first one first. */
export function findAwards(
  type: AwardableType,
  { id }: Pick<Awardable, 'id'>,
  where: readonly Expression<SqlBool>[] = [],
): List<AwardRecord> {
  const { awards, record_id } = type.tables;
  const list: List<AwardRecord> = {
    matching: expressionBuilder<OfAwards>().selectFrom(`${awards} as e`),
    select: (query: SelectQueryBuilder<OfAwards, 'e', object>) =>
      query.innerJoin('users as u', 'u.id', 'e.user_id').select(awardColumns(type)),
    order: [byId('e', 'asc')],
  };
  return narrow(list, [onAwards(`e.${record_id}`, '=', id), ...where]);
}

/** An emoji of this very record. @throws NotFound "404 Not found" */
export async function findAward(
  ctx: Context,
  type: AwardableType,
  awardable: Pick<Awardable, 'id'>,
  id: number,
): Promise<AwardRecord> {
  const [award] = await readAll(ctx, findAwards(type, awardable, [onAwards('e.id', '=', id)]));
  if (!award) throw new NotFound();
  return award;
}

/**
 * Records that a user gave an emoji, as a condition on the alias of their table: `Any` gave any, `None` gave none.
 * @param value a name, `Any` or `None` (core-resources.md section 6, `my_reaction_emoji`)
 */
export function reactedWith(
  ctx: Context,
  { tables: { awards, record_id } }: Pick<AwardableType, 'tables'>,
  alias: string,
  value: string,
): Expression<SqlBool> {
  const { caller } = ctx;
  if (caller.anonymous) return constant(true);
  const eb = expressionBuilder<PlanningDatabase & { i: { id: number } }, 'i'>();
  const id = eb.ref(`${alias as 'i'}.id`);
  const wildcard = value.toLowerCase();
  const own = eb.selectFrom(`${awards} as e`).where('e.user_id', '=', caller.id);
  if (wildcard === 'none') return eb.not(eb.exists(own.select(eb.lit(1).as('one')).where(`e.${record_id}`, '=', id)));
  const reactions = wildcard === 'any' ? own : own.where('e.name', '=', emojiName(value));
  return eb(id, '=', anyIn(arrayFrom(reactions.select(`e.${record_id} as record_id`))));
}

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['+1', 'thumbsup'],
  ['-1', 'thumbsdown'],
]);

/** The name that an emoji is stored by: votes have two. */
export const emojiName = (name: string): string => ALIASES.get(name) ?? name;
