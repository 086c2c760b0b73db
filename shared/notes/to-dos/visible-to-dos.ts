import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { seesMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import { isVisibleEpic } from '../../planning/epics/visible-epics.js';
import { assignedTo, isVisibleIssue } from '../../planning/issues/visible-issues.js';
import { isCodeProject } from '../../tenancy/containers/planning-rights.js';
import { memberOfGroup, memberOfProject } from '../../tenancy/namespaces/access.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import type { NotesDatabase } from '../notes.entities.js';

/**
 * To-dos `t` with what decides who may read them: the issue `i` or merge request `mr` and its project `p`, the epic `e`,
 * its group `n` and the settings `gs` of that, and the note `nt` that caused them.
 */
export type OfToDos = Aliased<
  NotesDatabase,
  {
    t: 'todos';
    p: 'projects';
    i: 'issues';
    mr: 'merge_requests';
    e: 'epics';
    n: 'namespaces';
    gs: 'group_settings';
    nt: 'notes';
    u: 'users';
  }
>;
export type ToDoTables = 't' | 'p' | 'i' | 'mr' | 'e' | 'n' | 'gs' | 'nt';
export const onToDos = expressionBuilder<OfToDos, ToDoTables | 'u'>();

/** To-dos, or rows that are to become some, with all that {@link isReadable} speaks of. */
export const joinTargets = <Row>(query: SelectQueryBuilder<OfToDos, 't', Row>) =>
  query
    .leftJoin('projects as p', 'p.id', 't.project_id')
    .leftJoin('issues as i', 'i.id', 't.issue_id')
    .leftJoin('merge_requests as mr', 'mr.id', 't.merge_request_id')
    .leftJoin('epics as e', 'e.id', 't.epic_id')
    .leftJoin('namespaces as n', 'n.id', 't.namespace_id')
    .leftJoin('group_settings as gs', 'gs.namespace_id', 't.namespace_id')
    .leftJoin('notes as nt', 'nt.id', 't.note_id');

/** What a to-do can be about. */
export type TargetKind = 'issue' | 'merge_request' | 'epic' | 'commit';

const isThere = (column: 'i.id' | 'mr.id' | 'e.id' | 't.commit_sha') => onToDos(column, 'is not', null);

const READABLE: Readonly<Record<TargetKind, (viewer: Viewer) => Expression<SqlBool>>> = {
  issue: (viewer) => onToDos.and([isThere('i.id'), isVisibleIssue(viewer)]),
  merge_request: (viewer) => onToDos.and([isThere('mr.id'), seesMergeRequests(viewer)]),
  epic: (viewer) => onToDos.and([isThere('e.id'), isVisibleEpic(viewer, 'e')]),
  commit: (viewer) => onToDos.and([isThere('t.commit_sha'), isCodeProject(viewer)]),
};

/** That the note, if there is one, is not internal, or the viewer reads internal notes there: the rule of `read_note`. */
function readsNote({ admin, userId, day }: Viewer): Expression<SqlBool> {
  if (admin) return constant(true);
  return onToDos.or([
    onToDos('nt.internal', 'is distinct from', constant(true)),
    onToDos('nt.author_id', '=', userId),
    onToDos('i.author_id', '=', userId),
    onToDos('mr.author_id', '=', userId),
    onToDos('e.author_id', '=', userId),
    assignedTo(userId),
    memberOfProject(userId, day, ACCESS_LEVELS.planner),
    memberOfGroup(userId, day, ACCESS_LEVELS.planner),
  ]);
}

/** That a viewer may read what a to-do is about and what caused it. @param kinds those that occur */
export const isReadable = (
  viewer: Viewer,
  kinds: readonly TargetKind[] = ['issue', 'merge_request', 'epic', 'commit'],
): Expression<SqlBool> => onToDos.and([onToDos.or(kinds.map((kind) => READABLE[kind](viewer))), readsNote(viewer)]);
