import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import { anyOf } from '../../core/database/expressions.js';
import { boolean, list, optional, text, withDefault } from '../../core/operations/fields.js';
import { narrow } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectMergeRequestPolicy } from './merge-request.policy.js';
import type { ListedMergeRequest } from './merge-request.entity.js';
import { onMergeRequests } from './visible-merge-requests.js';
import { mergeRequestFilterParams, mergeRequestFilterRules } from './merge-request.filters.js';
import { orderMergeRequests, mergeRequestOrderParams } from './merge-request-order.js';
import { mergeRequestsOfGroup, mergeRequestsOfOne } from './merge-request-sets.js';

/* Merge requests as queried by GraphQL: the filters of the lists, and more (graphql.md section 5.3). */

const BRANCHES = 100;
const branches = () => optional(list(text(), { max: BRANCHES }));

const searchParams = {
  ...mergeRequestFilterParams,
  ...mergeRequestOrderParams,
  source_branches: branches().describe('Filter by source branch, one or several.'),
  target_branches: branches().describe('Filter by target branch, one or several.'),
};
type Input = z.output<z.ZodObject<typeof searchParams>>;

/** The additional filters as conditions on merge requests `i`. */
function moreConditions({ source_branches: from, target_branches: into }: Input): Expression<SqlBool>[] {
  return [
    ...(from ? [onMergeRequests('i.source_branch', '=', anyOf(from, 'text'))] : []),
    ...(into ? [onMergeRequests('i.target_branch', '=', anyOf(into, 'text'))] : []),
  ];
}

const narrowed = (all: List<ListedMergeRequest>, input: Input): List<ListedMergeRequest> =>
  orderMergeRequests(narrow(all, moreConditions(input)), input);

const searched = { authentication: 'open', kind: 'read', statements: 9, rules: mergeRequestFilterRules } as const;

/** Find merge requests of a project. */
export const findMergeRequestsOfProject = operation({
  name: 'findMergeRequestsOfProject',
  summary: 'Find merge requests of a project',
  resource: project,
  can: can(projectMergeRequestPolicy, 'read_merge_request'),
  ...searched,
  params: searchParams,
  run: async (ctx, found, input) => narrowed(await mergeRequestsOfOne(ctx, found, { ...input, scope: 'all' }), input),
});

/** Find merge requests of a group's own projects, and those of its subgroups if requested. */
export const findMergeRequestsOfGroup = operation({
  name: 'findMergeRequestsOfGroup',
  summary: 'Find merge requests of a group',
  resource: group,
  can: can(groupPolicy, 'read_group'),
  ...searched,
  params: {
    ...searchParams,
    include_archived: withDefault(boolean(), false).describe(
      'If `true`, includes merge requests of archived projects.',
    ),
    include_subgroups: withDefault(boolean(), false).describe('If `true`, includes merge requests of subgroups.'),
  },
  async run(ctx, found, input) {
    const filters = { ...input, scope: 'all', non_archived: !input.include_archived } as const;
    return narrowed(await mergeRequestsOfGroup(ctx, found, filters), input);
  },
});
