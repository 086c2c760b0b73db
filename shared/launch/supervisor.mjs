import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Child } from './children.mjs';
import { settleDataDirectory } from './data-directory.mjs';
import { Database } from './database.mjs';
import { compileOnChange } from './dev.mjs';
import { ensureDataDirectory } from './files.mjs';
import { startGuardian } from './guard.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { endProcesses, identify } from './process-identity.mjs';
import { announceReady } from './ready.mjs';
import { revisionOfCheckout } from './revision.mjs';
import { giveSocket, needsRoot } from './root-port.mjs';
import { spawnStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';
import { keptSecret } from './secret.mjs';
import { BadSetting, readSettings } from './settings.mjs';
import { StopRequest } from './stop-request.mjs';

/** How long running requests and jobs may take to finish when the service stops, in milliseconds. */
const grace = 30_000;

/**
 * Runs the service, or one kind of its processes, until a signal or a hopeless error.
 *
 * @param {'all' | 'api' | 'workers' | 'dev'} mode `dev`: all, started again with each change of the sources
 * @param {import('./claim.mjs').Claim} lock held for as long as the service runs
 * @param {import('./lock.mjs').LockState | null} previous what a killed predecessor ran
 * @returns {Promise<number>} the exit code: 0 after a signal
 */
export async function supervise(mode, lock, previous) {
  const stop = new StopRequest();
  const settings = readSettings(process.env);
  if (['api', 'workers'].includes(mode) && !settings.databaseUrl) {
    throw new BadSetting(
      `DATABASE_URL is not set; "npm run start:${mode}" needs that of the database which all processes share.`,
    );
  }
  // They drain by themselves, and might still listen on our port.
  await endProcesses(previous?.children ?? [], 5000);
  ensureDataDirectory(settings.dataDir);
  // From here on nothing is made that other users may read.
  process.umask(0o077);
  const service = new Service(mode, lock, settings, stop);
  try {
    await service.run();
  } finally {
    await service.shutDown();
  }
  return stop.code;
}

class Service {
  constructor(mode, lock, settings, stop) {
    this.mode = mode;
    this.lock = lock;
    this.settings = settings;
    this.stop = stop;
    this.node = projectNode();
    this.children = [];
    this.waiting = new Set();
    this.guardian = startGuardian(this.node);
    this.guardian.watch({ grace });
    this.database = settings.databaseUrl ? null : new Database(settings.dataDir, this.guardian, stop);
  }

  async run() {
    await this.database?.claim();
    if (this.stop.signal) return;
    const { user, reason } = await settleDataDirectory(this.settings.dataDir, this.node, this.stop);
    if (this.stop.signal) return;
    if (reason) console.error(`capstan: API, workers and git run as root: ${reason}.`);
    this.user = user;
    this.env = await this.environment();
    if (this.stop.signal || !(await this.setUp())) return;
    if (this.mode !== 'workers') this.addApi();
    const workers = this.mode === 'api' ? 0 : this.settings.workers;
    for (let n = 1; n <= workers; n += 1) this.add(`worker ${n}`, 'dist/workers/main.js');
    if (this.mode === 'dev') this.follow();
    await this.stop.made;
  }

  /** Compiles what changes, and starts the processes anew; after a change of the schema once it is up to date. */
  follow() {
    let last = Promise.resolve();
    const renew = async (files) => {
      if (this.stop.signal || (files.some(isMigration) && !(await this.setUp()))) return;
      console.log('The sources changed: starting again ...');
      for (const child of this.children) child.restart();
    };
    this.unfollow = compileOnChange((files) => {
      last = last.then(() => renew(files));
    });
  }

  /** What every process of the service gets, once the database runs. */
  async environment() {
    const { dataDir, databaseUrl, secretKeyBase } = this.settings;
    return {
      NODE_ENV: 'production',
      // Loading the dependencies is most of a start; their compiled code is kept between starts.
      NODE_COMPILE_CACHE: path.join(dataDir, 'compile-cache'),
      ...process.env,
      CAPSTAN_REVISION: process.env.CAPSTAN_REVISION || (revisionOfCheckout() ?? ''),
      // That of root is closed to them.
      ...(this.user ? { HOME: '/nonexistent' } : {}),
      DATABASE_URL: databaseUrl ?? (await this.database.start()),
      DATA_DIR: dataDir,
      SECRET_KEY_BASE: secretKeyBase ?? (this.database ? keptSecret(dataDir) : ''),
    };
  }

  /** Checks settings and brings the database up to date, once for all processes. */
  async setUp() {
    const script = inCheckout('dist', 'shared', 'setup.js');
    if (!existsSync(script)) throw new Error(`${script} is missing.`);
    const step = spawnStep(this.node, [script], {
      ...this.user,
      cwd: checkout,
      env: this.env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    step.child.on('message', (announcement) => (this.announcement = announcement));
    this.watchOver([identify(step.child.pid)]);
    const code = await this.stop.orStop(step.ended);
    if (code === 0) return true;
    if (code === undefined) {
      step.child.kill('SIGTERM');
      await step.ended;
    } else {
      this.database?.explainFailure();
      this.stop.make(code);
    }
    return false;
  }

  addApi() {
    const { HOST: host = '', PORT } = process.env;
    if (!this.user || !needsRoot(PORT)) return this.add('api', 'dist/api/main.js');
    const where = { host: host || '127.0.0.1', port: Number(PORT) };
    this.add('api', 'dist/api/main.js', {
      env: { ...this.env, CAPSTAN_SOCKET: 'supervisor' },
      onSocketWanted: (process) => giveSocket(process, where),
    });
  }

  add(name, script, more = {}) {
    const child = new Child({
      name,
      script: inCheckout(script),
      node: this.node,
      cwd: checkout,
      user: this.user,
      ...more,
      env: { ...(more.env ?? this.env), CAPSTAN_PROCESS: name },
      onReady: (ready, message) => this.ready(ready, message),
      onChange: () => this.childrenChanged(),
      onGiveUp: (code) => {
        this.database?.explainFailure();
        this.stop.make(code);
      },
    });
    this.children.push(child);
    this.waiting.add(child);
    this.childrenChanged();
  }

  ready(child, { url }) {
    if (url) this.url = url;
    if (!this.waiting.delete(child)) {
      console.error(`capstan: ${child.options.name} runs again.`);
    } else if (this.waiting.size === 0 && !this.stop.signal) {
      this.lock.update({ url: this.url ?? null, readyAt: new Date().toISOString() });
      this.database?.lock.update({ url: this.url ?? null });
      announceReady(this.mode, this.url, this.settings);
      this.announceLast();
    }
  }

  /** What the setup has for a person to read: last, where it is found, also when the start fails later. */
  announceLast() {
    const { firstStart, warnings = [] } = this.announcement ?? {};
    this.announcement = null;
    for (const warning of warnings) console.error(`capstan: ${warning}`);
    if (firstStart) console.log(firstStart);
  }

  childrenChanged() {
    this.watchOver(this.children.map((child) => child.identity));
  }

  /** Names the processes to end should we be killed: to the guardian, and to the next start should that be killed too. */
  watchOver(identities) {
    const children = identities.filter(Boolean);
    this.guardian.watch({ children });
    attempt(() => this.lock.update({ children }));
  }

  async shutDown() {
    this.announceLast();
    // Even when the checkout was deleted below a running service, its processes must end.
    attempt(() => this.lock.update({ stopping: true }));
    this.unfollow?.();
    const running = this.children.filter((child) => child.process);
    for (const child of this.children) child.stop(this.stop.signal ?? 'SIGTERM');
    const allEnded = Promise.all(running.map((child) => child.ended));
    const timer = new AbortController();
    const tooLate = sleep(grace, 'late', { signal: timer.signal }).catch(() => {});
    if ((await Promise.race([allEnded, this.stop.hasty.then(() => 'late'), tooLate])) === 'late') {
      for (const child of running) child.stop('SIGKILL');
      await allEnded;
    }
    timer.abort();
    await this.database?.stop();
    this.guardian.release();
    attempt(() => this.lock.release());
  }
}

const isMigration = (file) => file.startsWith('migrations');

function attempt(step) {
  try {
    step();
  } catch (error) {
    console.error(`capstan: ${error.message}`);
  }
}
