import { expressionBuilder } from 'kysely';
import { anyIn, arrayFrom, constant } from '../../core/database/expressions.js';
import { narrow } from '../../core/database/list.js';
import { operation } from '../../core/operations/operation.js';
import { projectMergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import {
  mergeRequestFilterParams,
  mergeRequestFilterRules,
} from '../../merge-requests/merge-requests/merge-request.filters.js';
import {
  orderMergeRequests,
  mergeRequestOrderParams,
} from '../../merge-requests/merge-requests/merge-request-order.js';
import { mergeRequestsOfOne, scopeParam } from '../../merge-requests/merge-requests/merge-request-sets.js';
import { onMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { deployment } from '../deployments/deployment.finder.js';

/**
 * List the merge requests that a deployment was the first in its environment to deliver, limited to those the caller
 * can read.
 */
export const listDeployedMergeRequests = operation({
  name: 'listDeployedMergeRequests',
  summary: 'List the merge requests of a deployment',
  resource: deployment,
  kind: 'read',
  statements: 16,
  params: { ...mergeRequestFilterParams, ...mergeRequestOrderParams, ...scopeParam('all') },
  rules: mergeRequestFilterRules,
  run: async (ctx, found, input) => {
    const list = orderMergeRequests(await mergeRequestsOfOne(ctx, found.project, input), input);
    const ids = expressionBuilder<DeploymentsDatabase>()
      .selectFrom('deployment_merge_requests as l')
      .select('l.merge_request_id')
      .where('l.deployment_id', '=', found.id);
    const linked = onMergeRequests('i.id', '=', anyIn(arrayFrom(ids)));
    const reads = projectMergeRequestPolicy.read_merge_request(ctx.caller, found.project);
    return narrow(list, [reads ? linked : constant(false)]);
  },
});
