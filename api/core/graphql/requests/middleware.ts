import type { Context as KoaContext, Middleware } from 'koa';
import { isPrincipal } from '../../../../shared/core/context/callers.js';
import type { Caller, UserOrAnonymous } from '../../../../shared/core/context/callers.js';
import type { Origin } from '../../../../shared/core/context/context.js';
import {
  AnswerTooLarge,
  BadParams,
  ClientGone,
  CommitUnknown,
  Forbidden,
  Overloaded,
  RateLimited,
  StatementTimedOut,
  TooLarge,
  Unauthenticated,
} from '../../../../shared/core/values/errors.js';
import { translateOutage } from '../../../../shared/core/values/database-errors.js';
import { namesCaller, ownerOfCredential } from '../../credentials/authenticate.js';
import { BodyTooSlow, ConnectionLost, UnsupportedType } from '../../http-errors.js';
import { logFailure } from '../../log-failure.js';
import { getAnswerBytes } from '../../traffic.js';
import type { ApiServices } from '../../services.js';
import { countedAtOnce } from './at-once.js';
import { withCompatibilityPrefix } from '../global-ids.js';
import type { GraphqlEngine } from './engine.js';
import type { Prepared } from './prepare.js';
import { HttpProblem, readIncoming, readUrlParameters } from './read-request.js';
import type { Incoming } from './read-request.js';
import { answerText } from './answer-text.js';
import type { RequestParameters } from '../../nested-params.js';
import { Execution } from '../request.js';
import type { GraphqlAnswer } from './run.js';
import { BAD_CSRF_TOKEN, hasCsrfToken } from '../../credentials/session-cookie.js';
import { throttle } from '../../throttle.js';
import { isWithinScore } from './score-budget.js';

const PATH = '/api/graphql';
const TIMED_OUT = 'Request timed out. Please try a less complex query or a smaller set of records.';
const METHODS = ['GET', 'HEAD', 'POST'];
/** A token needs one of these scopes for any query (graphql.md section 1.4). */
const SCOPES = ['api', 'read_api'];

function send(koa: KoaContext, status: number, body: string): void {
  koa.status = status;
  koa.set('Cache-Control', 'max-age=0, private, must-revalidate');
  koa.set('Content-Type', 'application/json; charset=utf-8');
  koa.body = body;
}

/** Users and anonymous callers alone are served: to GraphQL the token of any other is unknown. @throws HttpProblem */
async function getCaller(
  services: ApiServices,
  koa: KoaContext,
  parameters: RequestParameters,
): Promise<UserOrAnonymous> {
  let caller: Caller;
  try {
    caller = await ownerOfCredential(services, koa, parameters);
  } catch (error) {
    if (error instanceof Unauthenticated) throw new HttpProblem(401, 'Invalid token');
    if (error instanceof Forbidden) throw new HttpProblem(403, 'API not accessible for user');
    throw error;
  }
  if (isPrincipal(caller)) throw new HttpProblem(401, 'Invalid token');
  if (caller.token && !SCOPES.some((scope) => caller.token?.scopes.includes(scope)))
    throw new HttpProblem(401, 'Invalid token');
  return caller;
}

function assertMethodAllowed(koa: KoaContext): void {
  if (!METHODS.includes(koa.method))
    throw new HttpProblem(405, 'Method not allowed', { Allow: [...METHODS, 'OPTIONS'].join(', ') });
}

const isMutation = ({ operation }: Prepared): boolean => operation?.operation === 'mutation';

async function answer(services: ApiServices, engine: GraphqlEngine, koa: KoaContext): Promise<void> {
  assertMethodAllowed(koa);
  const url = readUrlParameters(koa);
  const sender = await getCaller(services, koa, url);
  if (!sender.anonymous && !(await throttle(services, koa, sender))) return;
  const incoming = await readIncoming(services, koa, sender);
  const { form } = incoming;
  const caller = form && namesCaller(form) ? await getCaller(services, koa, { ...url, ...form }) : sender;
  if (!(await throttle(services, koa, caller))) return;
  const { ip } = koa.state.origin as Origin;
  const answers = await countedAtOnce(services, caller, ip, () => run(services, engine, koa, caller, incoming));
  if (answers) send(koa, 200, answerText(getAnswerBytes(koa), answers, incoming.batch));
}

/**
 * Checks and runs the queries of a request; null if a limit was exceeded and the response is already sent. @throws
 * HttpProblem, Overloaded, ClientGone
 */
async function run(
  services: ApiServices,
  engine: GraphqlEngine,
  koa: KoaContext,
  caller: UserOrAnonymous,
  { entries, removeDeprecated }: Incoming,
): Promise<GraphqlAnswer[] | null> {
  const execution = new Execution(services, caller, koa.state.origin as Origin);
  try {
    const prepared = await engine.prepareAll(execution, engine.variant(removeDeprecated), entries);
    if (koa.method !== 'POST' && prepared.some(isMutation))
      throw new HttpProblem(422, `Mutations are forbidden in ${koa.method} requests`);
    if (caller.session && prepared.some(isMutation) && !hasCsrfToken(services, koa))
      throw new HttpProblem(422, BAD_CSRF_TOKEN);
    if (!(await isWithinScore(services, koa, caller, prepared))) return null;
    return await engine.runAll(execution, prepared);
  } finally {
    execution.time.end();
  }
}

/** What stopped a request before or outside of a resolver; null for a bug. */
function getProblem(cause: unknown): HttpProblem | null {
  const error = translateOutage(cause);
  if (error instanceof HttpProblem) return error;
  if (error instanceof BadParams) return new HttpProblem(400, error.message);
  if (error instanceof TooLarge) return new HttpProblem(413, 'Request body too large');
  if (error instanceof UnsupportedType) return new HttpProblem(415, error.message);
  if (error instanceof AnswerTooLarge) return new HttpProblem(422, error.message);
  if (error instanceof BodyTooSlow) return new HttpProblem(408, error.message, { Connection: 'close' });
  if (error instanceof ConnectionLost) return new HttpProblem(400, error.message);
  if (error instanceof CommitUnknown) return new HttpProblem(503, error.message);
  if (error instanceof ClientGone) return new HttpProblem(499, error.message);
  if (error instanceof RateLimited || error instanceof Overloaded) {
    const status = error instanceof RateLimited ? 429 : 503;
    const message = error instanceof StatementTimedOut ? TIMED_OUT : error.message;
    return new HttpProblem(status, message, { 'Retry-After': String(error.retryAfterSeconds) });
  }
  return null;
}

/**
 * Serves `/api/graphql`: 200 for everything that reached the engine (graphql.md sections 1.1 and 1.2).
 * @param load builds the engine when the first request needs it, so that a process starts without it
 */
export function graphqlMiddleware(services: ApiServices, load: () => Promise<GraphqlEngine>): Middleware {
  return async (koa, next) => {
    if (koa.path !== PATH && koa.path !== `${PATH}/`) return next();
    koa.state.pattern = PATH;
    try {
      const engine = await load();
      const { compatibility_prefix: prefix } = services.settings.current;
      await withCompatibilityPrefix(prefix, () => answer(services, engine, koa));
    } catch (error) {
      if (!(await throttle(services, koa))) return;
      const problem = getProblem(error);
      const level = problem ? problem.status === 503 && 'warn' : 'error';
      logFailure(koa, services, level || undefined, error, 'graphql failed');
      koa.set(problem?.headers ?? {});
      const message = problem?.message ?? 'Internal server error';
      send(koa, problem?.status ?? 500, JSON.stringify({ errors: [{ message }] }));
    }
  };
}
