import { ArgsType, Field, InputType } from 'type-graphql';
import { PageArgs } from '../../core/graphql/connections.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { readPlainId } from '../../core/graphql/global-ids.js';
import { Time } from '../../core/graphql/scalars.js';
import { withoutNulls } from '../../core/graphql/params.js';
import {
  AssigneeWildcardId,
  IssuableSearchableField,
  IssuableState,
  IssueSort,
  IssueType,
  MilestoneWildcardId,
  NegatedMilestoneWildcardId,
  SubscriptionStatus,
  WeightWildcardId,
} from './issue-enums.graphql.js';

@InputType('NegatedIssueFilterInput', { description: 'Negated filters of issues.' })
class NegatedIssueFilterInput {
  @Field(() => [String], { nullable: true, description: 'Internal IDs of the excluded issues.' })
  iids?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Titles of labels that the excluded issues all have.' })
  labelName?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Title of the milestone of the excluded issues.' })
  milestoneTitle?: string[] | null;

  @Field(() => NegatedMilestoneWildcardId, {
    nullable: true,
    description: 'Milestone wildcard that the excluded issues match.',
  })
  milestoneWildcardId?: string | null;

  @Field(() => String, { nullable: true, description: 'Username of the author of the excluded issues.' })
  authorUsername?: string | null;

  @Field(() => [String], { nullable: true, description: 'Usernames of users assigned to the excluded issues.' })
  assigneeUsernames?: string[] | null;

  @Field(() => String, { nullable: true, description: 'ID of a user assigned to the excluded issues.' })
  assigneeId?: string | null;

  @Field(() => String, { nullable: true, description: 'Emoji that the caller reacted with to the excluded issues.' })
  myReactionEmoji?: string | null;

  @Field(() => [IssueType], { nullable: true, description: 'Types of the excluded issues.' })
  types?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Weight of the excluded issues.' })
  weight?: string | null;
}

@InputType('UnionedIssueFilterInput', { description: 'Filters of issues of which one value of each list must match.' })
class UnionedIssueFilterInput {
  @Field(() => [String], { nullable: true, description: 'Usernames of users, one of whom is the author of the issue.' })
  authorUsernames?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Usernames of users, one of whom is assigned to the issue.' })
  assigneeUsernames?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Titles of labels, one of which the issue has.' })
  labelNames?: string[] | null;
}

/** The filters of issues (graphql.md section 5.4). */
@ArgsType()
export class IssueFilterArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Internal ID of the issue.' })
  iid?: string | null;

  @Field(() => [String], { nullable: true, description: 'List of internal IDs of issues.' })
  iids?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Search query. All of its words must be in the title or description.',
  })
  search?: string | null;

  @Field(() => [IssuableSearchableField], {
    nullable: true,
    description: 'Fields in which to search for `search`. Defaults to both the title and the description.',
  })
  in?: string[] | null;

  @Field(() => IssuableState, { nullable: true, description: 'Filter by state.' })
  state?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'If `true`, returns only confidential issues. If `false`, returns only issues that are not confidential.',
  })
  confidential?: boolean | null;

  @Field(() => [IssueType], { nullable: true, description: 'Filter by types of issues.' })
  types?: string[] | null;

  @Field(() => [String], { nullable: 'itemsAndList', description: 'Titles of labels that the issues all have.' })
  labelName?: (string | null)[] | null;

  @Field(() => [String], {
    nullable: 'itemsAndList',
    description: 'Titles of milestones, one of which is assigned to the issue.',
  })
  milestoneTitle?: (string | null)[] | null;

  @Field(() => MilestoneWildcardId, {
    nullable: true,
    description: 'Filter by milestone wildcard, instead of a title.',
  })
  milestoneWildcardId?: string | null;

  @Field(() => String, { nullable: true, description: 'Username of the author of the issues.' })
  authorUsername?: string | null;

  @Field(() => [String], { nullable: true, description: 'Usernames of users who are all assigned to the issues.' })
  assigneeUsernames?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Username of a user assigned to the issues.',
    deprecationReason: 'Use `assigneeUsernames`. Deprecated in Service 13.11.',
  })
  assigneeUsername?: string | null;

  @Field(() => String, { nullable: true, description: 'ID of a user assigned to the issues, or `none` or `any`.' })
  assigneeId?: string | null;

  @Field(() => AssigneeWildcardId, { nullable: true, description: 'Filter by the presence of an assignee.' })
  assigneeWildcardId?: string | null;

  @Field(() => Time, { nullable: true, description: 'Issues created at or after this time.' })
  createdAfter?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Issues created at or before this time.' })
  createdBefore?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Issues updated at or after this time.' })
  updatedAfter?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Issues updated at or before this time.' })
  updatedBefore?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Issues closed at or after this time.' })
  closedAfter?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Issues closed at or before this time.' })
  closedBefore?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Issues due at or after this time.' })
  dueAfter?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Issues due at or before this time.' })
  dueBefore?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Emoji that the caller reacted with to the issues; `none` or `any`.',
  })
  myReactionEmoji?: string | null;

  @Field(() => SubscriptionStatus, { nullable: true, description: 'Filter by subscription of the caller.' })
  subscribed?: string | null;

  @Field(() => String, { nullable: true, description: 'Weight of the issues. Premium.' })
  weight?: string | null;

  @Field(() => WeightWildcardId, { nullable: true, description: 'Filter by the presence of a weight. Premium.' })
  weightWildcardId?: string | null;

  @Field(() => NegatedIssueFilterInput, {
    nullable: true,
    description: 'Negated filters: issues that match are excluded.',
  })
  not?: NegatedIssueFilterInput | null;

  @Field(() => UnionedIssueFilterInput, {
    nullable: true,
    description: 'Filters of which one value of each list must match.',
  })
  or?: UnionedIssueFilterInput | null;
}

