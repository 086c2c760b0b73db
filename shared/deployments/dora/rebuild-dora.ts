import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { sql } from '../../core/sql.js';
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
    const found = await ctx.query<{ id: number }>(sql`
      select p.id as "id" from projects p
       where p.id > ${last} and exists (select 1 from environments e where e.project_id = p.id)
       order by p.id limit ${AT_ONCE}`);
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) rebuilt.changed += await ctx.transaction(() => rollUpProjects(ctx, ids));
    rebuilt.projects += ids.length;
    last = ids.at(-1) ?? last;
    return ids.length === AT_ONCE;
  });
  return rebuilt;
}
