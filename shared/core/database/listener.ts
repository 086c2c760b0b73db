import pg from 'pg';
import { databaseWork, sessionLimits } from './database-work.js';
import type { Logger } from '../log.js';

const RECONNECT_MS = 500;
/** Without a limit a host that swallows packets would hold the listener for ever. */
const CONNECT_MS = 5_000;

/** Hears NOTIFY on one channel, on a connection of its own, and connects again after the database was away. */
export class Listener {
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param onConnected called after each connect: what was said before it is lost */
  constructor(
    private readonly options: {
      url: string;
      channel: string;
      log: Logger;
      onNotification: (payload: string) => void;
      onConnected: (client: pg.Client) => void;
      /** Prepares the session, before it listens. When it throws, the connection is made anew. */
      prepare?: (client: pg.Client) => Promise<void>;
      /** Milliseconds until a lost connection is made anew. */
      reconnectMs?: number;
      onLost?: () => void;
    },
  ) {}

  async start(): Promise<void> {
    if (this.#stopped) return;
    const client = new pg.Client({
      connectionString: this.options.url,
      application_name: 'capstan-listener',
      ...sessionLimits(databaseWork.listener),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    const lost = (error?: Error) => {
      if (this.#client !== client || this.#stopped) return;
      this.#client = undefined;
      this.options.onLost?.();
      this.options.log.warn({ err: error, channel: this.options.channel }, 'listener lost its connection');
      this.#retryLater();
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', (message) => this.options.onNotification(message.payload ?? ''));
    this.#client = client;
    try {
      await client.connect();
      await this.options.prepare?.(client);
      await client.query(`listen ${client.escapeIdentifier(this.options.channel)}`);
      if (this.#stopped) await client.end();
      else this.options.onConnected(client);
    } catch (error) {
      lost(error as Error);
      client.end().catch(() => undefined);
    }
  }

  #retryLater() {
    this.#retry = setTimeout(() => void this.start(), this.options.reconnectMs ?? RECONNECT_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }
}
