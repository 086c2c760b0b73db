import { Args, Ctx, Extensions, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { LinkedIssue, LinkType } from '../../../shared/planning/issue-links/issue-link.entity.js';
import { loadLinkedIssues } from '../../../shared/planning/issue-links/issue-link.finder.js';
import { blockingCounts } from '../../../shared/planning/issues/issue.loads.js';
import { PageArgs } from '../../core/graphql/connections.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { pageOfRecords } from '../../core/graphql/records.js';
import { IssueConnection, IssueObject } from '../issues/issues.graphql.js';

/** Issues that one is linked with, seen from it. */
export async function linkedTo({ record, request }: IssueObject, type?: LinkType): Promise<LinkedIssue[]> {
  const all = (await request.load(loadLinkedIssues, record)) ?? [];
  return type === undefined ? all : all.filter(({ link }) => link.type === type);
}

async function openBlockers(issue: IssueObject): Promise<LinkedIssue[]> {
  return (await linkedTo(issue, 'is_blocked_by')).filter(({ state }) => state === 'opened');
}

@Resolver(() => IssueObject)
export class BlockingOfIssueResolver {
  @FieldResolver(() => Boolean, {
    description: 'Indicates the issue is blocked by an open issue that the caller may see.',
  })
  async blocked(@Root() issue: IssueObject): Promise<boolean> {
    return (await openBlockers(issue)).length > 0;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of open issues that block the issue, of those that the caller may see.',
  })
  async blockedByCount(@Root() issue: IssueObject): Promise<number> {
    return (await openBlockers(issue)).length;
  }

  @FieldResolver(() => IssueConnection, { nullable: true, description: 'Open issues that block the issue.' })
  @Extensions(SHORT)
  async blockedByIssues(
    @Root() issue: IssueObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const blockers = await openBlockers(issue);
    const page = pageOfRecords(request, blockers, args, IssueObject);
    return Object.assign(page, { weight: () => blockers.reduce((sum, { weight }) => sum + (weight ?? 0), 0) });
  }

  @FieldResolver(() => Int, { description: 'Number of open issues that the issue blocks.' })
  async blockingCount(@Root() { record, request }: IssueObject): Promise<number> {
    return (await loadField(request, blockingCounts, record)) ?? 0;
  }
}
