import { text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { SignedInContext } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { NotFound } from '../../core/values/errors.js';
import type { InstanceDatabase } from '../instance.entities.js';
import { RefusedRequest } from './refused-request.entity.js';

/** Maximum rows for one request id: a GraphQL query may be refused in many places. */
const MAX_LISTED = 20;

/**
 * What was refused of a request, the first first: of one's own requests, and for administrators of everybody's.
 * @throws NotFound "404 Request Not Found", also for requests of others
 */
async function findRefusedRequests(ctx: SignedInContext, requestId: string): Promise<RefusedRequest[]> {
  const rows = await ctx.em
    .getKysely<InstanceDatabase>()
    .selectFrom('refused_requests as q')
    .select(columns(RefusedRequest, 'q'))
    .where('q.request_id', '=', requestId)
    .$if(!ctx.caller.admin, (query) => query.where('q.user_id', '=', ctx.caller.id))
    .orderBy('q.id')
    .limit(constant(MAX_LISTED))
    .execute();
  if (rows.length === 0) throw new NotFound('Request');
  return rows;
}

/** Explain why a request was refused: users for their own, administrators for all (beyond the public API). */
export const explainRefusedRequest = operation({
  name: 'explainRefusedRequest',
  summary: 'Explain why a request was refused',
  resource: instance,
  kind: 'read',
  statements: 2,
  params: {
    request_id: text()
      .describe('Value of the `X-Request-Id` header of the response. Rejected requests are stored for an hour.')
      .meta({ examples: ['7d2f1c3e-90a4-4c57-8a53-0d4d5f7e8b11'] }),
  },
  run: (ctx, _instance, input) => findRefusedRequests(ctx, input.request_id),
});
