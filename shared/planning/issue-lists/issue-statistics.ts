import type { SelectQueryBuilder } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { List } from '../../core/database/list.js';
import { readRows } from '../../core/database/prepared.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { OfIssues } from '../issues/visible-issues.js';
import type { ListedIssue } from '../issues/issue.entity.js';
import { projectIssuePolicy } from '../issues/issue.policy.js';
import { issueFilterParams, issueFilterRules } from './issue.filters.js';
import { acrossParams, issuesOfEverywhere, issuesOfGroup, issuesOfOne } from './issue-sets.js';

type IssueQuery = SelectQueryBuilder<OfIssues, 'i', object>;

interface Counts {
  readonly opened: number;
  readonly closed: number;
}

const countsSerializer = serializer<Counts>('IssueCounts', {
  all: out.integer(({ opened, closed }) => opened + closed),
  closed: out.integer(({ closed }) => closed),
  opened: out.integer(({ opened }) => opened),
});
const statistics = serializer<Counts>('IssueStatisticsCounts', {
  counts: out.record(countsSerializer, (counts) => counts),
});

/** How many issues there are, by state. */
export const issueStatistics = serializer<Counts>('IssueStatistics', {
  statistics: out.record(statistics, (counts) => counts),
});

/** How many issues of a list are in which state. */
export async function countByState(ctx: Context, { matching }: List<ListedIssue>): Promise<Counts> {
  const byState = (matching as IssueQuery)
    .select((eb) => ['i.state', eb.fn.countAll<number>().as('count')])
    .groupBy('i.state');
  const rows = await readRows(ctx.em, byState);
  const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
  return { opened: of('opened'), closed: of('closed') };
}

/** The weights of all issues of a list together; 0 without Premium. */
export async function totalWeight(ctx: Context, { matching }: List<ListedIssue>): Promise<number> {
  if (!ctx.hasPlan('premium')) return 0;
  const total = (matching as IssueQuery).select((eb) => eb.fn.sum<number | null>('i.weight').as('weight'));
  const [row] = await readRows(ctx.em, total);
  return row?.weight ?? 0;
}

const counted = { authentication: 'open', kind: 'read', rules: issueFilterRules } as const;

/** Count issues of all projects, by default those created by the caller. */
export const countIssues = operation({
  name: 'countIssues',
  summary: 'Count issues of all projects',
  resource: instance,
  ...counted,
  params: { ...issueFilterParams, scope: acrossParams('created_by_me').scope },
  run: async (ctx, _instance, input) => countByState(ctx, await issuesOfEverywhere(ctx, input)),
});

/** Count the issues of a group's projects. */
export const countGroupIssues = operation({
  name: 'countGroupIssues',
  summary: 'Count the issues of a group',
  resource: group,
  can: can(groupPolicy, 'read_group'),
  ...counted,
  params: { ...issueFilterParams, scope: acrossParams('all').scope },
  run: async (ctx, found, input) => countByState(ctx, await issuesOfGroup(ctx, found, input)),
});

/** Count the issues of a project. */
export const countProjectIssues = operation({
  name: 'countProjectIssues',
  summary: 'Count the issues of a project',
  resource: project,
  can: can(projectIssuePolicy, 'read_issue'),
  ...counted,
  params: { ...issueFilterParams, scope: acrossParams('all').scope },
  run: async (ctx, found, input) => countByState(ctx, await issuesOfOne(ctx, found, input)),
});
