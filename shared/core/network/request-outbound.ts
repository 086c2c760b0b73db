import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { countKey } from '../context/callers.js';
import type { Caller } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { Limiter } from '../values/limiter.js';
import { addressesToAsk, firstToAnswer, outboundProblem, OutboundRejectedError } from './outbound.js';

/** The limits for the time and size of the response. */
interface OutboundLimits {
  /** Until the whole answer is there, with waiting for a turn and looking its address up. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

interface OutboundPost extends OutboundLimits {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One request to one address. */
interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly maxBytes: number;
}

/** The other service did not answer in its time. */
export class OutboundTimeout extends Error {}

/** The response is not acceptable: an unexpected status, such as a redirect, or too large. */
export class OutboundResponseError extends Error {
  /** @param status of the response, where that is what is wrong with it */
  constructor(
    message: string,
    readonly status?: number,
    /** Where a redirect leads. */
    readonly location?: string,
  ) {
    super(message);
  }
}

const PORTS = [80, 443];

function requireAllowed(ctx: Context, url: URL): void {
  const port = Number(url.port || 0);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundRejectedError('Only http and https are asked');
  if (port !== 0 && port <= 1024 && !PORTS.includes(port))
    throw new OutboundRejectedError('Only ports 80, 443 and over 1024');
  const problem = outboundProblem(ctx, url);
  if (problem !== null) throw new OutboundRejectedError(problem);
}

/** The body of an answer of status 200, as text. */
async function readAnswer(answer: http.IncomingMessage, maxBytes: number): Promise<string> {
  const { statusCode: status, headers } = answer;
  if (status !== 200) throw new OutboundResponseError(`The answer has status ${status}`, status, headers.location);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new OutboundResponseError(`The answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Sends it to one address of the host, whatever its name means by then. */
function sendTo(url: URL, address: string, request: OutboundRequest, signal: AbortSignal) {
  const { method, headers, body, maxBytes } = request;
  const family = isIPv6(address) ? 6 : 4;
  const lookup: LookupFunction = (_host, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family);
  return new Promise<string>((resolve, reject) => {
    const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const options = {
      method,
      lookup,
      headers: { ...headers, ...length, 'User-Agent': 'capstan' },
      agent: false,
      signal,
    };
    const sent = (url.protocol === 'https:' ? https : http).request(url, options, (answer) => {
      readAnswer(answer, maxBytes)
        .then(resolve, reject)
        .finally(() => answer.destroy());
    });
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

/** Ends with the signal even if the awaited work does not, such as a name lookup. */
async function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop: (() => void) | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new OutboundTimeout());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}

/** Requests of a process at once, and of them those for one caller. Others wait, in the time that they have. */
export const POSTS_AT_ONCE = { all: 32, ofOne: 4 } as const;

const limiter = new Limiter({ capacity: POSTS_AT_ONCE.all });

/** Runs the work when the caller's turn comes; work that was aborted by then is not started. */
function inTurn<T>(ctx: Context<Caller>, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const caller = countKey(ctx.caller, ctx.origin.ip);
  const shares = [{ key: caller, limit: POSTS_AT_ONCE.ofOne }];
  return limiter.run(() => until(signal, work()), shares, { queue: caller, signal });
}

/** Sends a request to an allowed address of the URL's host, in the caller's turn. */
async function send(ctx: Context<Caller>, url: URL, request: OutboundRequest, signal: AbortSignal): Promise<string> {
  if (ctx.inTransaction) throw new Error('Another service is asked within a transaction.');
  requireAllowed(ctx as Context, url);
  try {
    const sendOnce = async () =>
      firstToAnswer(await addressesToAsk(ctx as Context, url), (address) => sendTo(url, address, request, signal));
    return await until(signal, inTurn(ctx, signal, sendOnce));
  } catch (error) {
    throw signal.aborted ? new OutboundTimeout() : error;
  }
}

/**
 * Posts to a service that administrators configured, by the rules of decision 20: only to allowed addresses, each
 * checked beforehand. Redirects are not followed. At most {@link POSTS_AT_ONCE} run at once, which bounds the effect of
 * a service that hangs. Never call it within a transaction, which would hold its rows and its connection in the
 * meantime.
 * @returns the body of the response, whose status is 200
 * @throws OutboundRejectedError, OutboundTimeout, OutboundResponseError, and connection errors
 */
export function postOutbound(ctx: Context<Caller>, url: URL, post: OutboundPost): Promise<string> {
  return send(ctx, url, { method: 'POST', ...post }, AbortSignal.timeout(post.timeoutMs));
}

const MAX_REDIRECTS = 3;
const isRedirect = (error: unknown): error is OutboundResponseError & { location: string } =>
  error instanceof OutboundResponseError &&
  [301, 302, 303, 307, 308].includes(error.status ?? 0) &&
  error.location !== undefined;

/**
 * Downloads a text from a URL that a user entered, by the same rules. Up to three redirects are followed; each target
 * is checked like the URL itself.
 * @returns the body of the response, whose status is 200
 * @throws OutboundRejectedError, OutboundTimeout, OutboundResponseError, and connection errors
 */
export async function getOutbound(ctx: Context<Caller>, url: URL, limits: OutboundLimits): Promise<string> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const request = { method: 'GET', headers: {}, body: null, maxBytes: limits.maxBytes } as const;
  let target = url;
  for (let redirects = 0; ; redirects += 1) {
    try {
      return await send(ctx, target, request, signal);
    } catch (error) {
      if (!isRedirect(error) || redirects === MAX_REDIRECTS || !URL.canParse(error.location, target.href)) throw error;
      target = new URL(error.location, target);
    }
  }
}
