import type { Context as KoaContext } from 'koa';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Claim } from '../../../shared/core/bytes/claim.js';
import { TooLarge } from '../../../shared/core/values/errors.js';
import { BodyTooSlow, ConnectionLost } from '../http-errors.js';
import { watchPace } from '../pace.js';
import type { ApiServices } from '../services.js';
import type { TrafficLimits } from '../traffic.js';

/** A body that nobody has read yet, and what may be taken for it. Who sends it is known from the request's head. */
export interface Body {
  koa: KoaContext;
  caller: Caller;
  /** Bytes of JSON, of a form or of a multipart body's fields at most. */
  limit: number;
  limits: TrafficLimits;
  claim: Claim;
}

/**
 * Opens the body of a request: every door to a body goes through here, so each has to know its caller first.
 * @param caller who asks, by headers, cookie and query
 * @throws ConnectionLost where the client is gone already: nothing would give back what is taken for its body
 */
export function openBody({ traffic }: ApiServices, koa: KoaContext, caller: Caller): Body {
  if (koa.res.closed) throw new ConnectionLost();
  const { limits } = traffic;
  const limit = caller.kind === 'anonymous' ? limits.anonymousBodyBytes : limits.bodyBytes;
  return { koa, caller, limit, limits, claim: traffic.claimBody(koa, caller) };
}

export function hasBody(koa: KoaContext): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = koa.req.headers;
  return length === undefined ? encoding !== undefined : length !== '0';
}

/** What a body is held to while somebody else reads it. */
interface Terms {
  /** Bytes at most, whatever its `Content-Length` claims. */
  limit: number;
  /** Sees each piece before its reader does, and once nothing at the end. What it throws ends the body. */
  inspect?: (piece: Buffer | null) => void;
}

/**
 * Watches over a body that somebody else reads, from before its first byte to its end: counts its bytes, and ends it
 * where it stalls or its client goes. What ends it is an error of the request to its reader, and is thrown here; what is
 * left of the body stays unread (`unread.ts`). While the reader pauses the request, the client is not waited for.
 * @param read begins to read; settled once all is read
 * @throws TooLarge, BodyTooSlow, ConnectionLost, and what `inspect` and `read` throw
 */
export async function guarded<R>({ koa, limits }: Body, { limit, inspect }: Terms, read: () => Promise<R>): Promise<R> {
  const { req: request, res: response } = koa;
  if (Number(koa.get('content-length')) > limit) throw new TooLarge();
  if (request.destroyed) throw new ConnectionLost();
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let bytes = 0;
  let problem: unknown;
  const end = (error: unknown) => {
    if (problem !== undefined) return;
    problem = error;
    reject(error as Error);
    request.pause();
    request.emit('error', error);
  };
  const check = (piece: Buffer | null) => {
    try {
      inspect?.(piece);
    } catch (error) {
      end(error);
    }
  };
  const onData = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > limit) end(new TooLarge());
    else if (problem === undefined) check(piece);
  };
  const onEnd = () => {
    check(null);
    // It closes once it is complete.
    request.off('close', onLost);
    resolve();
  };
  const onLost = () => end(new ConnectionLost());
  // Nobody else may listen any more.
  const onError = () => undefined;
  const stopWatch = watchPace(
    limits.pace,
    () => (request.isPaused() ? null : bytes),
    () => end(new BodyTooSlow()),
  );
  // In front of the reader, and without making the request flow before that.
  request.prependListener('data', onData).prependListener('end', onEnd).prependListener('close', onLost);
  request.on('error', onError);
  // The client waits to be told that its body is wanted.
  if (request.headers.expect?.toLowerCase() === '100-continue' && !response.headersSent) response.writeContinue();
  try {
    return (await Promise.all([read(), ended]))[0];
  } catch (error) {
    request.pause();
    throw problem ?? error;
  } finally {
    stopWatch();
    request.off('data', onData).off('end', onEnd).off('close', onLost).off('error', onError);
  }
}
