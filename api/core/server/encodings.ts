import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context as KoaContext, Middleware } from 'koa';
import { getAnswerBytes } from '../traffic.js';

/** What answers are compressed by, in the order in which they are preferred. */
export const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** The effort for compression: of a single response, or of one that is cached and sent many times. */
type Effort = 'fast' | 'thorough';

const BROTLI_QUALITY: Record<Effort, number> = { fast: 4, thorough: 9 };
const GZIP_LEVEL: Record<Effort, number> = { fast: 6, thorough: 9 };

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses on a thread of its own: requests go on being answered meanwhile, whatever the size. */
export function compress(encoding: Encoding, content: string | Buffer, effort: Effort): Promise<Buffer> {
  if (encoding === 'gzip') return zip(content, { level: GZIP_LEVEL[effort] });
  return brotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}

/**
 * The best of these encodings that the client accepts; null if it prefers the uncompressed bytes. Browsers list all
 * encodings they support, the older ones first.
 */
export function acceptedEncoding(koa: KoaContext, offered: readonly Encoding[] = ENCODINGS): Encoding | null {
  if (koa.get('accept-encoding') === '') return null;
  if (koa.acceptsEncodings(...offered, 'identity') === 'identity') return null;
  return offered.find((encoding) => koa.acceptsEncodings(encoding) === encoding) ?? null;
}

/** Smaller answers are a packet or two either way. */
const LEAST_BYTES = 1024;

/** The APIs: everything else belongs to browser sessions, whose responses contain CSRF tokens and credentials. */
const BASE = '/api/';

/**
 * Compresses JSON of the APIs as the client reads it, unless it shows a secret (decision 88). Whole, not as a stream:
 * the answer keeps its length, and a client that does not read it is noticed.
 */
export const compressAnswers: Middleware = async (koa, next) => {
  await next();
  const { body } = koa;
  if (typeof body !== 'string' || (koa.length ?? 0) < LEAST_BYTES || !koa.path.startsWith(BASE)) return;
  if (koa.type !== 'application/json' || getAnswerBytes(koa)?.holdsSecret || koa.res.hasHeader('Content-Encoding'))
    return;
  const encoding = acceptedEncoding(koa);
  if (encoding === null) return;
  koa.body = await compress(encoding, body, 'fast');
  koa.set('Content-Encoding', encoding);
};
