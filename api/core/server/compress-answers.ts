import type { Middleware } from 'koa';
import { answerBytesOf } from '../traffic.js';
import { acceptedEncoding, compress } from './encodings.js';

/** Smaller answers are a packet or two either way. */
const LEAST_BYTES = 1024;

/** The APIs: what is beside them belongs to the sessions of browsers, whose answers hold CSRF tokens and credentials. */
const BASE = '/api/';

/**
 * Compresses JSON of the APIs as the client reads it, unless it shows a secret (decision 92). Whole, not as a stream:
 * the answer keeps its length, and a client that does not read it is noticed.
 */
export const compressAnswers: Middleware = async (koa, next) => {
  await next();
  const { body } = koa;
  if (typeof body !== 'string' || (koa.length ?? 0) < LEAST_BYTES || !koa.path.startsWith(BASE)) return;
  if (koa.type !== 'application/json' || answerBytesOf(koa)?.holdsSecret || koa.res.hasHeader('Content-Encoding'))
    return;
  const encoding = acceptedEncoding(koa);
  if (encoding === null) return;
  koa.body = await compress(encoding, body, 'fast');
  koa.set('Content-Encoding', encoding);
};
