import { Arg, Args, Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { instance } from '../../../shared/core/operations/operation.js';
import { getIssueById } from '../../../shared/planning/issues/issue.operations.js';
import { countByState } from '../../../shared/planning/issue-lists/issue-statistics.js';
import {
  findIssuesEverywhere,
  findIssuesOfGroup,
  findIssuesOfProject,
} from '../../../shared/planning/issue-lists/issue-searches.js';
import { projectIssuePolicy } from '../../../shared/planning/issues/issue.policy.js';
import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import { connectionOf } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import {
  filterParams,
  GroupIssueListArgs,
  IssueFilterArgs,
  IssueListArgs,
  listParams,
} from './issue-filters.graphql.js';
import { IssueConnection, IssueID, IssueObject, issuesPage } from './issues.graphql.js';

@ObjectType('IssueStatusCountsType', { description: 'Number of issues by state.', simpleResolvers: true })
class IssueStatusCountsType {
  @Field(() => Int, { nullable: true, description: 'Number of issues in any state.' })
  all!: number;

  @Field(() => Int, { nullable: true, description: 'Number of open issues.' })
  opened!: number;

  @Field(() => Int, { nullable: true, description: 'Number of closed issues.' })
  closed!: number;
}

@Resolver()
export class IssueResolver {
  @Query(() => IssueObject, {
    nullable: true,
    complexity: lookup,
    description: 'Issue with the specified global ID; null for users who may not read the issue.',
  })
  async issue(
    @Arg('id', () => IssueID, { description: 'Global ID of the issue.' }) { id }: GlobalId,
    @Ctx() request: GraphqlRequest,
  ): Promise<IssueObject> {
    return new IssueObject(await invoke(request.ctx, getIssueById, { id }), request);
  }

  @Query(() => IssueConnection, {
    nullable: true,
    complexity: paged,
    description: 'Issues of all projects. At least one filter is required.',
  })
  async issues(@Args(() => IssueListArgs) args: IssueListArgs, @Ctx() request: GraphqlRequest): Promise<unknown> {
    const params = { ...listParams(args), include_archived: args.includeArchived ?? false };
    const list = await invoke(request.ctx, findIssuesEverywhere, params, () => instance.find(request.ctx, {}));
    return issuesPage(request, list, args);
  }
}

/** Filtered issues of a project; none for callers without access to them. */
function issuesIn(request: GraphqlRequest, record: ProjectRecord, params: Record<string, unknown>) {
  return invoke(request.ctx, findIssuesOfProject, params, () => Promise.resolve(record));
}

@Resolver(() => ProjectType)
export class IssuesOfProjectResolver {
  @FieldResolver(() => IssueConnection, {
    nullable: true,
    complexity: paged,
    description: 'Issues of the project; null for users who may not see them.',
  })
  async issues(
    @Root() { record }: ProjectType,
    @Args(() => IssueListArgs) args: IssueListArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    if (!projectIssuePolicy.read_issue(request.ctx.caller, record)) return null;
    const list = await issuesIn(request, record, listParams(args));
    return issuesPage(request, list, args);
  }

  @FieldResolver(() => IssueObject, {
    nullable: true,
    complexity: lookup,
    description: 'First issue that matches the filters.',
  })
  async issue(
    @Root() { record }: ProjectType,
    @Args(() => IssueListArgs) args: IssueListArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    if (!projectIssuePolicy.read_issue(request.ctx.caller, record)) return null;
    const list = await issuesIn(request, record, listParams(args));
    const [first] = await connectionOf(request, list, { first: 1 }, (issue) => new IssueObject(issue, request)).nodes();
    return first ?? null;
  }

  @FieldResolver(() => IssueStatusCountsType, {
    nullable: true,
    complexity: lookup,
    description: 'Number of issues that match the filters, by state.',
  })
  async issueStatusCounts(
    @Root() { record }: ProjectType,
    @Args(() => IssueFilterArgs) args: IssueFilterArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    if (!projectIssuePolicy.read_issue(request.ctx.caller, record)) return null;
    const list = await issuesIn(request, record, { ...filterParams(args), state: 'all' });
    const { opened, closed } = await countByState(request.ctx, list);
    return { all: opened + closed, opened, closed };
  }
}

@Resolver(() => GroupType)
export class IssuesOfGroupResolver {
  @FieldResolver(() => IssueConnection, {
    nullable: true,
    complexity: paged,
    description: 'Issues of the projects of the group.',
  })
  async issues(
    @Root() { record }: GroupType,
    @Args(() => GroupIssueListArgs) args: GroupIssueListArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const params = {
      ...listParams(args),
      include_archived: args.includeArchived ?? false,
      include_subgroups: args.includeSubgroups ?? false,
    };
    const list = await invoke(request.ctx, findIssuesOfGroup, params, () => Promise.resolve(record));
    return issuesPage(request, list, args);
  }
}
