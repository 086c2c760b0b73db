import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { answersFor, today } from '../access/access.js';

const DAY_MS = 86_400_000;

interface Kept {
  user_id: number;
  username: string;
  full_path: string;
  expires_on: string;
}

/** The day after today, UTC: roles that name it end with the day that is now. */
const tomorrow = (ctx: Context): string =>
  new Date(Date.parse(`${today(ctx)}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

/** That group `n` has an active Owner on `day`, its own or inherited. */
const hasOwner = (day: string): Fragment => sql`exists (
  select 1 from group_members m join users u on u.id = m.user_id
   where m.namespace_id = any(n.traversal_ids) and ${answersFor(day)})`;

/** That role `e` of user `o` ends by `day`, and is that of an Owner who could answer for the group until then. */
const ending = (day: string): Fragment => sql`
  e.access_level = 50 and e.expires_on is not null and e.expires_on <= ${day}::date and o.state = 'active' and not o.bot`;

/** A group that would have no active Owner on `day`, of those with an Owner whose role ends; the top one first. */
async function abandonedGroup(ctx: Context, day: string): Promise<number | null> {
  const row = await ctx.queryOne<{ id: number }>(sql`
    select n.id as "id" from group_members e join users o on o.id = e.user_id join namespaces n on n.id = e.namespace_id
     where ${ending(day)} and not ${hasOwner(day)}
     order by cardinality(n.traversal_ids), n.id limit 1`);
  return row?.id ?? null;
}

/** Lets the role of the Owner that ends last go on; the group is locked, as every change to its members does. */
async function keepOwner(ctx: Context, groupId: number, day: string): Promise<void> {
  await ctx.query(sql`select n.id from namespaces n where n.id = ${groupId} for no key update`);
  const kept = await ctx.queryOne<Kept>(sql`
    with last as (
      select e.id, e.user_id, e.expires_on::text as expires_on, o.username
        from group_members e join users o on o.id = e.user_id join namespaces n on n.id = e.namespace_id
       where e.namespace_id = ${groupId} and ${ending(day)} and not ${hasOwner(day)}
       order by e.expires_on desc, e.id limit 1)
    update group_members t set expires_on = null from last join routes r on r.namespace_id = ${groupId}
     where t.id = last.id
    returning last.user_id as "user_id", last.username as "username", last.expires_on as "expires_on",
              r.path as "full_path"`);
  if (!kept) return;
  const { user_id: id, username, full_path, expires_on } = kept;
  ctx.record({ type: 'member.kept', group: { id: groupId, full_path }, member: { id, username }, expires_on });
  ctx.afterCommit(() => ctx.services.forgetCallers());
}

/**
 * Keeps the roles of Owners that end with today where a group would have no active Owner without them: of several the
 * one that ends last. What became so since, as when the other Owner was blocked, is put right the next time. Safe to
 * repeat: a role that is kept ends no more.
 * @returns how many were kept
 */
export async function keepLastOwners(ctx: Context): Promise<number> {
  const day = tomorrow(ctx);
  let kept = 0;
  await inSteps(ctx, () =>
    ctx.transaction(async () => {
      const groupId = await abandonedGroup(ctx, day);
      if (groupId === null) return false;
      await keepOwner(ctx, groupId, day);
      kept += 1;
      return true;
    }),
  );
  return kept;
}
