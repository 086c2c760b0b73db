import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { byId, narrow } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { seesMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import { isVisibleIssue } from '../../planning/issues/visible-issues.js';
import { forCaller, queryForCaller } from '../../tenancy/namespaces/for-caller.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { NotesDatabase } from '../notes.entities.js';
import { ToDo } from './to-do.entity.js';

/** A to-do with what it shows of its project and user. */
export interface ToDoRecord extends ToDo {
  user: UserSummary;
  project: { id: number; name: string; full_name: string; path: string; full_path: string };
}

/** To-dos `t`, their projects `p`, and what they are about: issue `i` or merge request `mr`. */
type OfToDos = Aliased<NotesDatabase, { t: 'todos'; p: 'projects'; i: 'issues'; mr: 'merge_requests' }>;
export const onToDos = expressionBuilder<OfToDos, 't' | 'p' | 'i' | 'mr'>();

type ToDoQuery<Row> = SelectQueryBuilder<OfToDos, 't', Row>;

/** To-dos with all that is read of them. */
const joinToDos = <Row>(query: ToDoQuery<Row>) =>
  query
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .leftJoin('issues as i', 'i.id', 't.issue_id')
    .leftJoin('merge_requests as mr', 'mr.id', 't.merge_request_id');

type JoinedQuery<Row> = ReturnType<typeof joinToDos<Row>>;

const selectToDos = <Row>(query: JoinedQuery<Row>) =>
  query.select((eb) => [
    ...columns(ToDo, 't'),
    ...nested('user', User, 'u', { only: USER_SUMMARY }),
    ...nested('project', Project, 'p', {
      only: ['id', 'name', 'path'],
      more: { full_name: eb.ref('r.name'), full_path: eb.ref('r.path') },
    }),
  ]);

/** A viewer's own to-dos that are about something they may still read. */
const isOwnAndVisible = (viewer: Viewer): Expression<SqlBool> =>
  onToDos.and([
    onToDos('t.user_id', '=', viewer.userId),
    onToDos.or([
      onToDos.and([onToDos('i.id', 'is not', null), isVisibleIssue(viewer)]),
      onToDos.and([onToDos('mr.id', 'is not', null), seesMergeRequests(viewer)]),
    ]),
  ]);

const ownAndVisible = forCaller(isOwnAndVisible);

/** The caller's own to-dos, the newest first. */
export function ownToDos(ctx: SignedInContext, where: readonly Expression<SqlBool>[]): List<ToDoRecord> {
  const list: List<ToDoRecord> = {
    matching: joinToDos(expressionBuilder<OfToDos>().selectFrom('todos as t')),
    select: selectToDos,
    order: [byId('t', 'desc')],
  };
  return narrow(list, [ownAndVisible(ctx), ...where]);
}

const loadToDo = queryForCaller<OfToDos, { id: number }, ToDoRecord>((db, viewer, { id }) =>
  selectToDos(joinToDos(db.selectFrom('todos as t')))
    .where(isOwnAndVisible(viewer))
    .where('t.id', '=', id),
);

/** One of the caller's own. @throws NotFound "404 Not found" */
export async function findToDo(ctx: Context, id: number): Promise<ToDoRecord> {
  const [found] = await loadToDo(ctx, { id });
  if (!found) throw new NotFound();
  return found;
}
