import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** An address to connect to, already validated; not a host name. */
export interface RemoteAddress {
  host: string;
  port: number;
}

/** How git gets there through the relay: by itself (`git:`), or as its proxy (`http:`, `https:`). */
export type RelayKind = 'direct' | 'socks';

const SOCKS = 5;
const NO_PASSWORD = 0;
const CONNECT = 1;
/** Bytes of an address of each kind, excluding the port; a name contains its own length. */
const ADDRESS_BYTES: Record<number, number> = { 1: 4, 4: 16 };
const NAME = 3;
/** "Connected", with a bind address that clients ignore. */
const CONNECTED = Buffer.from([SOCKS, 0, 0, 1, 0, 0, 0, 0, 0, 0]);

/** Length of the request at the start of `data`, or null while it is incomplete; throws for other data. */
function questionLength(data: Buffer): number | null {
  if (data.length < 5) return null;
  if (data[0] !== SOCKS || data[1] !== CONNECT) throw new Error('not a question of SOCKS 5');
  const kind = data[3] as number;
  const bytes = kind === NAME ? 1 + (data[4] as number) : ADDRESS_BYTES[kind];
  if (bytes === undefined) throw new Error('an address of an unknown kind');
  return data.length < 6 + bytes ? null : 6 + bytes;
}

/** Answers a client that uses the relay as a SOCKS proxy. The requested destination is ignored: there is only one. */
function greet(client: Socket, onReady: (rest: Buffer) => void): void {
  let data = Buffer.alloc(0);
  let greeted = false;
  const read = (piece: Buffer) => {
    data = Buffer.concat([data, piece]);
    try {
      if (!greeted) {
        if (data.length < 2 || data.length < 2 + (data[1] as number)) return;
        data = data.subarray(2 + (data[1] as number));
        greeted = true;
        client.write(Buffer.from([SOCKS, NO_PASSWORD]));
      }
      const length = questionLength(data);
      if (length === null) return;
      client.off('data', read);
      client.pause();
      client.write(CONNECTED);
      onReady(data.subarray(length));
    } catch {
      client.destroy();
    }
  };
  client.on('data', read);
}

/** How long a relay waits for the other end. */
export interface RelayWaits {
  /** Milliseconds without a byte that end a connection, its making among them. */
  silenceMs: number;
  /** Bytes that must come in `slowMs` milliseconds; 0 where git itself watches that. */
  leastBytes: number;
  slowMs: number;
}

/**
 * A local proxy through which git reaches one address and no other, regardless of redirects or names. It measures how
 * long that address has been silent: git itself would wait forever.
 */
export class Relay {
  /** Whether a connection was closed because the remote was silent for too long. */
  silent = false;
  /** Whether a connection was closed because the remote was nearly silent for too long. */
  slow = false;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));

  constructor(
    private readonly target: RemoteAddress,
    private readonly kind: RelayKind,
    private readonly waits: RelayWaits,
  ) {}

  /** @returns the port to connect to, on 127.0.0.1 */
  async open(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return (this.#server.address() as { port: number }).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => this.#sockets.delete(socket));
  }

  #accept(client: Socket): void {
    this.#keep(client);
    if (this.kind === 'socks') greet(client, (rest) => this.#join(client, rest));
    else this.#join(client, Buffer.alloc(0));
  }

  #join(client: Socket, rest: Buffer): void {
    const remote = this.#keep(connect({ ...this.target, allowHalfOpen: true }));
    const { silenceMs, leastBytes } = this.waits;
    remote.setTimeout(silenceMs, () => {
      // Held up by git, which is still busy with what it got: that is not the other end's silence.
      if (client.writableNeedDrain) return void remote.setTimeout(silenceMs);
      this.silent = true;
      remote.destroy();
    });
    if (leastBytes > 0) remote.once('connect', () => this.#watchRate(client, remote));
    if (rest.length > 0) remote.write(rest);
    client.pipe(remote);
    remote.pipe(client);
    // What came before a proper end is still on its way to git.
    remote.on('close', () => void (remote.readableEnded || client.destroy()));
    client.on('close', () => remote.destroy());
  }

  /** Counts what comes, from each word of git's on: what git takes to say it is not the other end's time. */
  #watchRate(client: Socket, remote: Socket): void {
    const { leastBytes, slowMs } = this.waits;
    let bytes = 0;
    const timer = setTimeout(() => {
      if (bytes < leastBytes && !client.writableNeedDrain) {
        this.slow = true;
        return void remote.destroy();
      }
      bytes = 0;
      timer.refresh();
    }, slowMs);
    remote.on('data', (piece: Buffer) => (bytes += piece.length)).on('close', () => clearTimeout(timer));
    client.on('data', () => {
      bytes = 0;
      if (!remote.destroyed) timer.refresh();
    });
  }
}
