import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { List } from '../../../shared/core/database/list.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { listEpicIssues } from '../../../shared/planning/issues/epic-issue.operations.js';
import { listEpics } from '../../../shared/planning/issue-lists/epic-lists.operations.js';
import { epicsOfIssues } from '../../../shared/planning/epics/epics-of-issues.js';
import type { ListedIssue } from '../../../shared/planning/issues/issue.entity.js';
import { getEpicById } from '../../../shared/planning/epics/epic.operations.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { IssueConnection, IssueObject, issuesPage } from '../issues/issues.graphql.js';
import { EpicArgs, EpicListArgs } from './epic-filters.graphql.js';
import { EpicConnection, EpicID, EpicObject } from './epics.graphql.js';

const numbers = (iids: readonly string[] | null | undefined) => iids?.map((iid) => (/^\d{1,9}$/.test(iid) ? iid : '0'));

function getParams(args: EpicListArgs) {
  const [order_by, sort] = (args.sort ?? 'created_at desc').split(' ');
  return {
    iids: numbers(args.iids),
    state: args.state,
    search: args.search,
    labels: args.labelName ?? undefined,
    author_username: args.authorUsername,
    confidential: args.confidential,
    include_descendant_groups: args.includeDescendantGroups,
    include_ancestor_groups: args.includeAncestorGroups,
    order_by,
    sort,
  };
}

@Resolver()
export class EpicResolver {
  @Query(() => EpicObject, {
    nullable: true,
    complexity: lookup,
    description: 'Epic with the specified global ID; null for those who may not read it.',
  })
  async epic(
    @Arg('id', () => EpicID, { description: 'Global ID of the epic.' }) { id }: GlobalId,
    @Ctx() request: GraphqlRequest,
  ): Promise<EpicObject> {
    return new EpicObject(await invoke(request.ctx, getEpicById, { id }), request);
  }
}

@Resolver(() => GroupType)
export class EpicsOfGroupResolver {
  @FieldResolver(() => EpicConnection, {
    nullable: true,
    complexity: paged,
    description: 'Epics of the group and of its descendant groups. Premium.',
  })
  async epics(
    @Root() { record }: GroupType,
    @Args(() => EpicListArgs) args: EpicListArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const list = await invoke(request.ctx, listEpics, getParams(args), () => Promise.resolve(record));
    return connectionOf(request, list, args, (epic) => new EpicObject(epic, request));
  }

  @FieldResolver(() => EpicObject, {
    nullable: true,
    complexity: lookup,
    description: 'Epic of the group with the specified internal ID. Premium.',
  })
  async epic(
    @Root() { record }: GroupType,
    @Args(() => EpicArgs) { iid, iids }: EpicArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const requestedIids = numbers([...(iid ? [iid] : []), ...(iids ?? [])]) ?? [];
    if (requestedIids.length === 0) return null;
    const params = { iids: requestedIids, include_descendant_groups: false };
    const list = await invoke(request.ctx, listEpics, params, () => Promise.resolve(record));
    const [first] = await connectionOf(request, list, { first: 1 }, (epic) => new EpicObject(epic, request)).nodes();
    return first ?? null;
  }
}

@Resolver(() => EpicObject)
export class IssuesOfEpicResolver {
  @FieldResolver(() => IssueConnection, {
    nullable: true,
    complexity: paged,
    description: 'Issues of the epic, in their order.',
  })
  async issues(
    @Root() epic: EpicObject,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const list = await invoke(request.ctx, listEpicIssues, {}, () => epic.full());
    return issuesPage(request, list as unknown as List<ListedIssue>, args);
  }
}

@Resolver(() => IssueObject)
export class EpicOfIssueResolver {
  @FieldResolver(() => EpicObject, {
    nullable: true,
    complexity: lookup,
    description: 'Epic that the issue belongs to. Premium.',
  })
  async epic(@Root() { record }: IssueObject, @Ctx() request: GraphqlRequest): Promise<EpicObject | null> {
    return EpicObject.of(await loadField(request, epicsOfIssues, record), request);
  }
}
