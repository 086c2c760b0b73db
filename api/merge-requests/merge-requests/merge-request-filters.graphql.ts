import { ArgsType, Field } from 'type-graphql';
import { PageArgs } from '../../core/graphql/connections.js';
import { withoutNulls } from '../../core/graphql/params.js';
import { MergeRequestSort, MergeRequestState } from './merge-request-enums.graphql.js';

/** Lists of merge requests: filters, and an order (graphql.md section 5.3). */
@ArgsType()
export class MergeRequestListArgs extends PageArgs {
  @Field(() => [String], { nullable: true, description: 'Filter by internal IDs of the merge requests.' })
  iids?: string[] | null;

  @Field(() => MergeRequestState, { nullable: true, description: 'Filter by state of the merge requests.' })
  state?: string | null;

  @Field(() => [String], { nullable: true, description: 'Filter by source branches of the merge requests.' })
  sourceBranches?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Filter by target branches of the merge requests.' })
  targetBranches?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Filter by titles of labels; merge requests must have all of them.',
  })
  labels?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Filter by username of the author.' })
  authorUsername?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by username of an assignee.' })
  assigneeUsername?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by username of a reviewer.' })
  reviewerUsername?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, returns only drafts; if `false`, only merge requests that are not drafts.',
  })
  draft?: boolean | null;

  @Field(() => MergeRequestSort, {
    nullable: true,
    defaultValue: MergeRequestSort.created_desc,
    description: 'Sort order of the merge requests.',
  })
  sort?: string | null;
}

@ArgsType()
export class GroupMergeRequestListArgs extends MergeRequestListArgs {
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'If `true`, includes merge requests of subgroups.',
  })
  includeSubgroups?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'If `true`, includes merge requests of archived projects.',
  })
  includeArchived?: boolean | null;
}

/** Filters and order by the names of the operations' parameters. */
export function mergeRequestListParams(args: MergeRequestListArgs): Record<string, unknown> {
  const [, order_by, sort] = /^(\w+)_(asc|desc)$/.exec(args.sort ?? 'created_at_desc') ?? [];
  return withoutNulls({
    iids: args.iids,
    state: args.state,
    source_branches: args.sourceBranches,
    target_branches: args.targetBranches,
    labels: args.labels,
    author_username: args.authorUsername,
    assignee_username: typeof args.assigneeUsername === 'string' ? [args.assigneeUsername] : undefined,
    reviewer_username: args.reviewerUsername,
    draft: args.draft,
    order_by,
    sort,
  });
}
