import { guardBody } from './guard.js';
import type { Body } from './guard.js';
import { rejectContentEncoding } from './read-body.js';

/**
 * A body as it came, whatever its type.
 * @param limit bytes at most
 * @throws TooLarge, BodyTooSlow, ConnectionLost, Overloaded, UnsupportedType for one that is packed
 */
export async function readRaw(body: Body, limit: number): Promise<Buffer> {
  const { koa, claim } = body;
  rejectContentEncoding(koa);
  const pieces: Buffer[] = [];
  const take = (piece: Buffer) => {
    claim.take(piece.length);
    pieces.push(piece);
  };
  await guardBody(body, limit, take, () => Promise.resolve(koa.req.resume()));
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}
