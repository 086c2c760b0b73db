import { boolean, oneOf, optional, withDefault } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectMergeRequestPolicy } from './merge-request.policy.js';
import { mergeRequestFilterParams, mergeRequestFilterRules } from './merge-request.filters.js';
import { orderMergeRequests, mergeRequestOrderParams } from './merge-request-order.js';
import {
  archivedParam,
  mergeRequestsOfEverywhere,
  mergeRequestsOfGroup,
  mergeRequestsOfOne,
  scopeParam,
} from './merge-request-sets.js';

const listParams = {
  ...mergeRequestFilterParams,
  ...mergeRequestOrderParams,
  with_labels_details: withDefault(boolean(), false).describe(
    'If `true`, returns labels as records instead of titles.',
  ),
  view: optional(oneOf(['simple'])).describe('If `simple`, returns only the fields that identify each merge request.'),
};

const listed = { authentication: 'open', kind: 'read', statements: 14, rules: mergeRequestFilterRules } as const;

/** List merge requests of all projects, by default those created by the caller. Anonymous callers pass `all`. */
export const listMergeRequests = operation({
  name: 'listMergeRequests',
  summary: 'List merge requests of all projects',
  resource: instance,
  ...listed,
  params: { ...listParams, ...scopeParam('created_by_me'), ...archivedParam },
  run: async (ctx, _instance, input) => orderMergeRequests(await mergeRequestsOfEverywhere(ctx, input), input),
});

/** List the merge requests of the projects of a group and its subgroups. */
export const listGroupMergeRequests = operation({
  name: 'listGroupMergeRequests',
  summary: 'List the merge requests of a group',
  resource: group,
  can: can(groupPolicy, 'read_group'),
  ...listed,
  params: { ...listParams, ...scopeParam('all'), ...archivedParam },
  run: async (ctx, found, input) => orderMergeRequests(await mergeRequestsOfGroup(ctx, found, input), input),
});

/** List the merge requests of a project. */
export const listProjectMergeRequests = operation({
  name: 'listProjectMergeRequests',
  summary: 'List the merge requests of a project',
  resource: project,
  can: can(projectMergeRequestPolicy, 'read_merge_request'),
  ...listed,
  params: { ...listParams, ...scopeParam('all') },
  run: async (ctx, found, input) => orderMergeRequests(await mergeRequestsOfOne(ctx, found, input), input),
});