/** Lists of issues: filters, and an order. */
@ArgsType()
export class IssueListArgs extends IssueFilterArgs {
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'If `true`, also includes issues of archived projects.',
  })
  includeArchived?: boolean | null;

  @Field(() => IssueSort, {
    nullable: true,
    defaultValue: IssueSort.created_desc,
    description: 'Sort order of the issues.',
  })
  sort?: string | null;
}

@ArgsType()
export class GroupIssueListArgs extends IssueListArgs {
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'If `true`, also includes issues of the subgroups of the group.',
  })
  includeSubgroups?: boolean | null;
}

/** Which arguments exclude each other. */
const EXCLUSIVE: readonly (readonly (keyof IssueFilterArgs)[])[] = [
  ['assigneeUsernames', 'assigneeUsername', 'assigneeId', 'assigneeWildcardId'],
  ['milestoneTitle', 'milestoneWildcardId'],
  ['weight', 'weightWildcardId'],
];

/** @throws GraphqlProblem (graphql.md section 4) */
function requireOneOfEach(args: IssueFilterArgs): void {
  for (const names of EXCLUSIVE) {
    const presentNames = names.filter((name) => args[name] !== undefined && args[name] !== null);
    if (presentNames.length > 1)
      throw new GraphqlProblem(`Only one of [${names.join(', ')}] arguments is allowed at the same time.`);
  }
}

const present = <T>(list: readonly (T | null)[] | null | undefined): T[] | undefined =>
  list?.filter((one): one is T => one !== null);

/** A user's id as a number or global id, or a word. */
const getAssignee = (id: string | null | undefined): string | number | undefined => {
  if (id === null || id === undefined) return undefined;
  return /^(none|any)$/i.test(id) ? id : readPlainId(id, 'User');
};

function notOf(not: NegatedIssueFilterInput | null | undefined) {
  if (!not) return undefined;
  return {
    iids: not.iids,
    labels: not.labelName,
    milestone: not.milestoneTitle?.[0],
    milestone_id: not.milestoneWildcardId,
    author_username: not.authorUsername,
    assignee_username: not.assigneeUsernames,
    assignee_id: getAssignee(not.assigneeId),
    my_reaction_emoji: not.myReactionEmoji,
    weight: not.weight,
  };
}

/** The filters by the names of the operations' parameters. @throws GraphqlProblem */
export function filterParams(args: IssueFilterArgs): Record<string, unknown> {
  requireOneOfEach(args);
  const not = notOf(args.not);
  return withoutNulls({
    iids: args.iid ? [args.iid, ...(args.iids ?? [])] : args.iids,
    search: args.search,
    in: args.in,
    state: args.state === 'locked' ? 'all' : args.state,
    confidential: args.confidential,
    issue_types: args.types,
    labels: present(args.labelName),
    milestones: present(args.milestoneTitle),
    milestone_id: args.milestoneWildcardId,
    author_username: args.authorUsername,
    assignee_username: args.assigneeUsernames ?? (args.assigneeUsername ? [args.assigneeUsername] : undefined),
    assignee_id: args.assigneeWildcardId ?? getAssignee(args.assigneeId),
    created_after: args.createdAfter,
    created_before: args.createdBefore,
    updated_after: args.updatedAfter,
    updated_before: args.updatedBefore,
    closed_after: args.closedAfter,
    closed_before: args.closedBefore,
    due_after: args.dueAfter,
    due_before: args.dueBefore,
    my_reaction_emoji: args.myReactionEmoji,
    subscribed: args.subscribed,
    weight: args.weightWildcardId ?? args.weight,
    not: not && withoutNulls(not),
    not_issue_types: args.not?.types,
    one_of_authors: args.or?.authorUsernames,
    one_of_assignees: args.or?.assigneeUsernames,
    one_of_labels: args.or?.labelNames,
  });
}

/** The same with the order. */
export function listParams(args: IssueListArgs): Record<string, unknown> {
  const [, order_by, sort] = /^(\w+)_(asc|desc)$/.exec(args.sort ?? 'created_at_desc') ?? [];
  return { ...filterParams(args), order_by, sort };
}
