import { can, instance, operation } from '../../core/operations/operation.js';
import { boolean, withDefault } from '../../core/operations/fields.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectIssuePolicy } from '../issues/issue.policy.js';
import { issueFilterParams, issueFilterRules } from './issue.filters.js';
import { orderIssues, issueOrderParams } from './issue-order.js';
import { acrossParams, issuesOfEverywhere, issuesOfGroup, issuesOfOne, stateParams } from './issue-sets.js';

const listParams = {
  ...issueFilterParams,
  ...stateParams,
  ...issueOrderParams,
  with_labels_details: withDefault(boolean(), false).describe(
    'If `true`, returns labels as records instead of titles.',
  ),
};

const listed = { authentication: 'open', kind: 'read', statements: 10, rules: issueFilterRules } as const;

/** List issues of all projects, by default those created by the caller. Anonymous callers pass `all`. */
export const listIssues = operation({
  name: 'listIssues',
  summary: 'List issues of all projects',
  resource: instance,
  ...listed,
  params: { ...listParams, ...acrossParams('created_by_me') },
  run: async (ctx, _instance, input) => orderIssues(ctx, await issuesOfEverywhere(ctx, input), input),
});

/** List the issues of the projects of a group and its subgroups. */
export const listGroupIssues = operation({
  name: 'listGroupIssues',
  summary: 'List the issues of a group',
  resource: group,
  can: can(groupPolicy, 'read_group'),
  ...listed,
  params: { ...listParams, ...acrossParams('all') },
  run: async (ctx, found, input) => orderIssues(ctx, await issuesOfGroup(ctx, found, input), input),
});

/** List the issues of a project. */
export const listProjectIssues = operation({
  name: 'listProjectIssues',
  summary: 'List the issues of a project',
  resource: project,
  can: can(projectIssuePolicy, 'read_issue'),
  ...listed,
  params: { ...listParams, scope: acrossParams('all').scope },
  run: async (ctx, found, input) => orderIssues(ctx, await issuesOfOne(ctx, found, input), input),
});
