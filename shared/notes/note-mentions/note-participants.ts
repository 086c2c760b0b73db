import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import type { IssueRecord } from '../../planning/issues/issue.record.js';
import { issueNoteable } from '../noteables/issue-noteable.js';
import { visibleNotes } from '../notes/note.finder.js';

/** Who commented on an issue, and whom comments name, of those that the caller may read: ids of users. */
export function participantsByNotes(ctx: Context, issue: IssueRecord): Sql {
  const visible = visibleNotes(ctx, issueNoteable(issue));
  return sql`
    select n.author_id from notes n where ${visible} and not n.system
    union select m.user_id from notes n join note_mentions m on m.note_id = n.id where ${visible}`;
}
