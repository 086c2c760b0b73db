import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Attackers have an address of their own where loopback has several: else they would share the others'. */
const ADDRESS = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};
/** The pause between two requests of an attacker whose connection failed. */
const PAUSE_MS = 50;

export interface AttackRequest {
  path: string;
  method?: string;
  token?: string;
  headers?: Record<string, string>;
  /** Sent as JSON unless `headers` say otherwise. */
  body?: string | Buffer;
  /** Goes away after so long, without waiting for the answer. */
  leaveAfterMs?: number;
  /** Comes from the address that the others have. */
  sameAddress?: boolean;
  /** Reads the answer; else it is read and forgotten. */
  read?: (answer: IncomingMessage) => void;
}

/** What attackers share: where the service is, when to stop, and what they were answered. */
export class Attackers {
  /** Statuses, and how requests without one ended. */
  readonly counts: Record<string, number> = {};

  constructor(
    readonly url: string,
    readonly stop: AbortSignal,
  ) {}

  note(what: string | number): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** So many at a time, each again and again until the attack is over. */
  async several(count: number, work: (attacker: number) => Promise<unknown>): Promise<void> {
    const one = async (attacker: number) => {
      while (!this.stop.aborted) await work(attacker);
    };
    await Promise.all(Array.from({ length: count }, (_, attacker) => one(attacker)));
  }

  /** One request on a connection of its own, to the last byte of its answer. */
  async ask({
    path,
    method = 'GET',
    token,
    headers,
    body,
    leaveAfterMs,
    sameAddress,
    read,
  }: AttackRequest): Promise<void> {
    const sent = request(this.url + path, {
      method,
      agent: false,
      ...(sameAddress ? {} : ADDRESS),
      signal: leaveAfterMs === undefined ? this.stop : AbortSignal.any([this.stop, AbortSignal.timeout(leaveAfterMs)]),
      headers: {
        ...(token === undefined ? {} : { 'private-token': token }),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    const exit = new Promise<string>((resolve) => {
      sent.once('response', (answer: IncomingMessage) => {
        answer.once('error', () => resolve(`${answer.statusCode}, cut`));
        answer.once('end', () => resolve(String(answer.statusCode)));
        if (read) read(answer);
        else answer.resume();
      });
      sent.once('error', (error: NodeJS.ErrnoException) =>
        resolve(error.name === 'AbortError' ? 'left' : (error.code ?? error.name)),
      );
    });
    sent.end(body);
    const how = await exit;
    this.note(how);
    if (!/^\d+$|^left$/.test(how)) await this.pause(PAUSE_MS);
  }

  /** A bare connection, closed when the attack is over. */
  connect(): Socket {
    const { hostname, port } = new URL(this.url);
    const socket = connect({ host: hostname, port: Number(port), ...ADDRESS });
    socket.on('error', (error: NodeJS.ErrnoException) => this.note(error.code ?? error.name));
    this.stop.addEventListener('abort', () => socket.destroy(), { once: true });
    return socket;
  }

  /** Waits, but not beyond the end of the attack. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stop }).catch(() => undefined);
  }
}
