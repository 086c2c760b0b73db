import type { Context as KoaContext, Middleware } from 'koa';
import { ANONYMOUS, isPrincipal } from '../../shared/core/callers.js';
import type { Caller } from '../../shared/core/callers.js';
import { Context } from '../../shared/core/context.js';
import type { Origin } from '../../shared/core/context.js';
import { translateOutage } from '../../shared/core/database/database-errors.js';
import { AnswerTooLarge, Overloaded, ProjectMoved, Unauthenticated } from '../../shared/core/errors.js';
import type { List } from '../../shared/core/list.js';
import { readAll } from '../../shared/core/list.js';
import { invokeUpload } from '../../shared/core/invoke-upload.js';
import { admit, invokeAdmitted, requireOffering } from '../../shared/core/invoke.js';
import type { Admission } from '../../shared/core/invoke.js';
import type { UploadRule } from '../../shared/core/operation.js';
import { presentOne } from '../../shared/core/shape.js';
import type { Shape } from '../../shared/core/shape.js';
import { isSlices } from '../../shared/core/offset-source.js';
import type { OffsetSource } from '../../shared/core/offset-source.js';
import { authenticate, namesCaller, senderOf } from './credentials/authenticate.js';
import { authenticatePackages } from './credentials/package-credentials.js';
import { readParameters, readUrl } from './request-parameters.js';
import type { RequestParameters } from './nested-params.js';
import { uploadBody } from './bodies/upload-body.js';
import { hasBody, openBody } from './bodies/receive.js';
import type { BoundRoute } from './bound-route.js';
import { withoutCredentials } from './credentials/credential-params.js';
import { hintOfPath, withHelp } from './error-help.js';
import { parseHttpDate } from './server/http-date.js';
import { NoSuchRoute } from './http-errors.js';
import { logFailure } from './log-failure.js';
import { leastRole } from './openapi/least-role.js';
import { pageOfAll, pageOfSlices, readPage } from './paging.js';
import { sendJson, sendJsonList, sendNothing, sendRefusal, sendText } from './respond.js';
import { errorAnswer } from './rest-errors.js';
import { RouteTable } from './route-table.js';
import type { RestRoute } from './routes.js';
import type { ApiServices } from './services.js';
import { throttle } from './throttle.js';

export const REST_BASE = '/api/v4';

function isList(result: unknown): result is List<unknown> {
  return typeof result === 'object' && result !== null && 'order' in result && 'from' in result;
}

type Several = List<unknown> | OffsetSource<unknown> | unknown[];

function isSeveral(result: unknown): result is Several {
  return isList(result) || Array.isArray(result) || isSlices(result);
}

/** The records of a result that is several: a page of them, where the route has pages. */
async function recordsOf(
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

/** What an operation gave, and the parameters that it was given. */
interface Invoked {
  result: unknown;
  input: Record<string, unknown>;
}

/** A caller that is neither a user nor anonymous is shown of a record what anybody is: shapes know no more of it. */
function shownTo(ctx: Context<Caller>): Context {
  return isPrincipal(ctx.caller) ? ctx.as(ANONYMOUS) : (ctx as Context);
}

async function answer(
  koa: KoaContext,
  ctx: Context<Caller>,
  parameters: RequestParameters,
  route: BoundRoute,
  { result: given, input }: Invoked,
) {
  const { present, status, respond, headers, headStatus, settle } = route.options;
  const result = settle ? await settle(ctx.services as ApiServices, ctx, given) : given;
  if (headers) koa.set(headers(result));
  if (respond) return respond(koa, ctx, result);
  if (koa.method === 'HEAD' && headStatus !== undefined) return sendNothing(koa, headStatus);
  const code = typeof status === 'function' ? status(result) : (status ?? 200);
  if (code === 204) return sendNothing(koa);
  const shown = shownTo(ctx);
  const declared = (typeof present === 'function' ? present(shown, result) : present) as Shape<unknown> | undefined;
  const shape = declared?.askedFor(shown, input);
  if (isSeveral(result)) {
    const records = await recordsOf(koa, ctx, parameters, route, result);
    if (shape && records.length > 0) await shape.load(shown, records);
    return sendJsonList(koa, code, records, shape && ((record) => shape.present(record, shown)));
  }
  sendJson(koa, code, shape ? await presentOne(shown, shape, result) : result);
}

/** What names a record, of what its operation gave. */
const NAMING = ['id', 'iid', 'project_id'] as const;

/**
 * Answers what is committed as such, also where the answer itself cannot be made in time: who were told to come back
 * would do it twice.
 */
async function answerInvoked(
  koa: KoaContext,
  ctx: Context<Caller>,
  parameters: RequestParameters,
  route: BoundRoute,
  invoked: Invoked,
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
    const known = NAMING.flatMap((name) => (name in result ? [[name, result[name]] as const] : []));
    sendRefusal(koa, typeof status === 'function' ? status(invoked.result) : (status ?? 200), {
      ...Object.fromEntries(known),
      message: 'The change was made. Its answer could not be read again',
    });
  }
}

