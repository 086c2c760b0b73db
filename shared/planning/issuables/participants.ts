import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyIn, arrayFrom, unnested } from '../../core/database/expressions.js';
import { byId } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { onUsers, USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { OfUsers } from '../../tenancy/users/user.finder.js';
import { mayReadIssuables } from './assignable-users.js';
import type { IssuableType } from './issuable-type.js';
import type { PlanningDatabase } from '../planning.entities.js';

/** A query of ids of users, as `user_id`. */
type UserIds = Expression<{ user_id: number | null }>;

interface IssuableKey {
  readonly id: number;
  readonly project_id: number;
  readonly author_id?: number | null | undefined;
}

/** Ids of users known to a higher domain as participants of a record, limited to data visible to the caller. */
type ParticipantSource<R extends IssuableKey> = (ctx: Context, record: R) => UserIds;

const sources = new Map<IssuableType['kind'], ParticipantSource<never>[]>();

/** Has a higher domain say who took part in records of a kind too. Called where its registry is made. */
export function addParticipants<R extends IssuableKey>(kind: IssuableType['kind'], source: ParticipantSource<R>): void {
  sources.set(kind, [...(sources.get(kind) ?? []), source]);
}

/**
 * The participants of a record: its author, assignees and mentioned users who can still read it.
 * @param level of the project feature that the record belongs to
 * @param more queries for the ids of further users
 */
export function participantsIn(
  ctx: Context,
  { kind, tables }: IssuableType,
  record: IssuableKey,
  level: string,
  more: readonly UserIds[] = [],
): List<UserSummary> {
  const { id, project_id, author_id } = record;
  const db = expressionBuilder<PlanningDatabase>();
  const own = db.selectFrom(unnested([author_id ?? 0], 'bigint').as('author')).select('author.value as user_id');
  const others: UserIds[] = [
    db.selectFrom(`${tables.assignees} as x`).select('x.user_id').where(`x.${tables.record_id}`, '=', id),
    db.selectFrom(`${tables.mentions} as m`).select('m.user_id').where(`m.${tables.record_id}`, '=', id),
    ...more,
    ...(sources.get(kind) ?? []).map((source) => source(ctx, record as never)),
  ];
  const ids = own.union(others as Expression<{ user_id: number }>[]);
  const readable = db
    .selectFrom('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .select(db.lit(1).as('one'))
    .where('p.id', '=', project_id)
    .where(mayReadIssuables(ctx, level));
  return {
    matching: expressionBuilder<OfUsers>()
      .selectFrom('users as u')
      .where('u.id', '=', anyIn(arrayFrom(ids)))
      .where(onUsers.exists(readable)),
    select: (query: SelectQueryBuilder<OfUsers, 'u', object>) => query.select(columns(User, 'u', USER_SUMMARY)),
    order: [byId('u', 'asc')],
  };
}
