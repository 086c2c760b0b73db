import { Field, ID, InputType, Resolver } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { BadParams, NotFound, NotModified } from '../../../shared/core/values/errors.js';
import { findMergeRequestById } from '../../../shared/merge-requests/merge-requests/merge-request.finder.js';
import type { ToDoRecord } from '../../../shared/notes/to-dos/to-do.entity.js';
import {
  createEpicToDo,
  createIssueToDo,
  createMergeRequestToDo,
  markFoundToDosDone,
  markToDoDone,
  MAX_RESTORED,
  MAX_VISIBLE,
  restoreToDo,
  restoreToDos,
} from '../../../shared/notes/to-dos/to-do.operations.js';
import { findEpicById } from '../../../shared/planning/epics/epic.finder.js';
import { findIssueById } from '../../../shared/planning/issues/issue.finder.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { MutationInput, mutationsOf } from '../../core/graphql/mutations.js';
import { withoutNulls } from '../../core/graphql/params.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { toDoFilters } from './to-do-list.graphql.js';
import { ToDoActionEnum, ToDoID, ToDoObject, ToDoTargetEnum } from './to-dos.graphql.js';

const TodoableID = globalIdScalar('Todoable', 'Issue', 'WorkItem', 'MergeRequest', 'Epic');

@InputType('TodoCreateInput', { description: 'Record to add to the to-do list.' })
class CreateToDoInput extends MutationInput {
  @Field(() => TodoableID, { description: 'Global ID of the issue, merge request or epic.' })
  targetId!: GlobalId;
}

@InputType('TodoMarkDoneInput', { description: 'To-do to mark as done.' })
class MarkToDoDoneInput extends MutationInput {
  @Field(() => ToDoID, { description: 'Global ID of the to-do.' })
  id!: GlobalId;
}

@InputType('TodoRestoreInput', { description: 'To-do to restore.' })
class RestoreToDoInput extends MutationInput {
  @Field(() => ToDoID, { description: 'Global ID of the to-do.' })
  id!: GlobalId;
}

@InputType('TodoRestoreManyInput', { description: 'To-dos to restore.' })
class RestoreToDosInput extends MutationInput {
  @Field(() => [ToDoID], { description: `Global IDs of the to-dos, at most ${MAX_RESTORED}.` })
  ids!: GlobalId[];
}

@InputType('TodosMarkAllDoneInput', {
  description: 'Filters of the to-dos to mark as done: all pending ones by default.',
})
class MarkToDosDoneInput extends MutationInput {
  @Field(() => TodoableID, { nullable: true, description: 'Global ID of an issue, merge request or epic.' })
  targetId?: GlobalId | null;

  @Field(() => [ToDoActionEnum], { nullable: true, description: 'Reasons why the to-dos are on the list.' })
  action?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'IDs of the users who caused the to-dos.' })
  authorId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'IDs of projects of the to-dos.' })
  projectId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'IDs of groups, with everything below the groups.' })
  groupId?: string[] | null;

  @Field(() => [ToDoTargetEnum], { nullable: true, description: 'Types of the targets of the to-dos.' })
  type?: string[] | null;
}

/** What names a target by type and number. @throws NotFound for the type of all targets, which no record has */
function readTarget({ type, id }: GlobalId) {
  if (type === 'Todoable') throw new NotFound();
  return { type: type === 'WorkItem' ? 'Issue' : type, id };
}

/** Runs what may put something on the list that is there already, which is a problem of the record. @throws BadParams */
async function puttingOnList<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof NotModified ? new BadParams(['The same is pending on your to-do list already']) : error;
  }
}

function createToDo({ ctx }: GraphqlRequest, target: GlobalId): Promise<ToDoRecord> {
  const { type, id } = readTarget(target);
  if (type === 'MergeRequest') return invoke(ctx, createMergeRequestToDo, {}, (on) => findMergeRequestById(on, id));
  if (type === 'Epic') return invoke(ctx, createEpicToDo, {}, (on) => findEpicById(on, id));
  return invoke(ctx, createIssueToDo, {}, (on) => findIssueById(on, id));
}

const toDoMutation = mutationsOf({
  description: 'Payload of a mutation of a to-do.',
  fields: { todo: { type: () => ToDoObject, description: 'To-do after the mutation.' } },
  present: (record: ToDoRecord, request) => ({ todo: new ToDoObject(record, request) }),
});

const toDosMutation = mutationsOf({
  description: 'Payload of a mutation of several to-dos.',
  fields: {
    todos: {
      type: () => [ToDoObject],
      description: `To-dos that were changed, the newest first, at most ${MAX_VISIBLE}.`,
      most: MAX_VISIBLE,
    },
  },
  present: (records: readonly ToDoRecord[], request) => ({ todos: records.map((one) => new ToDoObject(one, request)) }),
});

@Resolver()
export class ToDoMutations {
  @toDoMutation(CreateToDoInput, { description: 'Adds a record to the to-do list of the caller.' })
  todoCreate({ targetId }: CreateToDoInput, request: GraphqlRequest): Promise<ToDoRecord> {
    return puttingOnList(() => createToDo(request, targetId));
  }

  @toDoMutation(MarkToDoDoneInput, { description: 'Marks a to-do as done.' })
  todoMarkDone({ id: { id } }: MarkToDoDoneInput, { ctx }: GraphqlRequest): Promise<ToDoRecord> {
    return invoke(ctx, markToDoDone, { id });
  }

  @toDoMutation(RestoreToDoInput, { description: 'Restores a to-do that is done.' })
  todoRestore({ id: { id } }: RestoreToDoInput, { ctx }: GraphqlRequest): Promise<ToDoRecord> {
    return puttingOnList(() => invoke(ctx, restoreToDo, { id }));
  }

  @toDosMutation(RestoreToDosInput, { description: 'Restores several to-dos, unless the same is pending already.' })
  todoRestoreMany({ ids }: RestoreToDosInput, { ctx }: GraphqlRequest): Promise<readonly ToDoRecord[]> {
    if (ids.length > MAX_RESTORED) throw new GraphqlProblem('Too many to-do items requested.');
    return puttingOnList(() => invoke(ctx, restoreToDos, { ids: ids.map(({ id }) => id) }));
  }

  @toDosMutation(MarkToDosDoneInput, { description: 'Marks pending to-dos of the caller as done.' })
  todosMarkAllDone(input: MarkToDosDoneInput, { ctx }: GraphqlRequest): Promise<readonly ToDoRecord[]> {
    const { targetId } = input;
    const target = targetId ? readTarget(targetId) : null;
    const params = { ...toDoFilters(input), ...withoutNulls({ target_type: target?.type, target_id: target?.id }) };
    return invoke(ctx, markFoundToDosDone, params);
  }
}
