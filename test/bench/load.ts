import { Agent, request } from 'node:http';
import autocannon from 'autocannon';

const CONNECTIONS = 32;
/** Requests that may wait at once in an open loop; more means that the server does not keep up. */
const WAITING_AT_MOST = 4096;
/** Connections of an open loop; more requests wait for one of them, and their time counts. */
const OPEN_CONNECTIONS = 256;

/** Requests after which code is compiled, caches are full and statements are prepared on every connection. */
const WARM_UP = 4000;

/** A question, or JSON that is posted. */
const sentAs = (headers: Record<string, string>, body: string | undefined) =>
  body === undefined
    ? { method: 'GET' as const, headers }
    : { method: 'POST' as const, headers: { ...headers, 'content-type': 'application/json' }, body };

/** Sends requests until the server has reached its full speed. */
export async function warmUp(
  url: string,
  headers: Record<string, string>,
  amount = WARM_UP,
  body?: string,
): Promise<void> {
  await autocannon({ url, ...sentAs(headers, body), connections: CONNECTIONS, amount });
}

/** The requests per second that a server answers if 32 connections send without a pause. */
export async function peakRate(
  url: string,
  headers: Record<string, string>,
  seconds: number,
  body?: string,
): Promise<number> {
  const result = await autocannon({
    url,
    ...sentAs(headers, body),
    connections: CONNECTIONS,
    duration: seconds,
    sampleInt: 100,
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed.`);
  return result.requests.total / result.duration;
}

function ask(url: string, headers: Record<string, string>, agent: Agent, body?: string): Promise<void> {
  const { method, headers: all } = sentAs(headers, body);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: all, agent }, (response) => {
      response.resume();
      response.once('end', () =>
        response.statusCode === 200 || response.statusCode === 201
          ? resolve()
          : reject(new Error(`${response.statusCode}`)),
      );
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/**
 * Sends at a fixed rate, whether or not answers come back (an open loop), and answers each request's time in
 * milliseconds, from being sent to its last byte.
 * @throws when more than {@link WAITING_AT_MOST} wait at once
 */
export async function latencies(
  url: string,
  headers: Record<string, string>,
  rate: number,
  seconds: number,
  body?: string,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: OPEN_CONNECTIONS });
  const times: number[] = [];
  const waiting = new Set<Promise<void>>();
  let failure: unknown = null;
  const send = () => {
    const began = performance.now();
    const answered: Promise<void> = ask(url, headers, agent, body)
      .then(() => void times.push(performance.now() - began))
      .catch((error: unknown) => (failure = error))
      .finally(() => waiting.delete(answered)) as Promise<void>;
    waiting.add(answered);
  };
  const total = Math.ceil(rate * seconds);
  const started = performance.now();
  for (let sent = 0; sent < total && failure === null;) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * rate) + 1);
    for (; sent < due; sent += 1) send();
    if (waiting.size > WAITING_AT_MOST) failure = new Error(`${url} does not keep up with ${rate} requests a second.`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(waiting);
  agent.destroy();
  if (failure !== null) throw failure;
  return times;
}
