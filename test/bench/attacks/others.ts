import { Agent, request } from 'node:http';
import { quantile } from '../statistics.js';
import type { Ground } from './ground.js';

/** Who waits longer gives up. */
const TIMEOUT_MS = 30_000;
/** More than the concurrent requests: no request waits here for a connection. */
const CONNECTIONS = 4096;

interface Question {
  kind: string;
  path: string;
  body?: string;
  token?: string;
  perSecond: number;
}

interface Sample {
  kind: string;
  /** By `performance.now()`. */
  sent: number;
  ms: number;
  /** Or how it ended without one. */
  status: string;
}

/** A time range, by `performance.now()`. */
export interface Span {
  from: number;
  to: number;
}

/** Needs neither git nor the database: it shows how long the process itself is blocked. */
const STILL = 'page';
/** What people are measured by. */
export const KINDS = ['project', 'file', 'graphql'] as const;

/**
 * Callers who do nothing wrong: a few requests a second of each kind, sent whether or not answers come back, on
 * connections of their own.
 */
export class Others {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #waiting = new Set<Promise<void>>();
  readonly #samples: Sample[] = [];

  private constructor(private readonly url: string) {}

  /** Starts to send requests. */
  static async start(ground: Ground): Promise<Others> {
    const { token, projectId, userId } = ground.site.data;
    const { id, full_path } = await ground.newProject(userId);
    const query = `{ currentUser { username } project(fullPath: "${full_path}") { name } }`;
    const others = new Others(ground.api.url);
    others.#ask({ kind: 'project', path: `/api/v4/projects/${projectId}`, token, perSecond: 10 });
    const file = `/api/v4/projects/${id}/repository/files/README.md?ref=HEAD`;
    others.#ask({ kind: 'file', path: file, token, perSecond: 4 });
    others.#ask({ kind: 'graphql', path: '/api/graphql', token, body: JSON.stringify({ query }), perSecond: 5 });
    others.#ask({ kind: STILL, path: '/users/sign_in', perSecond: 10 });
    return others;
  }

  #ask(question: Question): void {
    const send = () => {
      const sent = performance.now();
      const sample: Sample = { kind: question.kind, sent, ms: Infinity, status: 'under way' };
      this.#samples.push(sample);
      const answered: Promise<void> = this.#answer(question).then((status) => {
        this.#waiting.delete(answered);
        Object.assign(sample, { ms: performance.now() - sent, status });
      });
      this.#waiting.add(answered);
    };
    this.#timers.push(setInterval(send, 1000 / question.perSecond));
  }

  #answer({ path, body, token }: Question): Promise<string> {
    return new Promise((resolve) => {
      const sent = request(this.url + path, {
        agent: this.#agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(token === undefined ? { accept: 'text/html' } : { 'private-token': token }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      sent.once('response', (response) => {
        response.resume();
        response.once('end', () => resolve(String(response.statusCode)));
        response.once('error', () => resolve('cut'));
      });
      sent.once('error', (error: NodeJS.ErrnoException) =>
        resolve(error.name === 'AbortError' ? `none in ${TIMEOUT_MS / 1000} s` : (error.code ?? error.name)),
      );
      sent.end(body);
    });
  }

  #within({ from, to }: Span, kind?: string): Sample[] {
    return this.#samples.filter(
      (sample) => sample.sent >= from && sample.sent < to && (kind === undefined || sample.kind === kind),
    );
  }

  /** Milliseconds of the requests of one kind that were sent in a time range; so far, of those under way. */
  p90(kind: string, span: Span): number {
    const now = performance.now();
    const times = this.#within(span, kind).map(({ ms, sent }) => Math.min(ms, now - sent));
    return quantile(times, 0.9);
  }

  /** The p90 of the slowest kind. */
  slowest(span: Span): number {
    return Math.max(...KINDS.map((kind) => this.p90(kind, span)));
  }

  /** The longest that a page without git and database took, in milliseconds. */
  longestStill(span: Span): number {
    return Math.max(...this.#within(span, STILL).map(({ ms }) => ms));
  }

  /** How often each status was answered. */
  statuses(span: Span): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { status } of this.#within(span)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  async stop(): Promise<void> {
    this.#timers.forEach(clearInterval);
    await Promise.all(this.#waiting);
    this.#agent.destroy();
  }
}
