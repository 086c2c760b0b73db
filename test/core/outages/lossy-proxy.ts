import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A proxy in front of a database that simulates network losses. */
export class LossyProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #passes = true;
  #url!: URL;

  constructor() {
    this.#server = createServer((near) => this.#take(near));
  }

  /** Starts proxying to the server of a URL. @returns the URL of the proxy */
  async before(url: string): Promise<string> {
    this.#url = new URL(url);
    await this.#listen(0);
    const through = new URL(url);
    through.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return through.toString();
  }

  /** The URL without this between. */
  get direct(): string {
    return this.#url.toString();
  }

  /**
   * From now on all data is dropped in both directions, without closing connections; new connections get no response.
   */
  swallow(): void {
    this.#passes = false;
  }

  /** Ends all connections, and refuses new ones. */
  async reject(): Promise<void> {
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#end();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** New connections reach the server again; those from before are dead. */
  async restore(): Promise<void> {
    this.#passes = true;
    this.#end();
    if (!this.#server.listening) await this.#listen(this.#port);
  }

  /** Ends all. */
  async close(): Promise<void> {
    this.#end();
    if (this.#server.listening) await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #port = 0;

  #listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  #end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(near: Socket): void {
    const far = this.#passes ? connect(Number(this.#url.port), this.#url.hostname) : null;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      if (!from) continue;
      this.#sockets.add(from);
      from.on('data', (data: Buffer) => {
        if (this.#passes) to?.write(data);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#sockets.delete(from);
        to?.destroy();
      });
    }
  }
}
