import type { SignedInContext } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { sql, textColumns } from '../../core/sql.js';
import { RefusedRequest } from './refused-request.entity.js';

/** Rows that one request id shows: a query over GraphQL may be refused in many places. */
const MOST_SHOWN = 20;

/**
 * What was refused of a request, the first first: of one's own requests, and for administrators of everybody's.
 * @throws NotFound "404 Request Not Found", also for requests of others
 */
export async function findRefused(ctx: SignedInContext, requestId: string): Promise<RefusedRequest[]> {
  const whose = ctx.caller.admin ? sql`true` : sql`q.user_id = ${ctx.caller.id}`;
  const rows = await ctx.query<RefusedRequest>(sql`
    select ${textColumns(RefusedRequest, 'q')} from refused_requests q
     where q.request_id = ${requestId} and ${whose} order by q.id limit ${MOST_SHOWN}`);
  if (rows.length === 0) throw new NotFound('Request');
  return rows;
}
