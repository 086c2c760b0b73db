import type { Context as KoaContext } from 'koa';
import { ANONYMOUS, isPrincipal } from '../../../shared/core/context/callers.js';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Context } from '../../../shared/core/context/context.js';
import { translateOutage } from '../../../shared/core/values/database-errors.js';
import { AnswerTooLarge, Overloaded } from '../../../shared/core/values/errors.js';
import type { Invoked } from '../../../shared/core/operations/invoke.js';
import type { List } from '../../../shared/core/database/list.js';
import { readAll } from '../../../shared/core/database/list.js';
import { isSlices } from '../../../shared/core/values/offset-source.js';
import type { OffsetSource } from '../../../shared/core/values/offset-source.js';
import { presentOne } from '../../../shared/core/operations/serializer.js';
import type { Serializer } from '../../../shared/core/operations/serializer.js';
import type { RequestParameters } from '../nested-params.js';
import { pageOfAll, pageOfSlices, readPage } from '../paging.js';
import { sendJson, sendJsonList, sendNothing, sendErrorBody } from '../respond.js';
import type { ApiServices } from '../services.js';
import type { BoundRoute } from './bound-route.js';

function isList(result: unknown): result is List<unknown> {
  return typeof result === 'object' && result !== null && 'order' in result && 'select' in result;
}

type Several = List<unknown> | OffsetSource<unknown> | unknown[];

function isSeveral(result: unknown): result is Several {
  return isList(result) || Array.isArray(result) || isSlices(result);
}

/** The records of a result that is several: a page of them, where the route has pages. */
async function getRecords(
  koa: KoaContext,
  ctx: Context<Caller>,
  parameters: RequestParameters,
  route: BoundRoute,
  result: Several,
) {
  const { paginate } = route.options;
  if (isSlices(result)) return pageOfSlices(koa, ctx, parameters, result);
  if (Array.isArray(result)) return paginate === 'offset' ? pageOfAll(koa, ctx, parameters, result) : result;
  return paginate === 'none' ? readAll(ctx, result) : readPage(koa, ctx, parameters, result);
}

/**
 * A caller that is neither a user nor anonymous sees what anonymous callers see: serializers support no other callers.
 */
function viewerContext(ctx: Context<Caller>): Context {
  return isPrincipal(ctx.caller) ? ctx.as(ANONYMOUS) : (ctx as Context);
}

async function answer(
  koa: KoaContext,
  ctx: Context<Caller>,
  parameters: RequestParameters,
  route: BoundRoute,
  { result: value, input }: Invoked<unknown>,
) {
  const { present, status, respond, headers, headStatus, settle } = route.options;
  const result = settle ? await settle(ctx.services as ApiServices, ctx, value) : value;
  if (headers) koa.set(headers(result));
  if (respond) return respond(koa, ctx, result);
  if (koa.method === 'HEAD' && headStatus !== undefined) return sendNothing(koa, headStatus);
  const code = typeof status === 'function' ? status(result) : (status ?? 200);
  if (code === 204) return sendNothing(koa);
  const viewerCtx = viewerContext(ctx);
  const declared = (typeof present === 'function' ? present(viewerCtx, result) : present) as
    | Serializer<unknown>
    | undefined;
  const serializer = declared?.selectViews(viewerCtx, input);
  if (isSeveral(result)) {
    const records = await getRecords(koa, ctx, parameters, route, result);
    if (serializer && records.length > 0) await serializer.load(viewerCtx, records);
    return sendJsonList(koa, code, records, serializer && ((record) => serializer.present(record, viewerCtx)));
  }
  sendJson(koa, code, serializer ? await presentOne(viewerCtx, serializer, result) : result);
}

/** What names a record, of what its operation gave. */
const NAMING = ['id', 'iid', 'project_id'] as const;

/**
 * Sends the result of an operation in the form that its route declares. A committed result is reported as committed,
 * even if the response itself cannot be built in time: a client that retried would repeat the change.
 */
export async function answerInvoked(
  koa: KoaContext,
  ctx: Context<Caller>,
  parameters: RequestParameters,
  route: BoundRoute,
  invoked: Invoked<unknown>,
) {
  try {
    await answer(koa, ctx, parameters, route, invoked);
  } catch (error) {
    const late = translateOutage(error) instanceof Overloaded || error instanceof AnswerTooLarge;
    if (!late || route.operation.kind === 'read' || ctx.origin.after?.committed !== true) throw error;
    const { requestId } = ctx.origin;
    ctx.log.error({ err: error, correlation_id: requestId, path: koa.path }, 'what was committed was not read again');
    const { status } = route.options;
    const result = (invoked.result ?? {}) as Record<string, unknown>;
    const identifiers = NAMING.flatMap((name) => (name in result ? [[name, result[name]] as const] : []));
    sendErrorBody(koa, typeof status === 'function' ? status(invoked.result) : (status ?? 200), {
      ...Object.fromEntries(identifiers),
      message: 'The change was made. Its answer could not be read again',
    });
  }
}
