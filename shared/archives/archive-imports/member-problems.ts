import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { calledInProblem } from './match-people.js';

const INVITED = 'an invitation that nobody accepted is left out';
const REQUESTED = 'a request for access is left out';
const EXPIRED = 'a membership that has expired is left out';

/** What keeps a row from becoming a membership, whoever it is of; null for nothing. @param today `YYYY-MM-DD` */
export function memberRowProblem(row: Readonly<Record<string, unknown>>, today: string): string | null {
  if (row.user_id === null) return INVITED;
  if (row.requested_at !== null) return REQUESTED;
  return row.expires_at !== null && (row.expires_at as string) <= today ? EXPIRED : null;
}

/** The same in SQL, of a row `r`. */
export const memberRowProblemSql = (today: string): Sql => sql`
  case when r.data ->> 'user_id' is null then ${INVITED}
       when r.data ->> 'requested_at' is not null then ${REQUESTED}
       when (r.data ->> 'expires_at')::date <= ${today}::date then ${EXPIRED} end`;

const INHERITS = 'has a higher role here by a group above';

/** Of somebody whose role would be lower than the one that they inherit. */
export const inheritsProblem = (person: { source_id: number; username: string | null }): string =>
  `${calledInProblem(person)} is left out: ${INHERITS}`;

/** The same in SQL, of a row `r`. */
export const inheritsProblemSql: Sql = sql`
  left(coalesce(nullif(r.data -> 'user' ->> 'username', ''), 'user ' || (r.data ->> 'user_id')), 60)
    || ' is left out: ' || ${INHERITS}::text`;
