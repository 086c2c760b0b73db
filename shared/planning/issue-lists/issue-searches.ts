import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { allOf, anyOf, constant } from '../../core/database/expressions.js';
import { BadParams } from '../../core/values/errors.js';
import { boolean, instant, list, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { narrow } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { hasAssignee, hasMilestone, userIdOfName } from '../issuables/issuable-filters.js';
import { issueType } from '../issuables/issuable-type.js';
import { ISSUE_TYPES } from '../issuables/issue-values.js';
import { projectIssuePolicy } from '../issues/issue.policy.js';
import { onIssues } from '../issues/visible-issues.js';
import type { ListedIssue } from '../issues/issue.entity.js';
import { issueFilterParams, issueFilterRules } from './issue.filters.js';
import { orderIssues, searchOrderParams } from './issue-order.js';
import { issuesOfEverywhere, issuesOfGroup, issuesOfOne, stateParams } from './issue-sets.js';

/* Issues as queried by GraphQL: the filters of the lists, and more (graphql.md section 5.4). */

const NAMES = 100;
const names = (what: string) => optional(list(text(), { max: NAMES })).describe(what);
const SUBSCRIBED = ['explicitly_subscribed', 'explicitly_unsubscribed'] as const;

const moreParams = {
  issue_types: optional(list(oneOf([...ISSUE_TYPES, 'ticket']), { max: NAMES })).describe(
    'Types of the issues to return.',
  ),
  not_issue_types: optional(list(oneOf([...ISSUE_TYPES, 'ticket']), { max: NAMES })).describe(
    'Types of the issues to exclude.',
  ),
  milestones: names('Titles of milestones: one of them is its own.'),
  closed_after: optional(instant()).describe('Returns issues closed at or after this time.'),
  closed_before: optional(instant()).describe('Returns issues closed at or before this time.'),
  due_after: optional(instant()).describe('Returns issues due on or after this date.'),
  due_before: optional(instant()).describe('Returns issues due on or before this date.'),
  subscribed: optional(oneOf(SUBSCRIBED)).describe('Filter by the explicit subscription of the caller to the issue.'),
  one_of_authors: names('Made by one of the users of these names.'),
  one_of_assignees: names('Worked on by one of the users of these names.'),
  one_of_labels: names('Having one of the labels of these titles.'),
};

type More = z.output<z.ZodObject<typeof moreParams>>;

const asDay = (at: Date): string => at.toISOString().slice(0, 10);

function subscription(ctx: Context, state: (typeof SUBSCRIBED)[number]): Expression<SqlBool> {
  if (ctx.caller.anonymous) return constant(false);
  const chosen = onIssues
    .selectFrom('issue_subscriptions as s')
    .select(onIssues.lit(1).as('one'))
    .whereRef('s.issue_id', '=', 'i.id')
    .where('s.user_id', '=', ctx.caller.id)
    .where('s.subscribed', '=', state === 'explicitly_subscribed');
  return onIssues.exists(chosen);
}

/** That it has a label of one of these titles. */
const hasOneOf = (titles: readonly string[]): Expression<SqlBool> =>
  onIssues.exists(
    onIssues
      .selectFrom('issue_labels as x')
      .innerJoin('labels as l', 'l.id', 'x.label_id')
      .select(onIssues.lit(1).as('one'))
      .whereRef('x.issue_id', '=', 'i.id')
      .where('l.title', '=', anyOf(titles, 'text')),
  );

/** The additional filters as conditions on issues `i`. */
function moreConditions(ctx: Context, filters: More): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (filters.issue_types) where.push(onIssues('i.issue_type', '=', anyOf(filters.issue_types, 'text')));
  if (filters.not_issue_types) where.push(onIssues('i.issue_type', '<>', allOf(filters.not_issue_types, 'text')));
  if (filters.milestones && filters.milestones.length > 0)
    where.push(onIssues.or(filters.milestones.map(hasMilestone)));
  if (filters.closed_after) where.push(onIssues('i.closed_at', '>=', filters.closed_after));
  if (filters.closed_before) where.push(onIssues('i.closed_at', '<=', filters.closed_before));
  if (filters.due_after) where.push(onIssues('i.due_date', '>=', asDay(filters.due_after)));
  if (filters.due_before) where.push(onIssues('i.due_date', '<=', asDay(filters.due_before)));
  if (filters.subscribed) where.push(subscription(ctx, filters.subscribed));
  if (filters.one_of_authors)
    where.push(onIssues.or(filters.one_of_authors.map((name) => onIssues('i.author_id', '=', userIdOfName(name)))));
  if (filters.one_of_assignees)
    where.push(onIssues.or(filters.one_of_assignees.map((name) => hasAssignee(issueType, userIdOfName(name)))));
  if (filters.one_of_labels) where.push(hasOneOf(filters.one_of_labels));
  return where;
}

const searchParams = { ...issueFilterParams, ...stateParams, ...moreParams, ...searchOrderParams };
const archivedParam = {
  include_archived: withDefault(boolean(), false).describe('If `true`, includes issues of archived projects.'),
};
type Input = z.output<z.ZodObject<typeof searchParams>>;

const searched = { authentication: 'open', kind: 'read', statements: 9, rules: issueFilterRules } as const;

const narrowed = (ctx: Context, all: List<ListedIssue>, input: Input): List<ListedIssue> =>
  orderIssues(ctx, narrow(all, moreConditions(ctx, input)), input);

/** Find issues of a project. */
export const findIssuesOfProject = operation({
  name: 'findIssuesOfProject',
  summary: 'Find issues of a project',
  resource: project,
  can: can(projectIssuePolicy, 'read_issue'),
  ...searched,
  params: searchParams,
  run: async (ctx, found, input) => narrowed(ctx, await issuesOfOne(ctx, found, { ...input, scope: 'all' }), input),
});

/** Find issues of a group's own projects, and those of its subgroups if requested. */
export const findIssuesOfGroup = operation({
  name: 'findIssuesOfGroup',
  summary: 'Find issues of a group',
  resource: group,
  can: can(groupPolicy, 'read_group'),
  ...searched,
  params: {
    ...searchParams,
    ...archivedParam,
    include_subgroups: withDefault(boolean(), false).describe('If `true`, includes issues of descendant groups.'),
  },
  async run(ctx, found, input) {
    const all = await issuesOfGroup(ctx, found, { ...input, scope: 'all', non_archived: !input.include_archived });
    return narrowed(ctx, all, input);
  },
});

/** What of the parameters is no filter. */
const NO_FILTERS: readonly string[] = ['order_by', 'sort', 'include_archived', 'in'];

/** Find issues of all projects, by at least one filter. @throws BadParams */
export const findIssuesEverywhere = operation({
  name: 'findIssuesEverywhere',
  summary: 'Find issues of all projects',
  resource: instance,
  ...searched,
  params: { ...searchParams, ...archivedParam },
  async run(ctx, _instance, input) {
    const filters = Object.entries(input).filter(([name, value]) => value !== undefined && !NO_FILTERS.includes(name));
    if (filters.length === 0) throw new BadParams(['You must provide at least one filter argument for this query']);
    const all = await issuesOfEverywhere(ctx, { ...input, scope: 'all', non_archived: !input.include_archived });
    return narrowed(ctx, all, input);
  },
});
