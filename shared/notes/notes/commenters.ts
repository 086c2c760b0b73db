import type { Context } from '../../core/context.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { sql } from '../../core/sql.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Noteable } from '../noteables/noteable.js';
import { visibleComments } from './note.finder.js';

/** Who commented on a record, of the comments that the caller may read. */
export const commentersOf = (ctx: Context, noteable: Noteable): TextList<UserSummary> => ({
  select: userSummaryColumns('u'),
  from: sql`users u`,
  where: [
    sql`u.id = any(array(
      select n.author_id from notes n where ${visibleComments(ctx, noteable)}))`,
  ],
  order: [byId('u', 'asc')],
});
