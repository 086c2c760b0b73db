import type { Context, SignedInContext } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { and, or, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { visibleMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import { visibleIssues } from '../../planning/issues/visible-issues.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import { ToDo } from './to-do.entity.js';

/** A to-do with what it shows of its project and user. */
export interface ToDoRecord extends ToDo {
  user: UserSummary;
  project: { id: number; name: string; full_name: string; path: string; full_path: string };
}

const selected: Fragment = sql`${textColumns(ToDo, 't')}, ${userSummaryColumns('u', 'user.')}, p.id as "project.id",
  p.name as "project.name", r.name as "project.full_name", p.path as "project.path", r.path as "project.full_path"`;
const tables: Fragment = sql`todos t join projects p on p.id = t.project_id join routes r on r.project_id = p.id
  join users u on u.id = t.user_id left join issues i on i.id = t.issue_id
  left join merge_requests mr on mr.id = t.merge_request_id`;

/** To-dos of the caller that are about something they may still read, as conditions on `t`, `p`, `i` and `mr`. */
const ownAndVisible = (ctx: Context): Fragment[] => [
  sql`t.user_id = ${ctx.caller.id}`,
  or([and([sql`i.id is not null`, visibleIssues(ctx)]), and([sql`mr.id is not null`, visibleMergeRequests(ctx)])]),
];

/** The caller's own to-dos, the newest first. */
export function ownToDos(ctx: SignedInContext, where: readonly Fragment[]): TextList<ToDoRecord> {
  return { select: selected, from: tables, where: [...ownAndVisible(ctx), ...where], order: [byId('t', 'desc')] };
}

/** One of the caller's own. @throws NotFound "404 Not found" */
export async function findToDo(ctx: Context, id: number): Promise<ToDoRecord> {
  const found = await ctx.queryOne<ToDoRecord>(
    sql`select ${selected} from ${tables} where ${and([...ownAndVisible(ctx), sql`t.id = ${id}`])}`,
  );
  if (!found) throw new NotFound();
  return found;
}
