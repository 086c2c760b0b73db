import type { Context } from '../../core/context.js';
import { objectDates } from '../../git/index.js';
import { inSteps } from '../../core/in-steps.js';
import { sql } from '../../core/sql.js';
import { repositoryOf } from './write-refs.js';

/** Refs that are looked at by one statement. */
const AT_ONCE = 500;

interface Undated {
  project_id: number;
  shas: string[];
}

/** Dates of objects in a repository; 0 for all of one that cannot be read, which must not hold up the others. */
async function datesIn(ctx: Context, { project_id: id, shas }: Undated): Promise<number[]> {
  try {
    const dates = await objectDates(repositoryOf(ctx, { id }), shas);
    return shas.map((sha) => dates.get(sha) ?? 0);
  } catch (error) {
    ctx.signal.throwIfAborted();
    ctx.log.warn({ err: error, project_id: id }, 'repository.refs_without_dates');
    return shas.map(() => 0);
  }
}

async function dateSome(ctx: Context): Promise<number> {
  const undated = await ctx.query<Undated>(sql`
    select u.project_id as "project_id", array_agg(distinct u.object_sha) as "shas"
      from (select r.project_id, r.object_sha from repository_refs r
             where r.dated_sha is distinct from r.object_sha order by r.project_id limit ${AT_ONCE}) u
     group by 1 order by 1`);
  for (const some of undated) {
    const dates = await datesIn(ctx, some);
    await ctx.query(sql`
      update repository_refs r set git_date = u.date, dated_sha = u.sha
        from unnest(${some.shas}::text[], ${dates}::bigint[]) as u (sha, date)
       where r.project_id = ${some.project_id} and r.object_sha = u.sha and r.dated_sha is distinct from u.sha`);
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