/** A GET by a project's old path goes on to the same place below its id (projects.md section 5.4). */
function sendMoved(koa: KoaContext, services: ApiServices, { projectId }: ProjectMoved) {
  const below = koa.path.slice(`${REST_BASE}/projects/`.length).replace(/^[^/]*/, '');
  const query = withoutCredentials(koa.querystring);
  const place = `${services.config.externalUrl}${REST_BASE}/projects/${projectId}${below}`;
  const location = query === '' ? place : `${place}?${query}`;
  koa.set('Location', location);
  sendText(koa, `This resource has been moved permanently to ${location}`, 301);
}

function noteRefusal(koa: KoaContext, services: ApiServices, error: unknown, status: number) {
  const route = koa.state.route as RestRoute | undefined;
  const { requestId, ip } = koa.state.origin as Origin;
  services.noteRefusal(error, {
    requestId,
    ip,
    route: route ? `${koa.method} ${route.path}` : koa.method,
    status,
    requiredRole: route ? leastRole(route) : null,
    check: checkBefore(error),
  });
}

/** What refuses a request before any operation is asked. */
function checkBefore(error: unknown): 'credential' | 'route' | undefined {
  if (error instanceof NoSuchRoute) return 'route';
  return error instanceof Unauthenticated ? 'credential' : undefined;
}

function sendError(koa: KoaContext, services: ApiServices, error: unknown) {
  if (error instanceof ProjectMoved && (koa.method === 'GET' || koa.method === 'HEAD'))
    return sendMoved(koa, services, error);
  const { status, body, headers, log } = errorAnswer(error);
  if (status < 500) noteRefusal(koa, services, error, status);
  logFailure(koa, services, log, error, 'request failed');
  koa.set(headers ?? {});
  koa.remove('ETag');
  if (body === null) sendNothing(koa, status);
  else sendRefusal(koa, status, withHelp(koa, services, error, body));
}

/** `OPTIONS` without a browser's question: what the path answers. */
function answerOptions(koa: KoaContext, table: RouteTable, path: string) {
  koa.set('Allow', table.methodsOf(path).join(', '));
  sendNothing(koa);
}

/** Knows its caller, and that no limit on requests is used up; null where it is: then that is answered. */
async function contextOf(services: ApiServices, koa: KoaContext, caller: Caller): Promise<Context<Caller> | null> {
  if (!(await throttle(services, koa, caller))) return null;
  const origin = koa.state.origin as Origin;
  if (koa.method === 'DELETE') origin.unmodifiedSince = parseHttpDate(koa.get('if-unmodified-since'));
  return new Context(services, caller, origin);
}

async function run(koa: KoaContext, admission: Admission, route: BoundRoute, parameters: RequestParameters) {
  await answerInvoked(koa, admission.ctx, parameters, route, await invokeAdmitted(admission, parameters));
}

