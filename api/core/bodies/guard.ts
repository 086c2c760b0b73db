import type { Context as KoaContext } from 'koa';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Claim } from '../../../shared/core/bytes/claim.js';
import { BadParams, TooLarge } from '../../../shared/core/values/errors.js';
import { BodyTooSlow, ConnectionLost } from '../http-errors.js';
import { watchRate } from '../traffic.js';
import type { TrafficLimits } from '../traffic.js';
import type { ApiServices } from '../services.js';

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
 * @throws ConnectionLost where the client is gone already: nothing would give back what is taken for its body
 */
export function openBody({ traffic }: ApiServices, koa: KoaContext, caller: Caller): Body {
  if (koa.res.closed) throw new ConnectionLost();
  const { limits } = traffic;
  const limit = caller.kind === 'anonymous' ? limits.anonymousBodyBytes : limits.bodyBytes;
  return { koa, caller, limit, limits, claim: traffic.claimBody(koa, caller) };
}

export const hasBody = ({ req: { headers } }: KoaContext): boolean =>
  (headers['content-length'] ?? headers['transfer-encoding'] ?? '0') !== '0';

/** The body is not what its `Content-Type` says. */
export const mismatch = () => new BadParams(['message body does not match declared format']);

/** Runs a step of whoever reads a body, unless the body has ended already; what it throws ends the body. */
export type Attempt = (step: () => void) => void;

/**
 * Watches over a body that somebody else reads, from before its first byte to its end: counts its bytes, and ends it
 * where it stalls or its client goes. What ends it is an error of the request to its reader, and is thrown here; what is
 * left of the body stays unread (`unread.ts`). While the reader pauses the request, the client is not waited for.
 * @param limit bytes at most, whatever its `Content-Length` claims
 * @param inspect sees each piece before its reader does
 * @param read begins to read; settled once all is read. Where it fails the body is not what it says
 * @throws TooLarge, BodyTooSlow, ConnectionLost, BadParams, and what `inspect` and the steps of `read` throw
 */
export async function guarded(
  { koa, limits }: Body,
  limit: number,
  inspect: (piece: Buffer) => void,
  read: (attempt: Attempt) => Promise<unknown>,
): Promise<void> {
  const { req: request, res: response } = koa;
  if (Number(koa.get('content-length')) > limit) throw new TooLarge();
  if (request.destroyed) throw new ConnectionLost();
  const bodyEnd = Promise.withResolvers<void>();
  let bytes = 0;
  let problem: unknown;
  const end = (error: unknown) => {
    if (problem !== undefined) return;
    const { code } = error as NodeJS.ErrnoException;
    problem = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? mismatch() : error;
    bodyEnd.reject(problem as Error);
    request.pause();
    request.emit('error', problem);
  };
  const attempt: Attempt = (step) => {
    try {
      if (problem === undefined) step();
    } catch (error) {
      end(error);
    }
  };
  const onData = (piece: Buffer) =>
    attempt(() => {
      bytes += piece.length;
      if (bytes > limit) throw new TooLarge();
      inspect(piece);
    });
  const onClose = () => request.readableEnded || end(new ConnectionLost());
  const onError = () => undefined;
  // Nor is it once all is here: what goes on then is unpacking.
  const moved = () => (request.isPaused() || request.complete ? null : bytes);
  const stopWatch = watchRate(limits.minimumRate, moved, () => end(new BodyTooSlow()));
  // In front of the reader, and without making the request flow before that.
  request.prependListener('data', onData).prependListener('end', bodyEnd.resolve).prependListener('close', onClose);
  // Nobody else may listen any more.
  request.on('error', onError);
  // The client waits to be told that its body is wanted.
  if (request.headers.expect?.toLowerCase() === '100-continue' && !response.headersSent) response.writeContinue();
  try {
    await Promise.all([read(attempt), bodyEnd.promise]);
  } catch {
    end(mismatch());
    request.pause();
  } finally {
    stopWatch();
    request.off('data', onData).off('end', bodyEnd.resolve).off('close', onClose).off('error', onError);
  }
  if (problem !== undefined) throw problem;
}
