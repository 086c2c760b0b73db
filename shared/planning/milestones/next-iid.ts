import type { Context } from '../../core/context/context.js';
import type { ContainerRef } from '../../core/operations/container.js';
import type { PlanningDatabase } from '../planning.entities.js';

/** The next milestone number in a project or group; never reused. */
export async function nextMilestoneIid(ctx: Context, { kind, id }: ContainerRef): Promise<number> {
  const db = ctx.em.getKysely<PlanningDatabase>();
  const first = { kind: 'milestone', last_value: 1 };
  const counter = await (kind === 'project'
    ? db
        .insertInto('project_counters')
        .values({ project_id: id, ...first })
        .onConflict((conflict) =>
          conflict
            .columns(['project_id', 'kind'])
            .doUpdateSet((eb) => ({ last_value: eb('project_counters.last_value', '+', eb.lit(1)) })),
        )
        .returning('last_value')
        .executeTakeFirstOrThrow()
    : db
        .insertInto('namespace_counters')
        .values({ namespace_id: id, ...first })
        .onConflict((conflict) =>
          conflict
            .columns(['namespace_id', 'kind'])
            .doUpdateSet((eb) => ({ last_value: eb('namespace_counters.last_value', '+', eb.lit(1)) })),
        )
        .returning('last_value')
        .executeTakeFirstOrThrow());
  return counter.last_value;
}
