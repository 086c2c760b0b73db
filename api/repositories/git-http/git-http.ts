import { pipeline } from 'node:stream/promises';
import type { Context as KoaContext, Middleware } from 'koa';
import { isPrincipal } from '../../../shared/core/context/callers.js';
import type { Caller } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { Forbidden } from '../../../shared/core/values/errors.js';
import { GitTimeout, uploadPack } from '../../../shared/git/index.js';
import type { FetchRequest } from '../../../shared/git/index.js';
import { findFetchSource } from '../../../shared/repositories/git-http/find-to-fetch.js';
import { ownerOfBasic } from '../../core/credentials/basic-credentials.js';
import { openPlainBody } from '../../core/bodies/plain-body.js';
import { openBody } from '../../core/bodies/guard.js';
import { UnsupportedType, WrongMethod } from '../../core/http-errors.js';
import { sendText } from '../../core/respond.js';
import type { ApiServices } from '../../core/services.js';
import { NO_CACHE, sendProblem } from './git-answers.js';
import { servePush } from './git-push.js';
import { matchGit, getGitProtocol } from './git-request.js';
import type { GitRequest } from './git-request.js';

/**
 * Maximum size of a client's list of wants and haves, both as sent and as decompressed: a clone of 50,000 tags sends
 * 2.5 MB.
 */
const REQUEST_BYTES = 20 * 1024 * 1024;

/** What of the first two protocols comes before the refs; the others begin with their version. */
const ANNOUNCED = '001e# service=git-upload-pack\n0000';

/** A former path: git follows the redirect for all its requests. */
function sendMoved(koa: KoaContext, services: ApiServices, { rest }: GitRequest, fullPath: string): void {
  const query = koa.querystring === '' ? '' : `?${koa.querystring}`;
  const location = `${services.config.externalUrl}/${fullPath}.git/${rest}${query}`;
  koa.set('Location', location);
  sendText(koa, `This project has moved to ${services.config.externalUrl}/${fullPath}.git\n`, 301);
}

/** The body of the client's request; null if it requests the ref advertisement. */
async function getInput(koa: KoaContext, services: ApiServices, caller: Caller, { rest }: GitRequest) {
  if (rest === 'info/refs') return null;
  const type = koa.get('content-type');
  if (type !== 'application/x-git-upload-pack-request') throw new UnsupportedType(type);
  const { content, begun } = openPlainBody(openBody(services, koa, caller), REQUEST_BYTES);
  // A client that sends a byte now and then must not hold one of git's slots.
  await begun;
  return content;
}

/** Streams git's output, and stops git when the client disconnects or stalls. */
async function answer(koa: KoaContext, services: ApiServices, ctx: Context<Caller>, request: GitRequest) {
  const source = await findFetchSource(ctx, request.fullPath);
  if (source.fullPath.toLowerCase() !== request.fullPath.toLowerCase())
    return sendMoved(koa, services, request, source.fullPath);
  const input = await getInput(koa, services, ctx.caller, request);
  const hiddenRefs = isPrincipal(ctx.caller) ? ctx.caller.hiddenRefs : undefined;
  const fetchRequest: FetchRequest = { protocol: getGitProtocol(koa), input, hiddenRefs };
  const output = await source
    .open()
    .then((repository) => uploadPack(repository, fetchRequest))
    .catch((error: unknown) => {
      input?.destroy();
      throw error;
    });
  const { res } = koa;
  koa.status = 200;
  koa.set(NO_CACHE);
  koa.set('Content-Type', `application/x-git-upload-pack-${input ? 'result' : 'advertisement'}`);
  koa.respond = false;
  const { silenceMs } = services.git;
  res.setTimeout(silenceMs, () => void output.destroy(new GitTimeout('transfer', silenceMs)));
  if (!input && fetchRequest.protocol !== 'version=2') res.write(ANNOUNCED);
  // Each part of the service that waits for the end of an answer listens, and the stream with four ears.
  res.setMaxListeners(20);
  pipeline(output, res).catch((error: unknown) => {
    const { requestId } = ctx.origin;
    services.log.info({ reason: (error as Error).message, correlation_id: requestId }, 'git transfer ended early');
  });
  return undefined;
}

async function serve(koa: KoaContext, services: ApiServices, request: GitRequest): Promise<void> {
  if (request.rest === 'dumb')
    throw Forbidden.saying('The dumb protocol is not served. Use git 1.6.6 or newer, without GIT_SMART_HTTP=0.');
  const method = request.rest === 'info/refs' ? 'GET' : 'POST';
  if (koa.method !== method) throw new WrongMethod([method]);
  const caller = await ownerOfBasic(services, koa);
  const ctx = new Context(services, caller, koa.state.origin as Origin);
  if (request.service === 'git-receive-pack') await servePush(koa, services, ctx, request);
  else await answer(koa, services, ctx, request);
}

/**
 * Serves git over smart HTTP at a project's URL, with or without `.git` (decisions/0042-git-over-http.md). Other
 * requests are passed on.
 */
export function gitMiddleware(services: ApiServices): Middleware {
  return async (koa, next) => {
    const request = matchGit(koa);
    if (!request) return next();
    koa.state.pattern = `/*.git/${request.rest}`;
    try {
      await serve(koa, services, request);
    } catch (error) {
      sendProblem(koa, services, error);
    }
  };
}
