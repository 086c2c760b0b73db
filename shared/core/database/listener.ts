import type pg from 'pg';
import { asConnectionError } from './connection-errors.js';
import { databaseWork, sessionLimits } from './database-work.js';
import { KEEP_ALIVE, WatchedClient } from './watched-client.js';
import type { Logger } from '../log/log.js';

const RECONNECT_MS = 500;
/** Without a limit a host that swallows packets would hold the listener for ever. */
const CONNECT_MS = 5_000;
/**
 * A broken connection is noticed immediately, an unreachable host by TCP keep-alive: this is for failures that neither
 * detects.
 */
const BEAT_MS = 60_000;
const ANSWER_MS = 5_000;

/** Hears NOTIFY on a connection of its own, and connects again after the database was away. */
export class Listener {
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #beating: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param onConnected called after each connect: earlier notifications are lost */
  constructor(
    private readonly options: {
      url: string;
      /** Listened to from the start; others can be added once it is connected. */
      channel?: string;
      log: Logger;
      onNotification: (payload: string, channel: string) => void;
      onConnected: (client: pg.Client) => void;
      /** Prepares the session before it listens. If it throws, the listener reconnects. */
      prepare?: (client: pg.Client) => Promise<void>;
      /** Milliseconds until a lost connection is reopened. */
      reconnectMs?: number;
      /** Milliseconds between two polls whether anything is heard, and until one must be answered. */
      beatMs?: number;
      answerMs?: number;
      onLost?: () => void;
    },
  ) {}

  async start(): Promise<void> {
    if (this.#stopped) return;
    const client = new WatchedClient({
      connectionString: this.options.url,
      application_name: 'capstan-listener',
      ...sessionLimits(databaseWork.listener),
      ...KEEP_ALIVE,
      connectionTimeoutMillis: CONNECT_MS,
    });
    const lost = (error?: Error) => {
      if (this.#client !== client || this.#stopped) return;
      this.#client = undefined;
      clearInterval(this.#beating);
      this.options.onLost?.();
      this.options.log.warn(
        { err: asConnectionError(error ?? new Error('connection ended')), channel: this.options.channel },
        'listener lost its connection',
      );
      this.#retryLater();
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', (message) => this.options.onNotification(message.payload ?? '', message.channel));
    this.#client = client;
    try {
      await client.connect();
      await this.options.prepare?.(client);
      const { channel } = this.options;
      // Plain SQL: queries listen to nothing.
      if (channel !== undefined) await client.query(`listen ${client.escapeIdentifier(channel)}`);
      if (this.#stopped) await client.end();
      else this.#begin(client);
    } catch (error) {
      lost(error as Error);
      client.end().catch(() => undefined);
    }
  }

  #begin(client: WatchedClient) {
    const beatMs = this.options.beatMs ?? BEAT_MS;
    this.#beating = setInterval(() => {
      // Other statements in flight are watched as well.
      if (client.quietMs >= beatMs) this.#beat(client);
    }, beatMs).unref();
    this.options.onConnected(client);
  }

  /** When packets are lost, no event reports that the connection is dead. */
  #beat(client: WatchedClient) {
    const silent = setTimeout(
      () => client.cut('timeout: the listener hears nothing'),
      this.options.answerMs ?? ANSWER_MS,
    );
    const answered = () => clearTimeout(silent);
    // Plain SQL: whether the connection answers.
    client.query('select 1').then(answered, answered);
  }

  #retryLater() {
    this.#retry = setTimeout(() => void this.start(), this.options.reconnectMs ?? RECONNECT_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearInterval(this.#beating);
    await this.#client?.end().catch(() => undefined);
  }
}
