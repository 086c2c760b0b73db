import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { onIssuables } from '../issuables/issuable-filters.js';
import { visibleEpics } from './visible-epics.js';

/** That issue `i` is in an epic that the caller may read, or in that very one. */
export function inEpic(ctx: Context, id?: number): Expression<SqlBool> {
  const epics = onIssuables
    .selectFrom('epic_issues as x')
    .innerJoin('epics as e', 'e.id', 'x.epic_id')
    .innerJoin('namespaces as n', 'n.id', 'e.namespace_id')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .select(onIssuables.lit(1).as('one'))
    .whereRef('x.issue_id', '=', 'i.id')
    .where(visibleEpics(ctx, 'e'));
  return onIssuables.exists(id === undefined ? epics : epics.where('e.id', '=', id));
}
