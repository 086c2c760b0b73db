import type { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { onUniqueViolation } from '../../core/values/database-errors.js';
import { anyOf } from '../../core/database/expressions.js';
import { readAll, readSlice } from '../../core/database/list.js';
import { NotFound, NotModified } from '../../core/values/errors.js';
import { integer, list, oneOf, optional, withDefault } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { mergeRequest } from '../../merge-requests/merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import { epic } from '../../planning/epics/epic.finder.js';
import { epicPolicy } from '../../planning/epics/epic.policy.js';
import { issue } from '../../planning/issues/issue.finder.js';
import { issuePolicy } from '../../planning/issues/issue.policy.js';
import { NO_TARGET } from './insert-to-dos.js';
import type { ToDoTarget } from './insert-to-dos.js';
import { markDone, restore } from './change-states.js';
import { ToDo } from './to-do.entity.js';
import type { ToDoRecord } from './to-do.entity.js';
import { ACTIONS, getConditions, STATES, TYPES } from './to-do.filters.js';
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
    state: withDefault(oneOf(STATES), 'pending').describe('Filter by state of the to-do.'),
    type: optional(oneOf(TYPES)).describe('Filter by type of the target.'),
  },
  run(ctx, _instance, { action, author_id: author, project_id: project, group_id: group, state, type }) {
    const one = <T>(value: T | undefined): readonly T[] | undefined => (value === undefined ? undefined : [value]);
    const where = getConditions({
      action: one(action),
      author_id: one(author),
      project_id: one(project),
      group_id: one(group),
      state: [state],
      type: one(type),
    });
    return Promise.resolve(ownToDos(ctx, where));
  },
});

const several = <S extends z.ZodType>(item: S) => optional(list(item, { max: 100 }));

const filterParams = {
  action: several(oneOf(ACTIONS)).describe('Filter by actions that caused the to-dos.'),
  author_id: several(integer()).describe('Filter by IDs of the users who caused the to-dos.'),
  project_id: several(integer()).describe('Filter by IDs of projects.'),
  group_id: several(integer()).describe('Filter by IDs of groups, including their subgroups and their projects.'),
  type: several(oneOf(TYPES)).describe('Filter by types of the targets.'),
};

/** Find the caller's to-dos, with the arguments of the GraphQL query: any of the values of each filter. */
export const findToDos = operation({
  name: 'findToDos',
  summary: "Find the caller's to-dos",
  resource: instance,
  kind: 'read',
  params: {
    ...filterParams,
    state: several(oneOf(STATES)).describe('Filter by states of the to-dos.'),
  },
  run: (ctx, _instance, { state, ...filters }) =>
    Promise.resolve(ownToDos(ctx, getConditions({ ...filters, state: state ?? ['pending'] }))),
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
  run: (ctx) => markDone(ctx, []),
});

/** How many of the to-dos that it marked as done a mutation shows. */
export const MAX_VISIBLE = 100;

/** Mark those of one's own to-dos as done that match filters. Answers the newest of those that the caller can read. */
export const markFoundToDosDone = operation({
  name: 'markFoundToDosDone',
  summary: 'Mark to-dos as done that match filters',
  resource: instance,
  kind: 'write',
  statements: 22,
  params: {
    ...filterParams,
    target_type: optional(oneOf(['Issue', 'MergeRequest', 'Epic'])).describe('Type of the target, with its ID.'),
    target_id: optional(integer()).describe('ID of the target of the to-dos.'),
  },
  async run(ctx, _instance, { target_type: type, target_id: id, ...filters }): Promise<ToDoRecord[]> {
    const target = type !== undefined && id !== undefined ? { type, id } : undefined;
    const where = getConditions({ ...filters, state: ['pending'], target });
    const visible = await readSlice(ctx, ownToDos(ctx, where), 0, MAX_VISIBLE);
    await markDone(ctx, where);
    return visible.map((one) => ({ ...one, state: 'done' }));
  },
});

/** Put one of the caller's to-dos that is done back on their list. @throws NotModified if the same is pending */
export const restoreToDo = operation({
  name: 'restoreToDo',
  summary: 'Restore a to-do',
  resource: toDo,
  authentication: 'signed_in',
  kind: 'write',
  statements: 22,
  async run(ctx, found) {
    if (found.state === 'done' && (await restore(ctx, [found.id])).size === 0) throw new NotModified();
    return findToDo(ctx, found.id);
  },
});

/** How many to-dos may be restored at once. */
export const MAX_RESTORED = 50;

/** Put several of the caller's to-dos back on their list: those of which the same is not pending. @throws NotFound */
export const restoreToDos = operation({
  name: 'restoreToDos',
  summary: 'Restore several to-dos',
  resource: instance,
  kind: 'write',
  statements: 22,
  params: { ids: list(integer(), { max: MAX_RESTORED }).describe('IDs of the to-dos.') },
  async run(ctx, _instance, { ids }): Promise<ToDoRecord[]> {
    const ownOnes = ownToDos(ctx, [onToDos('t.id', '=', anyOf(ids, 'bigint'))]);
    const found = await readAll(ctx, ownOnes);
    if (found.length < new Set(ids).size) throw new NotFound();
    const restored = await restore(ctx, ids);
    return found.filter(({ id }) => restored.has(id)).map((one) => ({ ...one, state: 'pending' }));
  },
});
