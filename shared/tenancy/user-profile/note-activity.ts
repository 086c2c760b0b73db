import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';

/** Writes that a user did something on this day, UTC; once a day is enough. */
export function noteActivity(userId: number, at: Date): Sql {
  const day = at.toISOString().slice(0, 10);
  return sql`
    update users set last_activity_on = ${day}::date
     where id = ${userId} and last_activity_on is distinct from ${day}::date`;
}
