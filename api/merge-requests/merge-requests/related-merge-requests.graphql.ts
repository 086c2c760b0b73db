import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { listRelatedMergeRequests } from '../../../shared/merge-requests/merge-request-edits/merge-request-issues.operations.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { IssueObject } from '../../planning/issues/issues.graphql.js';
import { MergeRequestConnection, MergeRequestObject } from './merge-requests.graphql.js';

@Resolver(() => IssueObject)
export class RelatedMergeRequestsResolver {
  @FieldResolver(() => MergeRequestConnection, {
    nullable: true,
    complexity: paged,
    description: 'Merge requests that name the issue, as far as the caller may read them.',
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
