import { ArgsType, Field } from 'type-graphql';
import { PageArgs } from '../../core/graphql/connections.js';
import { MergeRequestSort, MergeRequestState } from './merge-request-enums.graphql.js';

/** Lists of merge requests: filters, and an order (graphql.md section 5.3). */
@ArgsType()
export class MergeRequestListArgs extends PageArgs {
  @Field(() => [String], { nullable: true, description: 'Only these numbers.' })
  iids?: string[] | null;

  @Field(() => MergeRequestState, { nullable: true, description: 'Only those in this state.' })
  state?: string | null;

  @Field(() => [String], { nullable: true, description: 'From one of these branches.' })
  sourceBranches?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Into one of these branches.' })
  targetBranches?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Titles of labels that it has all of.' })
  labels?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Name of the user who made it.' })
  authorUsername?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of a user who works on it.' })
  assigneeUsername?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of a user who is to review it.' })
  reviewerUsername?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Only drafts, or only others.' })
  draft?: boolean | null;

  @Field(() => MergeRequestSort, {
    nullable: true,
    defaultValue: MergeRequestSort.created_desc,
    description: 'Their order.',
  })
  sort?: string | null;
}

@ArgsType()
export class GroupMergeRequestListArgs extends MergeRequestListArgs {
  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Also those of the groups below it.' })
  includeSubgroups?: boolean | null;

  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Also those of archived projects.' })
  includeArchived?: boolean | null;
}

/** Filters and order by the names of the operations' parameters. */
export function mergeRequestListParams(args: MergeRequestListArgs): Record<string, unknown> {
  const [, order_by, sort] = /^(\w+)_(asc|desc)$/.exec(args.sort ?? 'created_at_desc') ?? [];
  const params = {
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
  };
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== undefined));
}
