import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Caller } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { invokeUpload } from '../../../shared/core/operations/invoke-upload.js';
import { admit, invokeAdmitted, requireOffering } from '../../../shared/core/operations/invoke.js';
import type { Admission, Invoked } from '../../../shared/core/operations/invoke.js';
import type { UploadRule } from '../../../shared/core/operations/operation.js';
import type { ReadBody } from '../bodies/form-files.js';
import { hasBody, openBody } from '../bodies/guard.js';
import { uploadBody } from '../bodies/upload-body.js';
import { authenticate, namesCaller, loadSender } from '../credentials/authenticate.js';
import type { Sender } from '../credentials/authenticate.js';
import { authenticatePackages } from '../credentials/package-credentials.js';
import { decodePercent } from '../nested-params.js';
import type { RequestParameters } from '../nested-params.js';
import type { ApiServices } from '../services.js';
import { throttle } from '../throttle.js';
import type { BoundRoute } from './bound-route.js';
import { answerInvoked } from './present.js';
import { readBody, readHead } from './bound-route.js';

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
// Own pattern: names of days and months.
/** The forms that RFC 9110 names, and ISO 8601: JavaScript alone would read dates into almost any text. */
const FORMS = [
  new RegExp(`^${DAY}, \\d{2} ${MONTH} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$`, 'i'),
  new RegExp(`^${DAY}[a-z]*, \\d{2}-${MONTH}-\\d{2} \\d{2}:\\d{2}:\\d{2} GMT$`, 'i'),
  new RegExp(`^${DAY} ${MONTH} [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4}$`, 'i'),
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/,
];

/** The time of a header such as `If-Unmodified-Since`; null if it is invalid. */
function parseHttpDate(text: string): Date | null {
  if (text === '' || !FORMS.some((form) => form.test(text))) return null;
  // The third form names no zone; all of them are UTC.
  const date = new Date(FORMS[2]?.test(text) ? `${text} GMT` : text);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The state of a request; each part is set by the middleware that determines it. */
export interface RestState {
  origin: Origin;
  route: BoundRoute;
  /** Of the path alone, decoded. */
  pathParameters: Record<string, string>;
  /** Of query and path, and of the body once that is parsed. */
  parameters: RequestParameters;
  /** The sender according to the request's headers, until a body overrides it. */
  sender: Sender;
  /** An anonymous sender's body may contain a credential: until it is parsed, limits and admission are deferred. */
  undecided: boolean;
  /** The caller admitted by the operation, with its context. */
  admission?: Admission;
  body?: ReadBody;
  invoked: Invoked<unknown>;
}

/** Once the caller is known. */
type Decided = RestState & { admission: Admission };

export type RestContext = RouterContext<RestState>;
type RestMiddleware = RouterMiddleware<RestState>;

/** Each is decoded once, after matching (rest-conventions.md section 1). */
function getPathParameters({ captures = [] }: RestContext, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, decodePercent(captures[index] ?? '')]));
}

/** Identifies the sender by headers, cookie and query. */
function authenticateHead(services: ApiServices, route: BoundRoute): RestMiddleware {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const authenticateCaller = route.options.packageCredentials ? authenticatePackages : authenticate;
  return async (koa, next) => {
    const { state } = koa;
    state.route = route;
    state.pathParameters = getPathParameters(koa, names);
    state.parameters = readHead(koa, state.pathParameters, route);
    const parsesBody = !route.operation.upload && hasBody(koa);
    state.sender = parsesBody
      ? await loadSender(services, koa, state.parameters)
      : { caller: await authenticateCaller(services, koa, state.parameters) };
    state.undecided = parsesBody && state.sender.caller.kind === 'anonymous';
    return next();
  };
}

/** Counts the request to its caller: what was one too many is answered. */
function limit(services: ApiServices, { options }: BoundRoute): RestMiddleware {
  return async (koa, next) => {
    const { admission, sender, undecided } = koa.state;
    if (options.unthrottled || admission || undecided || (await throttle(services, koa, sender.caller))) await next();
  };
}

/**
 * Checks the operation's requirements for callers that need no parameters: kind, offering, scope and authentication.
 */
function admitCaller(services: ApiServices, { operation }: BoundRoute): RestMiddleware {
  return (koa, next) => {
    const { state } = koa;
    if (state.admission) return next();
    if (koa.method === 'DELETE') state.origin.unmodifiedSince = parseHttpDate(koa.get('if-unmodified-since'));
    const ctx = new Context<Caller>(services, state.sender.caller, state.origin);
    if (state.undecided) requireOffering(ctx, operation);
    else state.admission = admit(ctx, operation);
    return next();
  };
}

/** Reads the parameters of a body, whose maximum size depends on the sender (decisions/0028-bytes.md). */
function parseBody(services: ApiServices, route: BoundRoute): RestMiddleware {
  return async (koa, next) => {
    if (!hasBody(koa)) return next();
    const { state } = koa;
    const body = await readBody(openBody(services, koa, state.sender.caller), services, route);
    try {
      state.body = body;
      Object.assign(state.parameters, body.parameters, state.pathParameters);
      return await next();
    } finally {
      await body.cleanUp?.();
    }
  };
}

/**
 * Authenticates by the body, if it contains a credential or `sudo`. Only then is the caller determined again. For an
 * anonymous sender, this step settles that the caller is anonymous.
 */
function authenticateBody(services: ApiServices): RestMiddleware {
  return async (koa, next) => {
    const { state } = koa;
    if (!state.body) return next();
    if (namesCaller(state.body.parameters)) {
      state.sender = { caller: await authenticate(services, koa, state.parameters) };
      state.admission = undefined;
    } else if (state.sender.problem) throw state.sender.problem;
    state.undecided = false;
    return next();
  };
}

/**
 * Action limit, validation, resource and permission, in the order of the operation's authentication requirement; then
 * its work (`invoke.ts`).
 */
const validateAndOperate: RestMiddleware = async (koa, next) => {
  const { state } = koa;
  const { admission, body, parameters } = state as Decided;
  if (body?.store) Object.assign(parameters, await body.store(admission.ctx.caller));
  state.invoked = await invokeAdmitted(admission, parameters);
  return next();
};

/** The same for a file that comes as a stream: none of the body is read before resource and right are known. */
function validateAndOperateUpload(services: ApiServices, { operation }: BoundRoute): RestMiddleware {
  return async (koa, next) => {
    const { state } = koa;
    const { admission, parameters, pathParameters, sender } = state as Decided;
    const rule = operation.upload as UploadRule<never>;
    const open = () => uploadBody(koa, rule, () => openBody(services, koa, sender.caller));
    state.invoked = await invokeUpload(admission, parameters, Object.keys(pathParameters), open);
    return next();
  };
}

/** Writes the answer, in the form that the route declares. */
const present: RestMiddleware = async (koa) => {
  const { admission, invoked, parameters, route } = koa.state as Decided;
  await answerInvoked(koa, admission.ctx, parameters, route, invoked);
};

/**
 * The steps of every request to a route, in this order. A body may contain a credential: limits and admission then run
 * again, and are deferred until the body is parsed if the sender is otherwise anonymous.
 */
export function restMiddlewares(services: ApiServices, route: BoundRoute): RestMiddleware[] {
  const decide = [limit(services, route), admitCaller(services, route)];
  const withBody = [parseBody(services, route), authenticateBody(services), ...decide, validateAndOperate];
  return [
    authenticateHead(services, route),
    ...decide,
    ...(route.operation.upload ? [validateAndOperateUpload(services, route)] : withBody),
    present,
  ];
}
