import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context as KoaContext } from 'koa';
import { answerInHand } from '../../../shared/core/bytes/answer-bytes.js';
import type { Caller } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import { ClientGone, TooLarge } from '../../../shared/core/values/errors.js';
import { answerPush, readPushRequest, stillWorking } from '../../../shared/git/index.js';
import type { PushReport, PushRequest } from '../../../shared/git/index.js';
import { findPushDestination } from '../../../shared/repositories/git-http/find-push-destination.js';
import type { PushDestination } from '../../../shared/repositories/git-http/find-push-destination.js';
import { mostPushedBytes } from '../../../shared/repositories/git-http/receive-push.js';
import { ownerOfBasic } from '../../core/credentials/basic-credentials.js';
import { openPlainBody } from '../../core/bodies/plain-body.js';
import { openBody } from '../../core/bodies/guard.js';
import { BodyTooSlow, ConnectionLost, UnsupportedType } from '../../core/http-errors.js';
import { errorAnswer } from '../../core/rest-errors.js';
import type { ApiServices } from '../../core/services.js';
import { NO_CACHE, errorMessage } from './git-answers.js';
import type { GitRequest } from './git-request.js';
import { getGitProtocol } from './git-request.js';

const ANNOUNCED = '001f# service=git-receive-pack\n0000';
const VERSION_1 = '000eversion 1\n';
const TYPE = 'application/x-git-receive-pack';

const MIB = 1024 * 1024;
/** Maximum decompressed size of a push sent as gzip: programs only compress pushes that they hold in memory. */
const GZIP_BYTES = 64 * MIB;
/** Interval of keepalive messages to a client that has sent everything and waits. */
const STILL_WORKING_MS = 5000;

/** Advertises the refs to a client, from the index. */
async function announce(koa: KoaContext, { ctx, refs: advertise }: PushDestination): Promise<void> {
  const agent = `capstan/${ctx.config.apiVersion}`;
  const refs = Readable.from(advertise(agent), { objectMode: false });
  const { res } = koa;
  koa.status = 200;
  koa.set(NO_CACHE);
  koa.set('Content-Type', `${TYPE}-advertisement`);
  koa.respond = false;
  res.setTimeout(ctx.services.git.silenceMs, () => void res.destroy());
  res.write(ANNOUNCED);
  // A later version has no pushes of its own: git then takes the first one's.
  if (getGitProtocol(koa) === 'version=1') res.write(VERSION_1);
  await pipeline(refs, res).catch((error: unknown) => {
    ctx.log.info({ reason: (error as Error).message, correlation_id: ctx.origin.requestId }, 'git request ended early');
  });
}

/** The client has disconnected, or has not sent enough to get a response. */
const endsRequest = (error: unknown) =>
  error instanceof ConnectionLost || error instanceof ClientGone || error instanceof BodyTooSlow;

/** The report for an error outside the push itself, in the form that git displays. */
function getReport({ ctx }: PushDestination, request: PushRequest, error: unknown): PushReport {
  if (endsRequest(error)) throw error;
  const { log } = errorAnswer(error);
  if (log) ctx.log[log]({ err: error, correlation_id: ctx.origin.requestId }, 'push failed');
  const message = error instanceof TooLarge ? 'The push is too large.' : errorMessage(error);
  return {
    unpack: message,
    refs: request.commands.map(({ ref }) => ({ ref, rejection: message })),
    messages: [message],
  };
}

/** Runs the commands of a push with its objects; git displays the reasons of refusals. */
async function take(koa: KoaContext, services: ApiServices, target: PushDestination): Promise<void> {
  const type = koa.get('content-type');
  if (type !== `${TYPE}-request`) throw new UnsupportedType(type);
  const { ctx } = target;
  const maxBytes = mostPushedBytes(ctx);
  const body = openBody(services, koa, ctx.caller);
  const packed = koa.get('content-encoding') !== '';
  const { content, begun } = openPlainBody(body, packed ? GZIP_BYTES : Infinity);
  try {
    // A client that sends a byte now and then must not hold one of git's slots.
    await begun;
    const request = await readPushRequest(content, (bytes) => body.claim.take(bytes));
    koa.status = 200;
    koa.set(NO_CACHE);
    koa.set('Content-Type', `${TYPE}-result`);
    if (request.commands.length === 0) {
      koa.body = Buffer.alloc(0);
      return;
    }
    const again = async () => {
      const { ctx: acting } = await findPushDestination(
        new Context(services, await ownerOfBasic(services, koa), ctx.origin),
        target.fullPath,
      );
      return acting;
    };
    const endWait = keepTelling(koa, content, request);
    const report = await target
      .receive({ request, maxBytes, again })
      .catch((error: unknown) => getReport(target, request, error))
      .finally(endWait);
    const answer = answerPush(request, report);
    if (koa.respond === false) koa.res.end(answer);
    else koa.body = answer;
  } finally {
    content.destroy();
  }
}

/** Lets a client that has sent everything know now and then that it is not forgotten. @returns ends it */
function keepTelling(koa: KoaContext, content: Readable, request: PushRequest): () => void {
  const keepAlive = stillWorking(request);
  if (!keepAlive) return () => undefined;
  const timer = setInterval(() => {
    if (!content.readableEnded || koa.res.destroyed) return;
    koa.respond = false;
    koa.res.write(keepAlive);
  }, STILL_WORKING_MS);
  return () => clearInterval(timer);
}

/**
 * Serves a push over smart HTTP: the ref advertisement and the push itself (decisions/0043-pushes.md).
 * @throws errors of finding the project, of the body, and of requests that are not a push
 */
export function servePush(
  koa: KoaContext,
  services: ApiServices,
  ctx: Context<Caller>,
  request: GitRequest,
): Promise<void> {
  // Its response holds almost no memory, however many rows it reads.
  return answerInHand.exit(async () => {
    const target = await findPushDestination(ctx, request.fullPath);
    if (request.rest === 'info/refs') await announce(koa, target);
    else await take(koa, services, target);
  });
}
