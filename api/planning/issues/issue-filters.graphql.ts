import { ArgsType, Field, InputType } from 'type-graphql';
import { PageArgs } from '../../core/graphql/connections.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { readPlainId } from '../../core/graphql/global-ids.js';
import { Time } from '../../core/graphql/scalars.js';
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

@InputType('NegatedIssueFilterInput', { description: 'What issues are left out for.' })
class NegatedIssueFilterInput {
  @Field(() => [String], { nullable: true, description: 'These numbers.' })
  iids?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Having all labels of these titles.' })
  labelName?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Planned for a milestone of this title.' })
  milestoneTitle?: string[] | null;

  @Field(() => NegatedMilestoneWildcardId, { nullable: true, description: 'Planned for such a milestone.' })
  milestoneWildcardId?: string | null;

  @Field(() => String, { nullable: true, description: 'Made by the user of this name.' })
  authorUsername?: string | null;

  @Field(() => [String], { nullable: true, description: 'Worked on by the users of these names.' })
  assigneeUsernames?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Worked on by the user of this id.' })
  assigneeId?: string | null;

  @Field(() => String, { nullable: true, description: 'Given this emoji by the caller.' })
  myReactionEmoji?: string | null;

  @Field(() => [IssueType], { nullable: true, description: 'Of these kinds.' })
  types?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Of this weight.' })
  weight?: string | null;
}

@InputType('UnionedIssueFilterInput', { description: 'Of each list one is enough.' })
class UnionedIssueFilterInput {
  @Field(() => [String], { nullable: true, description: 'Made by one of the users of these names.' })
  authorUsernames?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Worked on by one of the users of these names.' })
  assigneeUsernames?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Having one of the labels of these titles.' })
  labelNames?: string[] | null;
}

/** The filters of issues (graphql.md section 5.4). */
@ArgsType()
export class IssueFilterArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Only this number.' })
  iid?: string | null;

  @Field(() => [String], { nullable: true, description: 'Only these numbers.' })
  iids?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Words that all stand in title or description.' })
  search?: string | null;

  @Field(() => [IssuableSearchableField], { nullable: true, description: 'Where `search` looks: both unless told.' })
  in?: string[] | null;

  @Field(() => IssuableState, { nullable: true, description: 'Only those in this state.' })
  state?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Only confidential ones, or only others.' })
  confidential?: boolean | null;

  @Field(() => [IssueType], { nullable: true, description: 'Only these kinds.' })
  types?: string[] | null;

  @Field(() => [String], { nullable: 'itemsAndList', description: 'Titles of labels that it has all of.' })
  labelName?: (string | null)[] | null;

  @Field(() => [String], { nullable: 'itemsAndList', description: 'Titles of milestones: one of them is its own.' })
  milestoneTitle?: (string | null)[] | null;

  @Field(() => MilestoneWildcardId, { nullable: true, description: 'By whether it is planned, instead of a title.' })
  milestoneWildcardId?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the user who made it.' })
  authorUsername?: string | null;

  @Field(() => [String], { nullable: true, description: 'Names of users who all work on it.' })
  assigneeUsernames?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of a user who works on it.',
    deprecationReason: 'Use `assigneeUsernames`. Deprecated in Service 13.11.',
  })
  assigneeUsername?: string | null;

  @Field(() => String, { nullable: true, description: 'Id of a user who works on it, or `none` or `any`.' })
  assigneeId?: string | null;

  @Field(() => AssigneeWildcardId, { nullable: true, description: 'By whether anybody works on it.' })
  assigneeWildcardId?: string | null;

  @Field(() => Time, { nullable: true, description: 'Made then or later.' })
  createdAfter?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Made then or before.' })
  createdBefore?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Changed then or later.' })
  updatedAfter?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Changed then or before.' })
  updatedBefore?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Closed then or later.' })
  closedAfter?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Closed then or before.' })
  closedBefore?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Due then or later.' })
  dueAfter?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Due then or before.' })
  dueBefore?: Date | null;

  @Field(() => String, { nullable: true, description: 'Emoji that the caller gave it; `none` or `any`.' })
  myReactionEmoji?: string | null;

  @Field(() => SubscriptionStatus, { nullable: true, description: 'By what the caller asked to be told.' })
  subscribed?: string | null;

  @Field(() => String, { nullable: true, description: 'Its weight. Premium.' })
  weight?: string | null;

  @Field(() => WeightWildcardId, { nullable: true, description: 'By whether it has a weight. Premium.' })
  weightWildcardId?: string | null;

  @Field(() => NegatedIssueFilterInput, { nullable: true, description: 'What is left out.' })
  not?: NegatedIssueFilterInput | null;

  @Field(() => UnionedIssueFilterInput, { nullable: true, description: 'Of each list one is enough.' })
  or?: UnionedIssueFilterInput | null;
}

/** Lists of issues: filters, and an order. */
@ArgsType()
export class IssueListArgs extends IssueFilterArgs {
  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Also those of archived projects.' })
  includeArchived?: boolean | null;

  @Field(() => IssueSort, { nullable: true, defaultValue: IssueSort.created_desc, description: 'Their order.' })
  sort?: string | null;
}

@ArgsType()
export class GroupIssueListArgs extends IssueListArgs {
  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Also those of the groups below it.' })
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
const assigneeOf = (id: string | null | undefined): string | number | undefined => {
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
    assignee_id: assigneeOf(not.assigneeId),
    my_reaction_emoji: not.myReactionEmoji,
    weight: not.weight,
  };
}

const withoutNulls = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

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
    assignee_id: args.assigneeWildcardId ?? assigneeOf(args.assigneeId),
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
