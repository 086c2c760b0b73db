import { expressionBuilder, sql } from 'kysely';
import type { AliasableExpression } from 'kysely';
import type { PlanningDatabase } from '../planning.entities.js';

/** Room that is left between two issues which nobody moved. */
export const GAP = 2 ** 20;

/** Where a row stands among those of its parent, as issues of a project: where it was moved to, else by its id, behind older ones. */
export function positionOf(alias: string): AliasableExpression<number> {
  const eb = expressionBuilder<{ i: Pick<PlanningDatabase['issues'], 'id' | 'relative_position'> }, 'i'>();
  const own = alias as 'i';
  return eb.fn.coalesce(`${own}.relative_position`, eb(`${own}.id`, '*', sql.lit(GAP))) as AliasableExpression<number>;
}
