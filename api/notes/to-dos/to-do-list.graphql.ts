import { Args, ArgsType, Ctx, Field, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { findToDos } from '../../../shared/notes/to-dos/to-do.operations.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { readPlainId } from '../../core/graphql/global-ids.js';
import { withoutNulls } from '../../core/graphql/params.js';
import { pageOfRecords } from '../../core/graphql/records.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { UserFields } from '../../tenancy/users/users.graphql.js';
import { ToDoActionEnum, ToDoConnection, ToDoObject, ToDoStateEnum, ToDoTargetEnum } from './to-dos.graphql.js';

/** Filters by what the caller passed of them. */
interface Filters {
  action?: string[] | null;
  authorId?: string[] | null;
  projectId?: string[] | null;
  groupId?: string[] | null;
  type?: string[] | null;
}

const readIds = (type: string, ids: readonly string[] | null | undefined) => ids?.map((id) => readPlainId(id, type));

/** The parameters of operations on to-dos. @throws GraphqlProblem */
export const toDoFilters = ({ action, authorId, projectId, groupId, type }: Filters): Record<string, unknown> =>
  withoutNulls({
    action,
    author_id: readIds('User', authorId),
    project_id: readIds('Project', projectId),
    group_id: readIds('Group', groupId),
    type,
  });

@ArgsType()
class ToDosArgs extends PageArgs implements Filters {
  @Field(() => [ToDoActionEnum], { nullable: true, description: 'Filter by reasons why the to-dos are on the list.' })
  action?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Filter by IDs of the users who caused the to-dos.' })
  authorId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Filter by IDs of projects.' })
  projectId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Filter by IDs of groups, with everything below the groups.' })
  groupId?: string[] | null;

  @Field(() => [ToDoStateEnum], { nullable: true, description: 'Filter by states; defaults to pending.' })
  state?: string[] | null;

  @Field(() => [ToDoTargetEnum], { nullable: true, description: 'Filter by types of the targets.' })
  type?: string[] | null;
}

@Resolver(() => UserFields)
export class ToDosOfUserResolver {
  @FieldResolver(() => ToDoConnection, {
    nullable: true,
    complexity: paged,
    description: 'To-dos of the caller, sorted from newest to oldest; none of other users.',
  })
  async todos(
    @Root() { record }: UserFields,
    @Args(() => ToDosArgs) args: ToDosArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { caller } = request.ctx;
    if (caller.anonymous || caller.id !== record.id) return pageOfRecords(request, [], args, ToDoObject);
    const params = { ...toDoFilters(args), ...withoutNulls({ state: args.state }) };
    return connectionOf(
      request,
      await invoke(request.ctx, findToDos, params),
      args,
      (one) => new ToDoObject(one, request),
    );
  }
}
