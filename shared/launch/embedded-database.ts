import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { stop } from '#launch/steps.mjs';
import type { Guardian } from '#launch/guardian.mjs';
import { locateDatabase } from './postgres-location.js';
import type { Location } from './postgres-location.js';
import { startPostgres, stopPostgres } from './postgres.js';
import type { Server } from './postgres.js';

const RESTART_PAUSE_MS = 1000;

/** The embedded database of a service: started, watched, started again on the same port should it crash, stopped. */
export class EmbeddedDatabase {
  #location: Location | null = null;
  #server: Server | null = null;
  #isStopping = false;
  #restart: Promise<void> | undefined;

  constructor(
    readonly dataDir: string,
    private readonly guardian: Guardian,
  ) {}

  /** Starts it, where no other process does. @returns its URL */
  async start(): Promise<string> {
    this.#location ??= locateDatabase(this.dataDir);
    const server = await startPostgres(this.#location, { privateDir: this.dataDir, port: this.#server?.port });
    this.#server = server;
    this.guardian.watch({ postmaster: server.postmaster });
    void server.exited.then(() => {
      if (!this.#isStopping) this.#restart = this.#recover();
    });
    return server.url;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#restart;
    if (this.#server) await stopPostgres(this.#server);
  }

  async #recover(): Promise<void> {
    for (;;) {
      console.error('capstan: PostgreSQL ended; starting it again.');
      await Promise.race([sleep(RESTART_PAUSE_MS), once(stop, 'stop')]);
      if (this.#isStopping || stop.signal) return;
      try {
        await this.start();
        return console.error('capstan: PostgreSQL runs again.');
      } catch (error) {
        console.error(`capstan: ${(error as Error).message}`);
      }
    }
  }
}
