import { constant } from '../../core/database/expressions.js';
import { narrow } from '../../core/list.js';
import { operation } from '../../core/operation.js';
import { sql } from '../../core/sql.js';
import { projectMergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import {
  mergeRequestFilterParams,
  mergeRequestFilterRules,
} from '../../merge-requests/merge-request-lists/merge-request.filters.js';
import { asAskedFor, mergeRequestOrderParams } from '../../merge-requests/merge-request-lists/merge-request-order.js';
import { mergeRequestsOfOne, scopeParam } from '../../merge-requests/merge-request-lists/merge-request-sets.js';
import { deployment } from '../deployments/deployment.finder.js';

/** List the merge requests that a deployment was the first of its environment to bring, as far as the caller reads them. */
export const listDeployedMergeRequests = operation({
  name: 'listDeployedMergeRequests',
  summary: 'List the merge requests of a deployment',
  subject: deployment,
  kind: 'read',
  statements: 16,
  params: { ...mergeRequestFilterParams, ...mergeRequestOrderParams, ...scopeParam('all') },
  rules: mergeRequestFilterRules,
  run: async (ctx, found, input) => {
    const list = asAskedFor(await mergeRequestsOfOne(ctx, found.project, input), input);
    const linked = sql`i.id = any(array(
      select l.merge_request_id from deployment_merge_requests l where l.deployment_id = ${found.id}))`;
    const reads = projectMergeRequestPolicy.read_merge_request(ctx.caller, found.project);
    return narrow(list, [reads ? linked : constant(false)]);
  },
});
