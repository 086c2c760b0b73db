import type pg from 'pg';
import type { Logger } from '../log/log.js';
import { Listener } from './listener.js';

/** A listener on a channel. */
export interface Hearer {
  onNotification(payload: string): void;
  /** Called once the channel is subscribed, and again after each reconnect: notifications sent in between are lost. */
  onConnected(): void;
  onLost?(): void;
}

/** Hears NOTIFY on any number of channels by one connection of the process, which is made for the first of them. */
export class Channels {
  readonly #hearers = new Map<string, Set<Hearer>>();
  /** Channels that the open connection hears. */
  readonly #heard = new Set<string>();
  #listener: Listener | undefined;
  #client: pg.Client | null = null;
  #stopped = false;
  /** Resolves when the last statement is answered: a client of pg sends one at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: { url: string; log: Logger }) {}

  /** Begins to hear a channel. @returns ends it */
  hear(channel: string, hearer: Hearer): () => void {
    const hearers = this.#hearers.get(channel) ?? new Set();
    this.#hearers.set(channel, hearers.add(hearer));
    if (!this.#listener) this.#start();
    else if (this.#heard.has(channel)) hearer.onConnected();
    else if (this.#client && hearers.size === 1) this.#listen(this.#client, channel);
    return () => void hearers.delete(hearer);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#listener?.stop();
  }

  #start() {
    this.#listener = new Listener({
      ...this.options,
      onConnected: (client) => {
        this.#client = client;
        for (const channel of this.#hearers.keys()) this.#listen(client, channel);
      },
      onLost: () => {
        this.#client = null;
        for (const channel of this.#heard) for (const hearer of this.#hearers.get(channel) ?? []) hearer.onLost?.();
        this.#heard.clear();
      },
      onNotification: (payload, channel) => {
        for (const hearer of this.#hearers.get(channel) ?? []) hearer.onNotification(payload);
      },
    });
    if (!this.#stopped) void this.#listener.start();
  }

  #listen(client: pg.Client, channel: string) {
    // Plain SQL: queries listen to nothing.
    const listening = this.#turn.then(() => client.query(`listen ${client.escapeIdentifier(channel)}`));
    this.#turn = listening.then(
      () => {
        if (this.#client !== client || this.#stopped) return;
        this.#heard.add(channel);
        for (const hearer of this.#hearers.get(channel) ?? []) hearer.onConnected();
      },
      // A lost connection reconnects and listens on the channel again; on an intact connection the error is only
      // logged.
      (error: unknown) => {
        if (!this.#stopped) this.options.log.warn({ err: error, channel }, 'a channel could not be listened to');
      },
    );
  }
}
