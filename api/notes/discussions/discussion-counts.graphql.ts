import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { countUserDiscussions } from '../../../shared/notes/discussions/discussion.finder.js';
import { issueNoteable } from '../../../shared/notes/noteables/issue-noteable.js';
import { mergeRequestNoteable } from '../../../shared/notes/noteables/merge-request-noteable.js';
import { lookup } from '../../core/graphql/costs.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { MergeRequestObject } from '../../merge-requests/merge-requests/merge-requests.graphql.js';
import { IssueObject } from '../../planning/issues/issues.graphql.js';

const description = 'Threads in which people said something, of those that the caller may read.';

@Resolver(() => IssueObject)
export class DiscussionCountOfIssueResolver {
  @FieldResolver(() => Int, { complexity: lookup, description })
  async userDiscussionsCount(@Root() issue: IssueObject, @Ctx() { ctx }: GraphqlRequest): Promise<number> {
    return countUserDiscussions(ctx, issueNoteable(await issue.full()));
  }
}

@Resolver(() => MergeRequestObject)
export class DiscussionCountOfMergeRequestResolver {
  @FieldResolver(() => Int, { nullable: true, complexity: lookup, description })
  async userDiscussionsCount(@Root() found: MergeRequestObject, @Ctx() { ctx }: GraphqlRequest): Promise<number> {
    return countUserDiscussions(ctx, mergeRequestNoteable(await found.full()));
  }
}
