import type { Insertable } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { IssuableRef, IssuableType } from './issuable-type.js';

/** One entry of time spent by a user. */
interface Spent {
  readonly user_id: number;
  /** Less than 0 takes time away. */
  readonly seconds: number;
  readonly summary: string | null;
}

/** Writes down time that was spent; the sum in the record is the caller's to write. */
export async function insertTimelog(
  ctx: Context,
  { tables }: IssuableType,
  { id, project_id }: IssuableRef,
  { user_id, seconds, summary }: Spent,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto(tables.timelogs)
    .values({
      project_id,
      [tables.record_id]: id,
      user_id,
      time_spent: seconds,
      summary,
      spent_at: now,
      created_at: now,
    } as Insertable<PlanningDatabase['issue_timelogs']>)
    .execute();
}
