import { setTimeout as sleep } from 'node:timers/promises';

import { ensureDataDirectory } from './files.mjs';
import { describeHolder, ownDetails, tryLock } from './lock.mjs';
import { failureOf, fullDiskProblem } from './full-disk.mjs';
import { lastWords, startPostgres, stopPostgres } from './postgres.mjs';
import { placeForData } from './postgres-place.mjs';

/** The embedded database of a running service: started, watched, started again on the same port should it crash, stopped. */
export class Database {
  /**
   * @param {string} dataDir absolute
   * @param {ReturnType<import('./guard.mjs').startGuardian>} guardian
   * @param {import('./stop-request.mjs').StopRequest} stop
   */
  constructor(dataDir, guardian, stop) {
    this.dataDir = dataDir;
    this.guardian = guardian;
    this.stopRequest = stop;
    this.stopping = false;
    this.server = null;
  }

  /** Takes the database for this service alone, once no command uses it. Throws when another service runs it. */
  async claim() {
    ensureDataDirectory(this.dataDir);
    for (let told = false; ; told = true) {
      const holder = this.tryClaim();
      if (!holder) return;
      const { pid } = holder.holder;
      if (!holder.brief)
        throw new Error(`The database in ${this.dataDir} is in use by another service${describeHolder(holder)}.`);
      if (!told) console.log(`Waiting for ${holder.brief} (pid ${pid}) to end ...`);
      await this.stopRequest.orStop(sleep(100));
      if (this.stopRequest.signal) return;
    }
  }

  /**
   * Takes the database, or says who has it. Two checkouts may share a DATA_DIR by mistake; each would take the other's server for an
   * orphan.
   *
   * @param {string} [brief] what it is taken for, when that takes a moment only
   * @returns {import('./lock.mjs').LockState | null} who has it; null when it is ours
   */
  tryClaim(brief) {
    const { lock, holder } = tryLock(this.dataDir, 'postgres-lock', { ...ownDetails(), ...(brief ? { brief } : {}) });
    this.lock = lock;
    return lock ? null : holder;
  }

  /** Starts it, once claimed; resolves with its URL. */
  async start() {
    this.place = placeForData(this.dataDir);
    await this.launch();
    return this.server.url;
  }

  /** Says so where what failed may have failed because the disk of the database is full, which those who use it cannot know. */
  explainFailure() {
    if (!this.place) return;
    const problem = fullDiskProblem(failureOf('', lastWords(this.dataDir), this.place.cluster), this.dataDir);
    if (problem) console.error(`capstan: ${problem}`);
  }

  async stop() {
    this.stopping = true;
    await this.restart;
    if (this.server) await stopPostgres(this.server);
    try {
      this.lock?.release();
    } catch (error) {
      // The data directory was deleted below a running service.
      console.error(`capstan: ${error.message}`);
    }
  }

  async launch() {
    this.server = await startPostgres(this.place, { privateDir: this.dataDir, port: this.server?.port });
    this.guardian.watch({ postmaster: this.server.postmaster });
    this.server.exited.then(() => {
      if (!this.stopping) this.restart = this.recover();
    });
  }

  async recover() {
    for (let pause = 200; !this.stopping; pause = Math.min(pause * 2, 10_000)) {
      console.error(`capstan: PostgreSQL ended; starting it again in ${pause / 1000} s.`);
      await this.stopRequest.orStop(sleep(pause));
      if (this.stopRequest.signal) return;
      try {
        await this.launch();
        console.error('capstan: PostgreSQL runs again.');
        return;
      } catch (error) {
        console.error(`capstan: ${error.message}`);
      }
    }
  }
}
