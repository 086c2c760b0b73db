import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { STALE_MS } from './runner-status.js';

/** Managers that one run removes at most. */
const BATCH = 1_000;
/** Rows that name them, of which one statement changes so many and one run so many times that at most. */
const ROWS = 1_000;
const STEPS = 20;

/** Where it is stored which manager a job was given to. */
const REFERENCING_TABLES = ['jobs', 'job_runs'] as const;

const isStale = (before: Date) => (eb: ExpressionBuilder<CiDatabase & { m: CiDatabase['runner_managers'] }, 'm'>) =>
  eb.and([
    eb('m.created_at', '<', before),
    eb.or([eb('m.contacted_at', 'is', null), eb('m.contacted_at', '<', before)]),
  ]);

/** Has some rows of a table name none of these managers any longer. @returns how many rows */
async function clearSome(
  ctx: Context,
  table: (typeof REFERENCING_TABLES)[number],
  managerIds: readonly number[],
): Promise<number> {
  // Of these columns both tables have the same.
  const name = table as 'jobs';
  const cleared = await ctx.em
    .getKysely<CiDatabase>()
    .with('some', (db) =>
      db
        .selectFrom(`${name} as j`)
        .select('j.id')
        .where('j.runner_manager_id', '=', anyOf(managerIds, 'bigint'))
        .limit(constant(ROWS))
        // Whoever changes one just now is not waited for.
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .updateTable(`${name} as x`)
    .from('some as s')
    .set({ runner_manager_id: null })
    .whereRef('x.id', '=', 's.id')
    .returning('x.id')
    .execute();
  return cleared.length;
}

async function clearNames(ctx: Context, managerIds: readonly number[]): Promise<void> {
  let steps = 0;
  await inSteps(ctx, async () => {
    steps += 1;
    const counts: number[] = [];
    for (const table of REFERENCING_TABLES) counts.push(await clearSome(ctx, table, managerIds));
    return steps < STEPS && counts.includes(ROWS);
  });
}

/**
 * Removes managers that are stale: their programs have made no contact for seven days. One that comes back is made anew.
 * Runners stay, however long they have been silent. Jobs are told first, some at a time: a manager that is still named
 * by others stays until the next run.
 * @returns how many were removed
 */
export async function removeStaleManagers(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - STALE_MS);
  const db = ctx.em.getKysely<CiDatabase>();
  const stale = await db
    .selectFrom('runner_managers as m')
    .select('m.id')
    .where(isStale(before))
    .orderBy('m.created_at')
    .limit(constant(BATCH))
    .execute();
  if (stale.length === 0) return 0;
  const ids = stale.map(({ id }) => id);
  await clearNames(ctx, ids);
  const removed = await db
    .with('unnamed', (of) =>
      of
        .selectFrom('runner_managers as m')
        .select('m.id')
        .where('m.id', '=', anyOf(ids, 'bigint'))
        .where(isStale(before))
        .where(({ and, not, exists, selectFrom }) =>
          and(
            REFERENCING_TABLES.map((table) =>
              not(
                exists(
                  selectFrom(`${table as 'jobs'} as j`)
                    .select('j.id')
                    .whereRef('j.runner_manager_id', '=', 'm.id'),
                ),
              ),
            ),
          ),
        )
        // Those that make contact just now stay.
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('runner_managers as m')
    .using('unnamed as u')
    .whereRef('m.id', '=', 'u.id')
    .returning('m.id')
    .execute();
  return removed.length;
}
