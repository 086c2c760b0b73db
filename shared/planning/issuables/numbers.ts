import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import type { PlanningDatabase } from '../planning.entities.js';

const LAST = 2 ** 31 - 1;

/** Reserves a number chosen by the caller until the transaction ends; numbers assigned later are higher. */
async function choose(ctx: Context, projectId: number, kind: string, chosen: number): Promise<number | null> {
  const row = await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto('project_counters')
    .columns(['project_id', 'kind', 'last_value'])
    .expression((eb) =>
      eb
        .selectFrom('projects as p')
        .select([
          'p.id',
          eb.cast<string>(eb.val(kind), 'text').as('kind'),
          eb.cast<number>(eb.val(chosen), 'bigint').as('last_value'),
        ])
        .where('p.id', '=', projectId)
        .forKeyShare(),
    )
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'kind']).doUpdateSet((eb) => ({
        last_value: eb.fn<number>('greatest', ['project_counters.last_value', 'excluded.last_value']),
      })),
    )
    .returning('last_value')
    .executeTakeFirst();
  return row ? chosen : null;
}

/**
 * The next number for a kind of record in a project, assigned only once, or a number chosen by the caller. The next
 * number is allocated outside the open transaction (`Numbers`): if the transaction fails, the number is skipped.
 * @throws NotFound if the project was removed in the meantime
 * @throws Invalid if no numbers are left
 */
export async function takeNumber(ctx: Context, projectId: number, kind: string, chosen?: number): Promise<number> {
  const iid = await (chosen === undefined
    ? ctx.services.numbers.take(projectId, kind)
    : choose(ctx, projectId, kind, chosen));
  if (iid === null) throw new NotFound('Project');
  if (iid > LAST) throw new Invalid({ iid: [`must be less than or equal to ${LAST}`] });
  return iid;
}
