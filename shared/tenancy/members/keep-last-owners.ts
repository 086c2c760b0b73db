import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { anyIn, constant } from '../../core/database/expressions.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { answersFor, today } from '../namespaces/access.js';

const DAY_MS = 86_400_000;

/** The day after today, UTC: roles that name it end with the day that is now. */
const tomorrow = (ctx: Context): string =>
  new Date(Date.parse(`${today(ctx)}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

/**
 * Roles `e` of users `o` in groups `n` that expire by `day`: roles of Owners who can answer for the group until then,
 * in groups without an active Owner, direct or inherited, on that day.
 */
const endingIn = (db: Kysely<TenancyDatabase>, day: string) =>
  db
    .selectFrom('group_members as e')
    .innerJoin('users as o', 'o.id', 'e.user_id')
    .innerJoin('namespaces as n', 'n.id', 'e.namespace_id')
    .where('e.access_level', '=', constant(50))
    .where((eb) => eb('e.expires_on', '<=', eb.cast<string>(eb.val(day), 'date')))
    .where('o.state', '=', constant('active'))
    .where((eb) => {
      const owners = eb
        .selectFrom('group_members as m')
        .innerJoin('users as u', 'u.id', 'm.user_id')
        .select(eb.lit(1).as('one'))
        .where((of) => of('m.namespace_id', '=', anyIn(of.ref('n.traversal_ids'))))
        .where(answersFor(day));
      return eb.and([eb.not(eb.ref('o.bot')), eb.not(eb.exists(owners))]);
    });

/** A group that would have no active Owner on `day`, among groups with an expiring Owner role; topmost first. */
async function abandonedGroup(ctx: Context, day: string): Promise<number | null> {
  const row = await endingIn(ctx.em.getKysely<TenancyDatabase>(), day)
    .select('n.id')
    .orderBy((eb) => eb.fn('cardinality', ['n.traversal_ids']))
    .orderBy('n.id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Lets the role of the Owner that ends last go on; the group is locked, as every change to its members does. */
async function keepOwner(ctx: Context, groupId: number, day: string): Promise<void> {
  const db = ctx.em.getKysely<TenancyDatabase>();
  await db.selectFrom('namespaces as n').select('n.id').where('n.id', '=', groupId).forNoKeyUpdate().execute();
  const owner = await db
    .with('last', () =>
      endingIn(db, day)
        .select((eb) => ['e.id', 'e.user_id', eb.cast<string>('e.expires_on', 'text').as('expires_on'), 'o.username'])
        .where('e.namespace_id', '=', groupId)
        .orderBy('e.expires_on', 'desc')
        .orderBy('e.id')
        .limit(1),
    )
    .updateTable('group_members as t')
    .from('last')
    .innerJoin('routes as r', (join) => join.on('r.namespace_id', '=', groupId))
    .set('expires_on', null)
    .whereRef('t.id', '=', 'last.id')
    .returning(['last.user_id', 'last.username', 'last.expires_on', 'r.path as full_path'])
    .executeTakeFirst();
  if (!owner) return;
  const { user_id: id, username, full_path, expires_on } = owner;
  ctx.record({ type: 'member.kept', group: { id: groupId, full_path }, member: { id, username }, expires_on });
  ctx.afterCommit(() => ctx.services.forgetCallers());
}

/**
 * Extends Owner roles that expire at the end of today if the group would otherwise have no active Owner; of several,
 * the one that expires last. Groups that lose their Owner later, such as by a block, are repaired in the next run.
 * Idempotent: an extended role no longer expires.
 * @returns number of extended roles
 */
export async function keepLastOwners(ctx: Context): Promise<number> {
  const day = tomorrow(ctx);
  let count = 0;
  await inSteps(ctx, () =>
    ctx.transaction(async () => {
      const groupId = await abandonedGroup(ctx, day);
      if (groupId === null) return false;
      await keepOwner(ctx, groupId, day);
      count += 1;
      return true;
    }),
  );
  return count;
}
