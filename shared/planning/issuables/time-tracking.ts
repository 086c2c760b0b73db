import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { IssuableRef, IssuableType } from './issuable-type.js';

/** One entry of time that somebody spent. */
interface Spent {
  readonly user_id: number;
  /** Less than 0 takes time away. */
  readonly seconds: number;
  readonly summary: string | null;
}

/** Writes down time that was spent; the sum in the record is the caller's to write. */
export async function insertTimelog(
  ctx: Context,
  { timelogs, column }: IssuableType,
  { id, project_id }: IssuableRef,
  { user_id, seconds, summary }: Spent,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.query(sql`
    insert into ${timelogs} (project_id, ${column}, user_id, time_spent, summary, spent_at, created_at)
    values (${project_id}, ${id}, ${user_id}, ${seconds}, ${summary}, ${now}, ${now})`);
}
