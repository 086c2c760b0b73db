import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { constant } from '../../core/database/expressions.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { rollUpProjects } from './roll-up.js';

/** Projects computed per statement: it limits how long other work waits for a lock. */
const AT_ONCE = 100;

/** Number of projects checked, and of rows that had to be corrected. */
export interface RebuiltDora {
  projects: number;
  changed: number;
}

/**
 * Recomputes every row of the DORA metrics from deployments, merge requests and incidents, one statement for every
 * hundred projects. Correct rows are not written. Safe to run while the service is running, and to abort and repeat.
 * @throws the abort reason of the job
 */
export async function rebuildAllDora(ctx: Context): Promise<RebuiltDora> {
  const rebuilt: RebuiltDora = { projects: 0, changed: 0 };
  let last = 0;
  await inSteps(ctx, async () => {
    const found = await ctx.em
      .getKysely<DeploymentsDatabase>()
      .selectFrom('projects as p')
      .select('p.id')
      .where('p.id', '>', last)
      .where((eb) =>
        eb.exists(eb.selectFrom('environments as e').select(eb.lit(1).as('one')).whereRef('e.project_id', '=', 'p.id')),
      )
      .orderBy('p.id')
      .limit(constant(AT_ONCE))
      .execute();
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) rebuilt.changed += await ctx.transaction(() => rollUpProjects(ctx, ids));
    rebuilt.projects += ids.length;
    last = ids.at(-1) ?? last;
    return ids.length === AT_ONCE;
  });
  return rebuilt;
}
