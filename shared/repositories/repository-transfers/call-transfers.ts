import { randomUUID } from 'node:crypto';
import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { jobIsOver } from '../../instance/pg-boss/job-ends.js';
import { raw, sql } from '../../core/sql.js';

/** So many transfers run at a time, over all processes: of one user, and in one top-level namespace. */
const OF_ONE_USER = 2;
const OF_ONE_NAMESPACE = 4;
/** Called by one transaction at most. */
const AT_ONCE = 500;

interface Called {
  id: number;
  queue: string;
  payload: object;
}

/** Those whose turn it is: what people wait for first, then in order of asking. The others hold up nobody else's. */
const nextInTurn = (ctx: Context) =>
  ctx.query<Called>(sql`
    with busy as (select t.user_id, t.root_namespace_id from repository_transfers t where t.job_id is not null),
    users as (select b.user_id, count(*) as busy from busy b group by 1),
    spaces as (select b.root_namespace_id, count(*) as busy from busy b group by 1),
    by_user as (
      select t.id, t.root_namespace_id, t.background, t.requested_at, coalesce(u.busy, 0)
             + row_number() over (partition by t.user_id order by t.background, t.requested_at, t.id) as place
        from repository_transfers t left join users u using (user_id) where t.job_id is null),
    by_space as (
      select w.id, w.background, w.requested_at, coalesce(s.busy, 0)
             + row_number() over (partition by w.root_namespace_id order by w.background, w.requested_at, w.id) as place
        from by_user w left join spaces s using (root_namespace_id) where w.place <= ${OF_ONE_USER})
    select t.id as "id", t.queue as "queue", t.payload as "payload"
      from by_space w join repository_transfers t on t.id = w.id
     where w.place <= ${OF_ONE_NAMESPACE} order by w.background, w.requested_at, w.id limit ${AT_ONCE}`);

async function callSome(ctx: Context): Promise<number> {
  // Two that look at the same time would both find the same place free.
  await ctx.query(sql`select pg_advisory_xact_lock(hashtextextended('repository_transfers', 0))`);
  const called = (await nextInTurn(ctx)).map((transfer) => ({ ...transfer, job_id: randomUUID() }));
  if (called.length === 0) return 0;
  await ctx.query(sql`
    update repository_transfers t set job_id = u.job_id
      from unnest(${called.map(({ id }) => id)}::bigint[], ${called.map(({ job_id }) => job_id)}::uuid[]) as u (id, job_id)
     where t.id = u.id`);
  for (const [name, some] of Map.groupBy(called, ({ queue }) => queue))
    await ctx.jobs.sendAs(
      { name },
      some.map(({ job_id: id, payload: data }) => ({ id, data })),
    );
  return called.length;
}

/** Sets a transfer back to wait where it was asked for again, and ends it otherwise. `t` is the table. */
async function end(ctx: Context<Caller>, which: ReturnType<typeof sql>): Promise<number> {
  const ended = await ctx.query(sql`delete from repository_transfers t where not t.again and ${which} returning t.id`);
  const waiting = await ctx.query(sql`
    update repository_transfers t set job_id = null, again = false, requested_at = ${ctx.clock.now()}
     where t.again and ${which} returning t.id`);
  return ended.length + waiting.length;
}

/** Ends a transfer, whatever became of it: its place is the next one's. */
export async function endTransfer(ctx: Context, queue: string, projectId: number): Promise<void> {
  await end(ctx, sql`t.job_id is not null and t.project_id = ${projectId} and t.queue = ${queue}`);
}

/** The projects whose transfers these jobs were to do, and ends those: their places are the next ones'. */
export async function endTransfersOf(ctx: Context<Caller>, jobIds: readonly string[]): Promise<number[]> {
  const which = sql`t.job_id = any(${jobIds}::uuid[])`;
  const theirs = await ctx.query<{ project_id: number }>(
    sql`select t.project_id as "project_id" from repository_transfers t where ${which} order by t.id for update`,
  );
  if (theirs.length > 0) await end(ctx, which);
  return theirs.map(({ project_id: id }) => id);
}

/**
 * Calls every transfer whose turn it is: sends its job. Places of jobs that are over without having said so, such as
 * one of a process that died at its last try, are free again. Safe to repeat.
 * @returns how many were called
 */
export async function callInTurn(ctx: Context): Promise<number> {
  const lost = await ctx.transaction(() =>
    end(ctx, sql`t.job_id is not null and ${jobIsOver(raw('t.queue'), raw('t.job_id'))}`),
  );
  if (lost > 0) ctx.log.warn({ lost }, 'repository_transfer.lost');
  let all = 0;
  await inSteps(ctx, async () => {
    const called = await ctx.transaction(() => callSome(ctx));
    all += called;
    return called === AT_ONCE;
  });
  return all;
}
