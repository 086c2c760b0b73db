import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import {
  findMergeRequestsOfGroup,
  findMergeRequestsOfProject,
} from '../../../shared/merge-requests/merge-requests/merge-request-searches.js';
import { projectMergeRequestPolicy } from '../../../shared/merge-requests/merge-requests/merge-request.policy.js';
import { getMergeRequestById } from '../../../shared/merge-requests/merge-requests/merge-request.operations.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { listRelatedMergeRequests } from '../../../shared/merge-requests/merge-request-edits/merge-request-issues.operations.js';
import { IssueObject } from '../../planning/issues/issues.graphql.js';
import {
  GroupMergeRequestListArgs,
  MergeRequestListArgs,
  mergeRequestListParams,
} from './merge-request-filters.graphql.js';
import { MergeRequestConnection, MergeRequestID, MergeRequestObject } from './merge-requests.graphql.js';

@Resolver()
export class MergeRequestResolver {
  @Query(() => MergeRequestObject, {
    nullable: true,
    complexity: lookup,
    description: 'Merge request with the specified global ID; null for those who may not read it.',
  })
  async mergeRequest(
    @Arg('id', () => MergeRequestID, { description: 'Global ID of the merge request.' }) { id }: GlobalId,
    @Ctx() request: GraphqlRequest,
  ): Promise<MergeRequestObject> {
    return new MergeRequestObject(await invoke(request.ctx, getMergeRequestById, { id }), request);
  }
}

/** Merge requests of a project, as filters name them. */
const mergeRequestsIn = (request: GraphqlRequest, record: ProjectRecord, params: Record<string, unknown>) =>
  invoke(request.ctx, findMergeRequestsOfProject, params, () => Promise.resolve(record));

/** The number that a text names; null for texts that name none. */
const getNumber = (iid: string): number | null => (/^\d{1,10}$/.test(iid) ? Number(iid) : null);

@Resolver(() => ProjectType)
export class MergeRequestsOfProjectResolver {
  @FieldResolver(() => MergeRequestConnection, {
    nullable: true,
    complexity: paged,
    description: 'Merge requests of the project; null for those who may not see them.',
  })
  async mergeRequests(
    @Root() { record }: ProjectType,
    @Args(() => MergeRequestListArgs) args: MergeRequestListArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    if (!projectMergeRequestPolicy.read_merge_request(request.ctx.caller, record)) return null;
    const list = await mergeRequestsIn(request, record, mergeRequestListParams(args));
    return connectionOf(request, list, args, (found) => new MergeRequestObject(found, request));
  }

  @FieldResolver(() => MergeRequestObject, {
    nullable: true,
    complexity: lookup,
    description:
      'Merge request with the specified internal ID; null if there is none, or for those who may not see it.',
  })
  async mergeRequest(
    @Root() { record }: ProjectType,
    @Arg('iid', () => String, { description: 'Internal ID of the merge request.' }) iid: string,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const number = getNumber(iid);
    if (number === null || !projectMergeRequestPolicy.read_merge_request(request.ctx.caller, record)) return null;
    const list = await mergeRequestsIn(request, record, { iids: [number] });
    const [first] = await connectionOf(
      request,
      list,
      { first: 1 },
      (found) => new MergeRequestObject(found, request),
    ).nodes();
    return first ?? null;
  }
}

@Resolver(() => GroupType)
export class MergeRequestsOfGroupResolver {
  @FieldResolver(() => MergeRequestConnection, {
    nullable: true,
    complexity: paged,
    description: 'Merge requests of the projects of the group.',
  })
  async mergeRequests(
    @Root() { record }: GroupType,
    @Args(() => GroupMergeRequestListArgs) args: GroupMergeRequestListArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const params = {
      ...mergeRequestListParams(args),
      include_archived: args.includeArchived ?? false,
      include_subgroups: args.includeSubgroups ?? false,
    };
    const list = await invoke(request.ctx, findMergeRequestsOfGroup, params, () => Promise.resolve(record));
    return connectionOf(request, list, args, (found) => new MergeRequestObject(found, request));
  }
}

@Resolver(() => IssueObject)
export class RelatedMergeRequestsResolver {
  @FieldResolver(() => MergeRequestConnection, {
    nullable: true,
    complexity: paged,
    description: 'Merge requests that mention the issue, as far as the caller may read them.',
  })
  async relatedMergeRequests(
    @Root() issue: IssueObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const list = await invoke(request.ctx, listRelatedMergeRequests, {}, () => issue.full());
    return connectionOf(request, list, args, (record) => new MergeRequestObject(record, request));
  }
}
