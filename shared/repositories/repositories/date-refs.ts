import type { Context } from '../../core/context/context.js';
import { objectDates } from '../../git/index.js';
import { inSteps } from '../../core/context/in-steps.js';
import { constant, unnestedColumns } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { getRepositoryPath } from './write-refs.js';

/** Number of refs processed by one statement. */
const AT_ONCE = 500;

interface Undated {
  project_id: number;
  shas: string[];
}

/** Dates of objects in a repository; 0 for all of one that cannot be read, which must not hold up the others. */
async function datesIn(ctx: Context, { project_id: id, shas }: Undated): Promise<number[]> {
  try {
    const dates = await objectDates(getRepositoryPath(ctx, { id }), shas);
    return shas.map((sha) => dates.get(sha) ?? 0);
  } catch (error) {
    ctx.signal.throwIfAborted();
    ctx.log.warn({ err: error, project_id: id }, 'repository.refs_without_dates');
    return shas.map(() => 0);
  }
}

async function dateSome(ctx: Context): Promise<number> {
  const db = ctx.em.getKysely<RepositoriesDatabase>();
  const undated: Undated[] = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('repository_refs as r')
        .select(['r.project_id', 'r.object_sha'])
        .whereRef('r.dated_sha', 'is distinct from', 'r.object_sha')
        .orderBy('r.project_id')
        .limit(constant(AT_ONCE))
        .as('u'),
    )
    .select((eb) => ['u.project_id', eb.fn.agg<string[]>('array_agg', ['u.object_sha']).distinct().as('shas')])
    .groupBy('u.project_id')
    .orderBy('u.project_id')
    .execute();
  for (const some of undated) {
    const dates = await datesIn(ctx, some);
    const dated = unnestedColumns<{ sha: string; date: number }>({ sha: [some.shas, 'text'], date: [dates, 'bigint'] });
    await db
      .updateTable('repository_refs as r')
      .from(dated.as('u'))
      .set((eb) => ({ git_date: eb.ref('u.date'), dated_sha: eb.ref('u.sha') }))
      .where('r.project_id', '=', some.project_id)
      .whereRef('r.object_sha', '=', 'u.sha')
      .whereRef('r.dated_sha', 'is distinct from', 'u.sha')
      .execute();
  }
  return undated.length;
}

/**
 * Gives refs their dates that were indexed without one: before there were any, or by an older process. Safe to repeat,
 * and to go on with.
 */
export function dateRefs(ctx: Context): Promise<void> {
  return inSteps(ctx, async () => (await dateSome(ctx)) > 0);
}
