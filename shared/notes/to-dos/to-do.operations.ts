import type { Expression, SqlBool } from 'kysely';
import type { SignedInContext } from '../../core/context/context.js';
import { onUniqueViolation } from '../../core/values/database-errors.js';
import { constant } from '../../core/database/expressions.js';
import { NotModified } from '../../core/values/errors.js';
import { integer, oneOf, optional, withDefault } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { mergeRequest } from '../../merge-requests/merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import { epic } from '../../planning/epics/epic.finder.js';
import { epicPolicy } from '../../planning/epics/epic.policy.js';
import { issue } from '../../planning/issues/issue.finder.js';
import { issuePolicy } from '../../planning/issues/issue.policy.js';
import { idsWithin } from '../../tenancy/namespaces/below.js';
import { NO_TARGET } from './insert-to-dos.js';
import type { ToDoTarget } from './insert-to-dos.js';
import { ToDo } from './to-do.entity.js';
import type { ToDoAction, ToDoRecord } from './to-do.entity.js';
import { findToDo, ownToDos } from './to-do.finder.js';
import { onToDos } from './visible-to-dos.js';

onUniqueViolation('todos_pending', () => new NotModified());

/** Adds an item to the caller's to-do list. @throws NotModified if they marked it already */
async function addToDo(ctx: SignedInContext, target: ToDoTarget): Promise<ToDoRecord> {
  const now = ctx.clock.now();
  const { id } = ctx.caller;
  const row = {
    user_id: id,
    author_id: id,
    action: 'marked',
    state: 'pending',
    created_at: now,
    updated_at: now,
  } as const;
  return findToDo(ctx, await ctx.em.insert(ToDo, { ...NO_TARGET, note_id: null, ...target, ...row }));
}

/** Add an issue to the caller's to-do list: callers who can read it (core-resources.md section 6). */
export const createIssueToDo = operation({
  name: 'createIssueToDo',
  summary: 'Create a to-do for an issue',
  resource: issue,
  can: can(issuePolicy, 'subscribe_issue'),
  kind: 'write',
  statements: 22,
  run: (ctx, { id, project_id }) => addToDo(ctx, { project_id, issue_id: id }),
});

/** Add a merge request to the caller's to-do list: callers who can read it. */
export const createMergeRequestToDo = operation({
  name: 'createMergeRequestToDo',
  summary: 'Create a to-do for a merge request',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'subscribe_merge_request'),
  kind: 'write',
  statements: 24,
  run: (ctx, { id, project_id }) => addToDo(ctx, { project_id, merge_request_id: id }),
});

/** Add an epic to the caller's to-do list: callers who can read it. */
export const createEpicToDo = operation({
  name: 'createEpicToDo',
  summary: 'Create a to-do for an epic',
  resource: epic,
  can: can(epicPolicy, 'subscribe_epic'),
  plan: 'premium',
  kind: 'write',
  statements: 22,
  run: (ctx, { id, namespace_id }) => addToDo(ctx, { namespace_id, epic_id: id }),
});

/**
 * Actions of the public API; `approval_required`, `merge_train_removed` and `member_access_requested` put nothing on a
 * list here (decision 77).
 */
const ACTIONS = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
  'review_requested',
  'merge_train_removed',
  'member_access_requested',
] as const;

/** Types of the public API; only the first four can be on a list. */
const TYPES = [
  'Issue',
  'MergeRequest',
  'Commit',
  'Epic',
  'DesignManagement::Design',
  'AlertManagement::Alert',
  'Project',
  'Namespace',
  'Vulnerability',
  'WikiPage::Meta',
] as const;

const OF_TYPE: Readonly<Record<string, Expression<SqlBool>>> = {
  Issue: onToDos('t.issue_id', 'is not', null),
  MergeRequest: onToDos('t.merge_request_id', 'is not', null),
  Commit: onToDos('t.commit_sha', 'is not', null),
  Epic: onToDos('t.epic_id', 'is not', null),
};

/** That a to-do lies in a group, or in anything below it. */
const isWithinGroup = (id: number): Expression<SqlBool> =>
  onToDos.or([onToDos('p.namespace_id', 'in', idsWithin(id)), onToDos('t.namespace_id', 'in', idsWithin(id))]);

/** List the caller's to-dos, by default the pending ones. */
export const listToDos = operation({
  name: 'listToDos',
  summary: "List the caller's to-dos",
  resource: instance,
  kind: 'read',
  statements: 30,
  params: {
    action: optional(oneOf(ACTIONS)).describe('Filter by action that caused the to-do.'),
    author_id: optional(integer()).describe('Filter by ID of the user who caused the to-do.'),
    project_id: optional(integer()).describe('Filter by ID of the project.'),
    group_id: optional(integer()).describe('Filter by ID of the group, including its subgroups and their projects.'),
    state: withDefault(oneOf(['pending', 'done']), 'pending').describe('Filter by state of the to-do.'),
    type: optional(oneOf(TYPES)).describe('Filter by type of the target.'),
  },
  run(ctx, _instance, { action, author_id: author, project_id: project, group_id: group, state, type }) {
    const where: Expression<SqlBool>[] = [onToDos('t.state', '=', state)];
    if (action !== undefined) where.push(onToDos('t.action', '=', action as ToDoAction));
    if (author !== undefined) where.push(onToDos('t.author_id', '=', author));
    if (project !== undefined) where.push(onToDos('t.project_id', '=', project));
    if (group !== undefined) where.push(isWithinGroup(group));
    if (type !== undefined) where.push(OF_TYPE[type] ?? constant(false));
    return Promise.resolve(ownToDos(ctx, where));
  },
});

const toDo: Resource<ToDoRecord> = {
  noun: 'Todo',
  params: { id: integer().describe('ID of the to-do.') },
  find: (ctx, input: { id: number }) => findToDo(ctx, input.id),
};

/** Mark one of the caller's to-dos as done. Idempotent. */
export const markToDoDone = operation({
  name: 'markToDoDone',
  summary: 'Mark a to-do as done',
  resource: toDo,
  authentication: 'signed_in',
  kind: 'write',
  statements: 22,
  async run(ctx, found) {
    await ctx.em.nativeUpdate(ToDo, { id: found.id, state: 'pending' }, { state: 'done', updated_at: ctx.clock.now() });
    return findToDo(ctx, found.id);
  },
});

/** Mark all of one's own to-dos as done. */
export const markToDosDone = operation({
  name: 'markToDosDone',
  summary: 'Mark all to-dos as done',
  resource: instance,
  kind: 'write',
  async run(ctx) {
    await ctx.em.nativeUpdate(
      ToDo,
      { user_id: ctx.caller.id, state: 'pending' },
      { state: 'done', updated_at: ctx.clock.now() },
    );
  },
});
