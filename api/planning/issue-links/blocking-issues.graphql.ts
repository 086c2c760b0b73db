import { Args, Ctx, Extensions, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { LinkedIssue, LinkType } from '../../../shared/planning/issue-links/issue-link.entity.js';
import { linkedIssuesOf } from '../../../shared/planning/issue-links/issue-link.finder.js';
import { blockingCounts } from '../../../shared/planning/issues/issue.loads.js';
import { connectionOfRecords, PageArgs } from '../../core/graphql/connections.js';
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { IssueConnection, IssueObject } from '../issues/issues.graphql.js';

/** Issues that one is linked with, seen from it. */
export async function linkedTo({ record, request }: IssueObject, type?: LinkType): Promise<LinkedIssue[]> {
  const all = (await request.load(linkedIssuesOf, record)) ?? [];
  return type === undefined ? all : all.filter(({ link }) => link.type === type);
}

async function openBlockers(issue: IssueObject): Promise<LinkedIssue[]> {
  return (await linkedTo(issue, 'is_blocked_by')).filter(({ state }) => state === 'opened');
}

@Resolver(() => IssueObject)
export class BlockingOfIssueResolver {
  @FieldResolver(() => Boolean, { description: 'Whether an open issue blocks it, of those that the caller sees.' })
  async blocked(@Root() issue: IssueObject): Promise<boolean> {
    return (await openBlockers(issue)).length > 0;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Open issues that block it, of those that the caller sees.',
  })
  async blockedByCount(@Root() issue: IssueObject): Promise<number> {
    return (await openBlockers(issue)).length;
  }

  @FieldResolver(() => IssueConnection, { nullable: true, description: 'Open issues that block it.' })
  @Extensions(SHORT)
  async blockedByIssues(
    @Root() issue: IssueObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const blockers = await openBlockers(issue);
    const page = connectionOfRecords(
      request,
      blockers,
      args,
      ({ id }) => id,
      (blocker) => new IssueObject(blocker, request),
    );
    return Object.assign(page, { weight: () => blockers.reduce((sum, { weight }) => sum + (weight ?? 0), 0) });
  }

  @FieldResolver(() => Int, { description: 'Open issues that it blocks.' })
  async blockingCount(@Root() { record, request }: IssueObject): Promise<number> {
    return (await loadedOf(request, blockingCounts, record)) ?? 0;
  }
}
