import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId, readAll } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
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

/** What is read of emoji `e` that user `u` gave. */
export const awardColumns = ({ column, noun }: Pick<AwardableType, 'column' | 'noun'>): Fragment => sql`
  e.id as "id", e.name as "name", e.created_at as "created_at", e.updated_at as "updated_at",
  e.${column} as "awardable_id", ${noun}::text as "awardable_type", ${userSummaryColumns('u', 'user.')}`;

/** The emoji of a record, the first one first. */
export function awardsOf(
  type: AwardableType,
  { id }: Pick<Awardable, 'id'>,
  where: readonly Fragment[] = [],
): TextList<AwardRecord> {
  const { awards, column } = type;
  return {
    select: awardColumns(type),
    from: sql`${awards} e join users u on u.id = e.user_id`,
    matching: sql`${awards} e`,
    where: [sql`e.${column} = ${id}`, ...where],
    order: [byId('e', 'asc')],
  };
}

/** An emoji of this very record. @throws NotFound "404 Not found" */
export async function findAward(
  ctx: Context,
  type: AwardableType,
  awardable: Pick<Awardable, 'id'>,
  id: number,
): Promise<AwardRecord> {
  const [award] = await readAll(ctx, awardsOf(type, awardable, [sql`e.id = ${id}`]));
  if (!award) throw new NotFound();
  return award;
}

/**
 * Records that a user gave an emoji, as a condition on the alias of their table: `Any` gave any, `None` gave none.
 * @param value a name, `Any` or `None` (core-resources.md section 6, `my_reaction_emoji`)
 */
export function reactedWith(
  ctx: Context,
  { awards, column }: Pick<AwardableType, 'awards' | 'column'>,
  alias: string,
  value: string,
): Fragment {
  const { caller } = ctx;
  if (caller.anonymous) return sql`true`;
  const id = raw(`${alias}.id`);
  const wildcard = value.toLowerCase();
  const own = sql`select e.${column} from ${awards} e where e.user_id = ${caller.id}`;
  if (wildcard === 'none')
    return sql`not exists (
      select 1 from ${awards} e where e.user_id = ${caller.id} and e.${column} = ${id})`;
  if (wildcard === 'any') return sql`${id} = any(array(${own}))`;
  return sql`${id} = any(array(${own} and e.name = ${emojiName(value)}))`;
}

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['+1', 'thumbsup'],
  ['-1', 'thumbsdown'],
]);

/** The name that an emoji is stored by: votes have two. */
export const emojiName = (given: string): string => ALIASES.get(given) ?? given;
