import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { jobIsOver } from '../../instance/pg-boss/job-ends.js';
import { anyOf, constant, unnestedRows } from '../../core/database/expressions.js';
import { lockName } from '../../core/database/lock-name.js';
import type { Aliased } from '../../core/database/tables.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';

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

/**
 * Transfers that are next in the queue: those that users wait for first, then in order of request. Waiting transfers do
 * not block those of other users.
 */
const nextInTurn = (ctx: Context): Promise<Called[]> =>
  ctx.em
    .getKysely<RepositoriesDatabase>()
    .with('busy', (db) =>
      db
        .selectFrom('repository_transfers as t')
        .select(['t.user_id', 't.root_namespace_id'])
        .where('t.job_id', 'is not', null),
    )
    .with('busy_users', (db) =>
      db
        .selectFrom('busy as b')
        .select((eb) => ['b.user_id', eb.fn.countAll<number>().as('busy')])
        .groupBy('b.user_id'),
    )
    .with('busy_namespaces', (db) =>
      db
        .selectFrom('busy as b')
        .select((eb) => ['b.root_namespace_id', eb.fn.countAll<number>().as('busy')])
        .groupBy('b.root_namespace_id'),
    )
    .with('by_user', (db) =>
      db
        .selectFrom('repository_transfers as t')
        .leftJoin('busy_users as u', 'u.user_id', 't.user_id')
        .select((eb) => {
          const row = eb.fn
            .agg<number>('row_number')
            .over((over) =>
              over.partitionBy('t.user_id').orderBy('t.background').orderBy('t.requested_at').orderBy('t.id'),
            );
          const position = eb(eb.fn.coalesce('u.busy', eb.lit(0)), '+', row);
          return ['t.id', 't.root_namespace_id', 't.background', 't.requested_at', position.as('position')];
        })
        .where('t.job_id', 'is', null),
    )
    .with('by_namespace', (db) =>
      db
        .selectFrom('by_user as w')
        .leftJoin('busy_namespaces as s', 's.root_namespace_id', 'w.root_namespace_id')
        .select((eb) => {
          const row = eb.fn
            .agg<number>('row_number')
            .over((over) =>
              over.partitionBy('w.root_namespace_id').orderBy('w.background').orderBy('w.requested_at').orderBy('w.id'),
            );
          const position = eb(eb.fn.coalesce('s.busy', eb.lit(0)), '+', row);
          return ['w.id', 'w.background', 'w.requested_at', position.as('position')];
        })
        .where('w.position', '<=', constant(OF_ONE_USER)),
    )
    .selectFrom('by_namespace as w')
    .innerJoin('repository_transfers as t', 't.id', 'w.id')
    .select(['t.id', 't.queue', 't.payload'])
    .where('w.position', '<=', constant(OF_ONE_NAMESPACE))
    .orderBy('w.background')
    .orderBy('w.requested_at')
    .orderBy('w.id')
    .limit(constant(AT_ONCE))
    .execute();

async function callSome(ctx: Context): Promise<number> {
  // Two that look at the same time would both find the same slot free.
  await lockName(ctx, 'repository_transfers');
  const called = (await nextInTurn(ctx)).map((transfer) => ({ ...transfer, job_id: randomUUID() }));
  if (called.length === 0) return 0;
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .updateTable('repository_transfers as t')
    .from(unnestedRows(called, { id: 'bigint', job_id: 'uuid' }).as('u'))
    .set((eb) => ({ job_id: eb.ref('u.job_id') }))
    .whereRef('t.id', '=', 'u.id')
    .execute();
  for (const [name, some] of Map.groupBy(called, ({ queue }) => queue))
    await ctx.jobs.sendAs(
      { name },
      some.map(({ job_id: id, payload: data }) => ({ id, data })),
    );
  return called.length;
}

/** Builds conditions on transfers `t`. */
const onTransfers = expressionBuilder<Aliased<RepositoriesDatabase, { t: 'repository_transfers' }>, 't'>();

/** Requeues a transfer that was requested again, and ends it otherwise. @param which of transfers `t` */
async function end(ctx: Context<Caller>, which: Expression<SqlBool>): Promise<number> {
  const db = ctx.em.getKysely<RepositoriesDatabase>();
  const deletedRows = await db
    .deleteFrom('repository_transfers as t')
    .where('t.again', '=', constant(false))
    .where(which)
    .returning('t.id')
    .execute();
  const waiting = await db
    .updateTable('repository_transfers as t')
    .set({ job_id: null, again: constant(false), requested_at: ctx.clock.now() })
    .where('t.again', '=', constant(true))
    .where(which)
    .returning('t.id')
    .execute();
  return deletedRows.length + waiting.length;
}

/** Ends a transfer, whatever became of it: its slot is the next one's. */
export async function endTransfer(ctx: Context, queue: string, projectId: number): Promise<void> {
  const which = [onTransfers('t.project_id', '=', projectId), onTransfers('t.queue', '=', queue)];
  await end(ctx, onTransfers.and([onTransfers('t.job_id', 'is not', null), ...which]));
}

/** Ends the transfers of these jobs, which frees their slots, and returns their projects. */
export async function endTransfersOf(ctx: Context<Caller>, jobIds: readonly string[]): Promise<number[]> {
  const which = onTransfers('t.job_id', '=', anyOf(jobIds, 'uuid'));
  const theirs = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('repository_transfers as t')
    .select('t.project_id')
    .where(which)
    .orderBy('t.id')
    .forUpdate()
    .execute();
  if (theirs.length > 0) await end(ctx, which);
  return theirs.map(({ project_id: id }) => id);
}

/**
 * Starts all transfers that are next in the queue, by sending their jobs. Frees the slots of jobs that ended without
 * reporting it, for example because the process died in the last attempt. Idempotent.
 * @returns number of started transfers
 */
export async function callInTurn(ctx: Context): Promise<number> {
  const lost = await ctx.transaction(() =>
    end(
      ctx,
      onTransfers.and([
        onTransfers('t.job_id', 'is not', null),
        jobIsOver(onTransfers.ref('t.queue'), onTransfers.ref('t.job_id')),
      ]),
    ),
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
