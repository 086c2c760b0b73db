import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { countKey } from '../context/callers.js';
import type { Caller } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { Limiter } from '../values/limiter.js';
import { addressesToAsk, firstToAnswer, outboundProblem, OutboundRejectedError } from './outbound.js';

/** The content of the request, and the limits for the time and size of the response. */
interface OutboundPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Until the whole answer is there, with waiting for a turn and looking its address up. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** The other service did not answer in its time. */
export class OutboundTimeout extends Error {}

/** The response is not acceptable: an unexpected status, such as a redirect, or too large. */
class OutboundResponseError extends Error {}

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
  if (answer.statusCode !== 200) throw new OutboundResponseError(`The answer has status ${answer.statusCode}`);
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
function postTo(url: URL, address: string, { headers, body, maxBytes }: OutboundPost, signal: AbortSignal) {
  const family = isIPv6(address) ? 6 : 4;
  const lookup: LookupFunction = (_host, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family);
  return new Promise<string>((resolve, reject) => {
    const sent = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), 'User-Agent': 'capstan' };
    const options = { method: 'POST', lookup, headers: sent, agent: false, signal };
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (answer) => {
      readAnswer(answer, maxBytes)
        .then(resolve, reject)
        .finally(() => answer.destroy());
    });
    request.on('error', reject);
    request.end(body);
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

/**
 * Posts to a service that administrators configured, by the rules of decision 20: only to allowed addresses, each
 * checked beforehand. Redirects are not followed. At most {@link POSTS_AT_ONCE} run at once, which bounds the effect of
 * a service that hangs. Never call it within a transaction, which would hold its rows and its connection in the
 * meantime.
 * @returns the body of the response, whose status is 200
 * @throws OutboundRejectedError, OutboundTimeout, OutboundResponseError, and connection errors
 */
export async function postOutbound(ctx: Context<Caller>, url: URL, post: OutboundPost): Promise<string> {
  if (ctx.inTransaction) throw new Error('Another service is asked within a transaction.');
  requireAllowed(ctx as Context, url);
  const signal = AbortSignal.timeout(post.timeoutMs);
  try {
    const send = async () =>
      firstToAnswer(await addressesToAsk(ctx as Context, url), (address) => postTo(url, address, post, signal));
    return await until(signal, inTurn(ctx, signal, send));
  } catch (error) {
    throw signal.aborted ? new OutboundTimeout() : error;
  }
}
