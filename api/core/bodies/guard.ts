import type { Context as KoaContext } from 'koa';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Claim } from '../../../shared/core/bytes/claim.js';
import { BadParams, TooLarge } from '../../../shared/core/values/errors.js';
import { BodyTooSlow, ConnectionLost } from '../http-errors.js';
import { watchRate } from '../traffic.js';
import type { TrafficLimits } from '../traffic.js';
import type { ApiServices } from '../services.js';

/** An unread body and its limits. The sender is known from the request's headers. */
export interface Body {
  koa: KoaContext;
  caller: Caller;
  /** Maximum bytes of JSON, of a form, or of the fields of a multipart body. */
  limit: number;
  limits: TrafficLimits;
  claim: Claim;
}

/**
 * Opens the body of a request. All reading of bodies goes through this function, so each reader has to identify the
 * caller first.
 * @throws ConnectionLost if the client has already disconnected: memory claimed for its body would never be released
 */
export function openBody({ traffic }: ApiServices, koa: KoaContext, caller: Caller): Body {
  if (koa.res.closed) throw new ConnectionLost();
  const { limits } = traffic;
  const limit = caller.kind === 'anonymous' ? limits.anonymousBodyBytes : limits.bodyBytes;
  return { koa, caller, limit, limits, claim: traffic.claimBody(koa, caller) };
}

export const hasBody = ({ req: { headers } }: KoaContext): boolean =>
  (headers['content-length'] ?? headers['transfer-encoding'] ?? '0') !== '0';

/** The body does not match its `Content-Type`. */
export const mismatch = () => new BadParams(['message body does not match declared format']);

/** Runs a step of the body's reader, unless reading was already aborted; an error in the step aborts it. */
export type Attempt = (step: () => void) => void;

/**
 * Monitors a body that another function reads, from before its first byte to its end: counts its bytes, and aborts it
 * if it stalls or the client disconnects. The reader receives the cause as an error of the request, and it is thrown
 * here; the rest of the body remains unread (`unread.ts`). Time during which the reader pauses the request does not
 * count against the client.
 * @param limit maximum bytes, whatever its `Content-Length` claims
 * @param inspect receives each chunk before the reader does
 * @param read starts the reader; resolves once everything is read, and rejects if the body is malformed
 * @throws TooLarge, BodyTooSlow, ConnectionLost, BadParams, and errors of `inspect` and of the steps of `read`
 */
export async function guardBody(
  { koa, limits }: Body,
  limit: number,
  inspect: (chunk: Buffer) => void,
  read: (attempt: Attempt) => Promise<unknown>,
): Promise<void> {
  const { req: request, res: response } = koa;
  if (Number(koa.get('content-length')) > limit) throw new TooLarge();
  if (request.destroyed) throw new ConnectionLost();
  const bodyEnd = Promise.withResolvers<void>();
  let bytes = 0;
  let problem: unknown;
  const abort = (error: unknown) => {
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
      abort(error);
    }
  };
  const onData = (chunk: Buffer) =>
    attempt(() => {
      bytes += chunk.length;
      if (bytes > limit) throw new TooLarge();
      inspect(chunk);
    });
  const onClose = () => request.readableEnded || abort(new ConnectionLost());
  const onError = () => undefined;
  // The rate does not count while the reader pauses, nor once the whole body is here and is only being unpacked.
  const receivedBytes = () => (request.isPaused() || request.complete ? null : bytes);
  const stopWatch = watchRate(limits.minimumRate, receivedBytes, () => abort(new BodyTooSlow()));
  // These listeners precede the reader's. Unlike `on`, `prependListener` does not start the flow of data yet.
  request.prependListener('data', onData).prependListener('end', bodyEnd.resolve).prependListener('close', onClose);
  // There may be no other error listener left, and an error without one would be thrown.
  request.on('error', onError);
  // The client waits for this response before it sends the body.
  if (request.headers.expect?.toLowerCase() === '100-continue' && !response.headersSent) response.writeContinue();
  try {
    await Promise.all([read(attempt), bodyEnd.promise]);
  } catch {
    abort(mismatch());
    request.pause();
  } finally {
    stopWatch();
    request.off('data', onData).off('end', bodyEnd.resolve).off('close', onClose).off('error', onError);
  }
  if (problem !== undefined) throw problem;
}
