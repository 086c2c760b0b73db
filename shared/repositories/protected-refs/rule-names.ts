import { likeLiteral, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

const MAX_NAME = 255;

/** What is wrong with the name of a rule: a ref's name, or a pattern with `*`. */
export function ruleNameProblems(name: string): string[] {
  if (name.trim() === '') return ["Name can't be blank"];
  return name.length > MAX_NAME ? [`Name is too long (maximum is ${MAX_NAME} characters)`] : [];
}

/** Rules `r` whose name contains a text. */
export function nameContains(search: string): Fragment {
  return sql`r.name ilike ${`%${likeLiteral(search)}%`}`;
}
