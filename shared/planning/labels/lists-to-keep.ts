import { expressionBuilder } from 'kysely';
import { anyOf } from '../../core/database/expressions.js';
import type { PlanningDatabase } from '../planning.entities.js';

/**
 * The board lists to transfer to a label or milestone that replaces others: the oldest one of each board that does not
 * have a list for it yet.
 */
export const listsToKeep = (column: 'label_id' | 'milestone_id', from: readonly number[], to: number) =>
  expressionBuilder<PlanningDatabase>()
    .selectFrom('board_lists as bl')
    .select((of) => of.fn.min('bl.id').as('id'))
    .where(`bl.${column}`, '=', anyOf(from, 'bigint'))
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('board_lists as o')
            .select(of.lit(1).as('one'))
            .whereRef('o.board_id', '=', 'bl.board_id')
            .where(`o.${column}`, '=', to),
        ),
      ),
    )
    .groupBy('bl.board_id');
