import type { Context as KoaContext } from 'koa';
import type { Caller } from '../../../shared/core/callers.js';
import type { Claim } from '../../../shared/core/bytes/byte-budget.js';
import { TooLarge } from '../../../shared/core/errors.js';
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

/** Small pieces are taken together: one byte each would cost more than all the rest. */
const TOGETHER_BYTES = 16 * 1024;
const TOGETHER_PIECES = 256;

/** What has arrived and is not taken yet. */
class Pieces {
  #waiting: Buffer[] = [];
  #bytes = 0;

  /** What to take now, if it is time. */
  add(piece: Buffer): Buffer | null {
    this.#waiting.push(piece);
    this.#bytes += piece.length;
    return this.#bytes >= TOGETHER_BYTES || this.#waiting.length >= TOGETHER_PIECES ? this.rest() : null;
  }

  rest(): Buffer {
    const [first] = this.#waiting;
    const all = this.#waiting.length === 1 && first ? first : Buffer.concat(this.#waiting, this.#bytes);
    this.#waiting = [];
    this.#bytes = 0;
    return all;
  }
}

/** The client waits to be told that its body is wanted. */
function askForBody({ req, res }: KoaContext) {
  if (req.headers.expect?.toLowerCase() === '100-continue' && !res.headersSent) res.writeContinue();
}

/**
 * Hands over a body as it arrives. What is left of it after an error stays unread (`unread-bodies.ts`).
 * @param limit bytes at most, whatever its `Content-Length` claims
 * @param take gets it piece by piece; the client waits while it returns a promise
 * @throws TooLarge, BodyTooSlow, ConnectionLost, and what `take` throws
 */
export async function receive(
  { koa, limits, claim }: Body,
  limit: number,
  take: (piece: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const { req: request } = koa;
  if (Number(koa.get('content-length')) > limit) throw new TooLarge();
  if (request.destroyed) throw new ConnectionLost();
  // What waits in pieces, which may be all that ever comes.
  claim.take(TOGETHER_BYTES);
  askForBody(koa);
  await new Promise<void>((resolve, reject) => {
    const pieces = new Pieces();
    let bytes = 0;
    let held = false;
    const finish = (error?: unknown) => {
      stop();
      request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost).pause();
      if (error === undefined) resolve();
      else reject(error as Error);
    };
    const hand = (piece: Buffer, then: () => void) => {
      try {
        const wait = take(piece);
        if (!wait) return then();
        held = true;
        request.pause();
        wait.then(() => {
          held = false;
          then();
        }, finish);
      } catch (error) {
        finish(error);
      }
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limit) return finish(new TooLarge());
      const piece = pieces.add(chunk);
      if (piece) hand(piece, () => request.resume());
    };
    const onEnd = () => {
      // It closes once it is complete.
      request.off('close', onLost);
      hand(pieces.rest(), finish);
    };
    const onLost = () => finish(new ConnectionLost());
    const stop = watchPace(
      limits.pace,
      () => (held ? null : bytes),
      () => finish(new BodyTooSlow()),
    );
    request.on('data', onData).once('end', onEnd).once('error', onLost).once('close', onLost);
  });
}
