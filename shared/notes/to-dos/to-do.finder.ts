import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { columns, nested, nestedOrNull } from '../../core/database/columns.js';
import { NotFound } from '../../core/values/errors.js';
import { byId, narrow } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { forCaller, queryForCaller } from '../../tenancy/namespaces/for-caller.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import { Note } from '../notes/note.entity.js';
import { ToDo } from './to-do.entity.js';
import type { ToDoRecord } from './to-do.entity.js';
import { isReadable, joinTargets, onToDos } from './visible-to-dos.js';
import type { OfToDos, ToDoTables } from './visible-to-dos.js';

type ToDoQuery = SelectQueryBuilder<OfToDos, ToDoTables, object>;

const selectToDos = (query: ToDoQuery) =>
  query
    .innerJoin('users as u', 'u.id', 't.author_id')
    .leftJoin('routes as r', (join) =>
      join.on((eb) =>
        eb.or([eb('r.project_id', '=', eb.ref('t.project_id')), eb('r.namespace_id', '=', eb.ref('t.namespace_id'))]),
      ),
    )
    .select((eb) => [
      ...columns(ToDo, 't'),
      ...nested('author', User, 'u', { only: USER_SUMMARY }),
      ...nestedOrNull('project', Project, 'p', {
        only: ['id', 'name', 'path'],
        more: { full_name: eb.ref('r.name'), full_path: eb.ref('r.path') },
      }),
      ...nestedOrNull('group', Namespace, 'n', {
        only: ['id', 'name', 'path', 'parent_id', 'avatar'],
        more: { full_name: eb.ref('r.name'), full_path: eb.ref('r.path') },
      }),
      ...nestedOrNull('note', Note, 'nt', { only: ['id', 'note'] }),
      eb.fn.coalesce('i.iid', 'mr.iid', 'e.iid').as('target_iid'),
      eb.fn.coalesce('i.title', 'mr.title', 'e.title').as('target_title'),
    ]);

/** A viewer's own to-dos that are about something they may still read. */
const isOwnAndVisible = (viewer: Viewer): Expression<SqlBool> =>
  onToDos.and([onToDos('t.user_id', '=', viewer.userId), isReadable(viewer)]);

const ownAndVisible = forCaller(isOwnAndVisible);

const matching = joinTargets(expressionBuilder<OfToDos>().selectFrom('todos as t')) as unknown as ToDoQuery;

/** The caller's own to-dos, the newest first. */
export function ownToDos(ctx: SignedInContext, where: readonly Expression<SqlBool>[]): List<ToDoRecord> {
  return narrow<List<ToDoRecord>>({ matching, select: selectToDos, order: [byId('t', 'desc')] }, [
    ownAndVisible(ctx),
    ...where,
  ]);
}

const loadToDo = queryForCaller<OfToDos, { id: number }, ToDoRecord>((db, viewer, { id }) =>
  selectToDos(joinTargets(db.selectFrom('todos as t')) as unknown as ToDoQuery)
    .where(isOwnAndVisible(viewer))
    .where('t.id', '=', id)
    .$castTo<ToDoRecord>(),
);

/** One of the caller's own. @throws NotFound "404 Not found" */
export async function findToDo(ctx: Context, id: number): Promise<ToDoRecord> {
  const [found] = await loadToDo(ctx, { id });
  if (!found) throw new NotFound();
  return found;
}
