import { oneOf, withDefault } from '../../core/fields.js';
import { byId } from '../../core/list.js';
import { operation } from '../../core/operation.js';
import { raw, sql } from '../../core/sql.js';
import { projectMergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import { mergeRequestsOfProject } from '../../merge-requests/merge-requests/merge-request.finder.js';
import type { ListedMergeRequest } from '../../merge-requests/merge-requests/merge-request.record.js';
import { deployment } from '../deployments/deployment.finder.js';

/** List the merge requests that a deployment was the first of its environment to bring, as far as the caller reads them. */
export const listDeployedMergeRequests = operation({
  name: 'listDeployedMergeRequests',
  summary: 'List the merge requests of a deployment',
  subject: deployment,
  kind: 'read',
  statements: 14,
  params: {
    state: withDefault(oneOf(['opened', 'closed', 'locked', 'merged', 'all']), 'all').describe(
      'Only those in this state.',
    ),
    order_by: withDefault(oneOf(['created_at', 'updated_at', 'merged_at']), 'created_at').describe(
      'Column to order by.',
    ),
    sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order.'),
  },
  run: async (ctx, found, { state, order_by: column, sort }) => {
    const reads = projectMergeRequestPolicy.read_merge_request(ctx.caller, found.project);
    const linked = sql`i.id = any(array(
      select l.merge_request_id from deployment_merge_requests l where l.deployment_id = ${found.id}))`;
    const where = [reads ? linked : sql`false`, ...(state === 'all' ? [] : [sql`i.state = ${state}`])];
    return {
      ...mergeRequestsOfProject(found.project, where),
      order: [
        {
          key: column,
          expression: raw(`i.${column}`),
          direction: sort,
          type: 'instant' as const,
          value: (row: ListedMergeRequest) => row[column],
        },
        byId<ListedMergeRequest>('i', sort),
      ],
    };
  },
});
