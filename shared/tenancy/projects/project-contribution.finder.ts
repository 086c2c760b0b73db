import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { onProjects } from './project.finder.js';
import { today } from '../namespaces/access.js';

/** Projects that a user contributed to within the last year, as a condition on `p`. */
export function contributedBy(ctx: Context, userId: number): Expression<SqlBool> {
  const yearAgo = sql<string>`${today(ctx)}::date - interval '1 year'`;
  const ids = onProjects
    .selectFrom('project_contributions as c')
    .select('c.project_id')
    .where('c.user_id', '=', userId)
    .where('c.contributed_on', '>', yearAgo);
  return onProjects('p.id', 'in', ids);
}

/**
 * Notes that the caller changed the repository of a project. Once a day: all later changes of that day would wait
 * for each other at one row, to say the same.
 */
export async function noteContribution(ctx: Context, project: { id: number }): Promise<void> {
  if (ctx.caller.anonymous) return;
  const { id: userId } = ctx.caller;
  const on = today(ctx);
  const db = ctx.em.getKysely<TenancyDatabase>();
  const row = db
    .selectNoFrom((eb) => [
      eb.cast<number>(eb.val(project.id), 'bigint').as('project_id'),
      eb.cast<number>(eb.val(userId), 'bigint').as('user_id'),
      eb.cast<string>(eb.val(on), 'date').as('contributed_on'),
    ])
    .where((eb) => {
      const privateProfile = eb
        .selectFrom('project_contributions as c')
        .select(eb.lit(1).as('one'))
        .where('c.project_id', '=', project.id)
        .where('c.user_id', '=', userId)
        .where('c.contributed_on', '=', on);
      return eb.not(eb.exists(privateProfile));
    });
  await db
    .insertInto('project_contributions')
    .columns(['project_id', 'user_id', 'contributed_on'])
    .expression(row)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'user_id'])
        .doUpdateSet((eb) => ({ contributed_on: eb.ref('excluded.contributed_on') })),
    )
    .execute();
}
