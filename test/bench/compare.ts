import { isDeepStrictEqual } from 'node:util';
import type { Child } from './child.js';
import { report } from './goal.js';
import type { Effort, Goal } from './goal.js';
import { latencies, peakRate, warmUp } from './load.js';
import type { Site } from './site.js';
import { median, quantile, withSpread } from './statistics.js';

/** At half of the service's peak its p90 may be this much of the twin's. */
const P90_TIMES = 2;
/** Differ between requests, or belong to the connection. */
const VARYING = new Set(['date', 'x-request-id', 'x-service-meta', 'x-gitlab-meta', 'x-runtime']);

/** The contents of the request; a body is sent by POST. */
interface Sent {
  headers: Record<string, string>;
  body: string | undefined;
}

interface Endpoint {
  name: string;
  path: string;
  share: number;
  /** Null sends no credential. */
  token: string | null;
  /** Requests before it is measured, where fewer than usual do. */
  warmUp?: number;
  /** Sent as JSON by POST. */
  post?: object;
  /** Keys of an answer to a POST that differ each time. */
  unlike?: readonly string[];
}

interface Side {
  child: Child;
  url: string;
}

/** The response without the parts that always differ, in the same order. */
function masked(text: string, unlike: readonly string[]): string {
  if (unlike.length === 0) return text;
  const record = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(record).map(([key, value]) => [key, unlike.includes(key) ? typeof value : value]),
    ),
  );
}

async function getAnswer(url: string, { headers, body }: Sent, unlike: readonly string[]) {
  const response = await fetch(url, {
    // The twin compresses nothing.
    headers: {
      'accept-encoding': 'identity',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  const steady = [...response.headers].filter(([name]) => !VARYING.has(name));
  const varying = [...VARYING].filter((name) => response.headers.has(name));
  const answered = Object.fromEntries(steady);
  // A digest, or a length, of what differs.
  if (unlike.length > 0)
    for (const name of ['etag', 'content-length']) if (name in answered) answered[name] = 'differs';
  return { status: response.status, body: masked(await response.text(), unlike), headers: answered, varying };
}

type Found = Awaited<ReturnType<typeof getAnswer>>;

function firstDifference(ours: string, theirs: string): string {
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(at - 40, 0), at + 40);
  return `body from byte ${at}: ${around(ours)} | ${around(theirs)}`;
}

function differences(ours: Found, theirs: Found): string[] {
  const found = ours.status === theirs.status ? [] : [`status: ${ours.status} | ${theirs.status}`];
  for (const name of new Set([...Object.keys(ours.headers), ...Object.keys(theirs.headers)]))
    if (ours.headers[name] !== theirs.headers[name])
      found.push(`${name}: ${ours.headers[name]} | ${theirs.headers[name]}`);
  if (ours.body !== theirs.body) found.push(firstDifference(ours.body, theirs.body));
  if (!isDeepStrictEqual(ours.varying, theirs.varying))
    found.push(`${String(ours.varying)} | ${String(theirs.varying)}`);
  return found;
}

/** @throws unless both answer 200, or 201, with the same bytes and the same headers */
async function requireSameAnswer(service: Side, twin: Side, sent: Sent, unlike: readonly string[]) {
  const [ours, theirs] = [await getAnswer(service.url, sent, unlike), await getAnswer(twin.url, sent, unlike)];
  if (ours.status !== (sent.body === undefined ? 200 : 201))
    throw new Error(`the service answers ${ours.status}: ${ours.body.slice(0, 200)}`);
  const found = differences(ours, theirs);
  if (found.length > 0) throw new Error(`service | twin differ, so there is nothing to compare: ${found.join('; ')}`);
}

interface Turn {
  rate: number;
  /** CPU time of the process for one request, in milliseconds. */
  cpuMs: number | null;
}

async function turn(side: Side, sent: Sent, seconds: number): Promise<Turn> {
  const [before, began] = [await side.child.cpuMs(), performance.now()];
  const rate = await peakRate(side.url, sent.headers, seconds, sent.body);
  const requests = (rate * (performance.now() - began)) / 1000;
  const after = await side.child.cpuMs();
  return { rate, cpuMs: before === null || after === null ? null : (after - before) / requests };
}

const getCpu = (turns: readonly Turn[]) => median(turns.map(({ cpuMs }) => cpuMs ?? Number.NaN));

/** Peak rates in turns, service and twin; the goal is their ratio. */
async function compareRates(service: Side, twin: Side, sent: Sent, effort: Effort, share: number) {
  const turns: { ours: Turn; theirs: Turn }[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    const ours = await turn(service, sent, effort.seconds);
    const theirs = await turn(twin, sent, effort.seconds);
    turns.push({ ours, theirs });
  }
  const ratios = turns.map(({ ours, theirs }) => ours.rate / theirs.rate);
  const ours = turns.map((each) => each.ours);
  const theirs = turns.map((each) => each.theirs);
  report(
    `requests/s: service ${withSpread(
      ours.map(({ rate }) => rate),
      0,
    )}, twin ${withSpread(
      theirs.map(({ rate }) => rate),
      0,
    )}`,
  );
  report(`CPU ms/request: service ${getCpu(ours).toFixed(3)}, twin ${getCpu(theirs).toFixed(3)}`);
  const goal = {
    target: `>= ${share} of the twin's rate`,
    measured: withSpread(ratios),
    holds: median(ratios) >= share,
  };
  return { goal, peak: median(ours.map(({ rate }) => rate)) };
}

/** p90 in an open loop at half of the service's peak, in turns. */
async function compareLatencies(service: Side, twin: Side, sent: Sent, effort: Effort, rate: number) {
  const p90s: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    const ours = quantile(await latencies(service.url, sent.headers, rate, effort.seconds, sent.body), 0.9);
    const theirs = quantile(await latencies(twin.url, sent.headers, rate, effort.seconds, sent.body), 0.9);
    p90s.push({ ours, theirs });
  }
  report(
    `p90 at ${Math.round(rate)}/s: service ${withSpread(
      p90s.map(({ ours }) => ours),
      2,
      ' ms',
    )}, ` +
      `twin ${withSpread(
        p90s.map(({ theirs }) => theirs),
        2,
        ' ms',
      )}`,
  );
  const ratios = p90s.map(({ ours, theirs }) => ours / theirs);
  return {
    target: `p90 at half load <= ${P90_TIMES} x the twin's`,
    measured: withSpread(ratios),
    holds: median(ratios) <= P90_TIMES,
  };
}

/** Measures one endpoint compared with its twin, each in a separate process, alternating. */
export async function compare(site: Site, effort: Effort, endpoint: Endpoint): Promise<Goal[]> {
  const [api, twinProcess] = [await site.api(), await site.twin()];
  try {
    const service: Side = { child: api, url: api.url + endpoint.path };
    const twin: Side = { child: twinProcess, url: twinProcess.url + endpoint.path };
    const headers: Record<string, string> = endpoint.token === null ? {} : { 'private-token': endpoint.token };
    const sent: Sent = { headers, body: endpoint.post && JSON.stringify(endpoint.post) };
    await requireSameAnswer(service, twin, sent, endpoint.unlike ?? []);
    for (const { url } of [service, twin]) await warmUp(url, sent.headers, endpoint.warmUp, sent.body);
    const { goal, peak } = await compareRates(service, twin, sent, effort, endpoint.share);
    const latency = await compareLatencies(service, twin, sent, effort, peak / 2);
    return [
      { name: endpoint.name, ...goal },
      { name: `${endpoint.name} latency`, ...latency },
    ];
  } finally {
    await api.stop();
    await twinProcess.stop();
  }
}
