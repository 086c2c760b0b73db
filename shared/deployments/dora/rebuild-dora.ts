import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { constant } from '../../core/database/expressions.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { rollUpProjects } from './roll-up.js';

/** Projects whose rows one statement computes: other work waits for no longer than it takes. */
const AT_ONCE = 100;

/** Projects that were looked at, and rows that were not as they should be. */
export interface RebuiltDora {
  projects: number;
  changed: number;
}

/**
 * Computes every row of the DORA metrics anew from deployments, merge requests and incidents, a statement for each
 * hundred projects. What is in order stays untouched. It may run while the service does, and be ended and repeated.
 * @throws the reason of the job's end
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
