import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { likeLiteral } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';

const MAX_NAME = 255;

/** What is wrong with the name of a rule: a ref's name, or a pattern with `*`. */
export function ruleNameProblems(name: string): string[] {
  if (name.trim() === '') return ["Name can't be blank"];
  return name.length > MAX_NAME ? [`Name is too long (maximum is ${MAX_NAME} characters)`] : [];
}

/** Rules `r` whose name contains a text. */
export const nameContains = (search: string): Expression<SqlBool> =>
  expressionBuilder<Aliased<RepositoriesDatabase, { r: 'protected_branches' }>, 'r'>()(
    'r.name',
    'ilike',
    `%${likeLiteral(search)}%`,
  );