async function serve(koa: KoaContext, services: ApiServices, table: RouteTable) {
  const path = koa.path.slice(REST_BASE.length);
  if (koa.method === 'OPTIONS') return answerOptions(koa, table, path);
  const { route, params } = table.match(koa.method, path);
  koa.state.route = route;
  if (route.operation.upload) return serveUpload(koa, services, route, params);
  if (hasBody(koa)) return serveWithBody(koa, services, route, params);
  const parameters = readUrl(koa, params);
  const ctx = await contextOf(services, koa, await callerFor(route)(services, koa, parameters));
  if (ctx) await run(koa, admit(ctx, route.operation), route, parameters);
}

/** How a route learns who asks. */
const callerFor = ({ options }: BoundRoute) => (options.packageCredentials ? authenticatePackages : authenticate);

/** A file that comes as a stream: none of the body is read before caller, limits, subject and right are known. */
async function serveUpload(koa: KoaContext, services: ApiServices, route: BoundRoute, params: Record<string, string>) {
  const { operation } = route;
  const url = readUrl(koa, params);
  const caller = await callerFor(route)(services, koa, url);
  const ctx = await contextOf(services, koa, caller);
  if (!ctx) return;
  const open = () => uploadBody(koa, operation.upload as UploadRule<never>, () => openBody(services, koa, caller));
  const invoked = await invokeUpload(admit(ctx, operation), url, Object.keys(params), open);
  await answerInvoked(koa, ctx, url, route, invoked);
}

/**
 * The body comes last: who sends it is judged by headers and query, and asked what the operation asks of everybody,
 * before any of it is read (decisions/0028-bytes.md). What the head decided stands, unless the body names a caller: then
 * that is decided again. Of nobody it is decided once the body is read.
 */
async function serveWithBody(
  koa: KoaContext,
  services: ApiServices,
  route: BoundRoute,
  params: Record<string, string>,
) {
  const { operation } = route;
  const url = readUrl(koa, params);
  const sender = await senderOf(services, koa, url);
  const decide = async (caller: Caller) => {
    const ctx = await contextOf(services, koa, caller);
    return ctx && admit(ctx, operation);
  };
  const nobody = sender.caller.kind === 'anonymous';
  if (nobody) requireOffering(new Context(services, sender.caller, koa.state.origin as Origin), operation);
  const early = nobody ? undefined : await decide(sender.caller);
  if (early === null) return;
  const body = await readParameters(openBody(services, koa, sender.caller), services, route);
  try {
    const parameters = Object.assign(url, body.parameters, params);
    const named = namesCaller(body.parameters);
    if (!named && sender.problem) throw sender.problem;
    const caller = named ? await authenticate(services, koa, parameters) : sender.caller;
    const admission = named || !early ? await decide(caller) : early;
    if (!admission) return;
    if (body.store) Object.assign(parameters, await body.store(caller));
    await run(koa, admission, route, parameters);
  } finally {
    await body.cleanUp?.();
  }
}

/** Several slashes right after `/api/v4` count as one, for everything that reads the path (rest-conventions.md section 1). */
export const oneSlashBelowBase: Middleware = (koa, next) => {
  if (koa.path.startsWith(`${REST_BASE}//`)) koa.path = koa.path.replace(/^\/api\/v4\/+/, `${REST_BASE}/`);
  return next();
};

/** Serves the bound routes below `/api/v4`. */
export function restMiddleware(services: ApiServices, routes: readonly RestRoute[]): Middleware {
  const table = new RouteTable(routes);
  return async (koa, next) => {
    if (!koa.path.startsWith(`${REST_BASE}/`) && koa.path !== REST_BASE) return next();
    try {
      await serve(koa, services, table);
    } catch (error) {
      if (!(await throttle(services, koa))) return;
      if (error instanceof NoSuchRoute)
        error.hinting(await hintOfPath(services, koa, koa.path.slice(REST_BASE.length)));
      sendError(koa, services, error);
    }
  };
}
