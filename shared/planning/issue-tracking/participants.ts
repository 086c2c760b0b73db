import type { List } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { can, operation } from '../../core/operation.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { projectTables } from '../../tenancy/projects/project.finder.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import { mayReadIssuables } from '../issuables/assignable-users.js';
import { issue } from '../issues/issue.finder.js';
import { issuePolicy } from '../issues/issue.policy.js';
import type { IssueRecord } from '../issues/issue.record.js';

/** Who took part: author, assignees and whom it names, as far as they still may read it. */
export function participantsOf(ctx: Context, { id, author_id: authorId, project }: IssueRecord): List<UserSummary> {
  return {
    select: userSummaryColumns('u'),
    from: sql`users u`,
    where: [
      sql`u.id = any(array(
        select ${authorId ?? 0}::bigint union select x.user_id from issue_assignees x where x.issue_id = ${id}
        union select m.user_id from issue_mentions m where m.issue_id = ${id}))`,
      sql`exists (select 1 from ${projectTables}
           where p.id = ${project.id} and ${mayReadIssuables(ctx, project.issues_access_level)})`,
    ],
    order: [byId('u', 'asc')],
  };
}

/** List who took part in an issue. */
export const listIssueParticipants = operation({
  name: 'listIssueParticipants',
  summary: 'List the participants of an issue',
  subject: issue,
  can: can(issuePolicy, 'read_issue'),
  gate: 'open',
  kind: 'read',
  run: (ctx, found) => Promise.resolve(participantsOf(ctx, found)),
});
