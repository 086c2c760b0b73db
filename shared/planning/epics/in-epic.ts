import type { Context } from '../../core/context.js';
import { empty, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { visibleEpics } from './visible-epics.js';

/** That issue `i` is in an epic that the caller may read, or in that very one. */
export const inEpic = (ctx: Context, id?: number): Fragment => sql`exists (
  select 1 from epic_issues x join epics e on e.id = x.epic_id
    join namespaces n on n.id = e.namespace_id join group_settings gs on gs.namespace_id = n.id
   where x.issue_id = i.id ${id === undefined ? empty : sql`and e.id = ${id}`} and ${visibleEpics(ctx, 'e')})`;
