import type { Context as KoaContext } from 'koa';
import type { Origin } from '../../shared/core/context/context.js';
import { ClientGone } from '../../shared/core/values/errors.js';
import type { RestRoute } from './routes.js';
import type { ApiServices } from './services.js';

/** Error code of a stream whose reader has disconnected. */
const CUT_OFF = 'ERR_STREAM_PREMATURE_CLOSE';

const getOrigin = (koa: KoaContext): Origin | undefined => koa.state.origin as Origin | undefined;

/**
 * Logs the failure of a request at the level it deserves: failures caused by a disconnected client need no action.
 * @param level undefined if there is nothing to log
 */
export function logFailure(
  koa: KoaContext,
  { log }: Pick<ApiServices, 'log'>,
  level: 'warn' | 'error' | undefined,
  error: unknown,
  message: string,
): void {
  if (!level) return;
  const origin = getOrigin(koa);
  const gone = error instanceof ClientGone || (level === 'warn' && origin?.signal?.aborted === true);
  const route = (koa.state.route as RestRoute | undefined)?.path;
  const details = { err: error, correlation_id: origin?.requestId, path: koa.path, ...(route ? { route } : {}) };
  log[gone ? 'debug' : level](details, message);
}

/** Logs why an answer was not sent to its end. */
export function logUnsent(koa: KoaContext, { log }: Pick<ApiServices, 'log'>, error: unknown): void {
  const { code } = error as { code?: unknown };
  const gone =
    error instanceof ClientGone ||
    koa.req.socket?.errored === error ||
    (code === CUT_OFF && getOrigin(koa)?.signal?.aborted === true);
  const details = { err: error, correlation_id: getOrigin(koa)?.requestId, path: koa.path };
  log[gone ? 'debug' : 'error'](details, 'response failed');
}
