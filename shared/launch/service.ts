import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Claim, Mode } from '#launch/claim.mjs';
import { attempt, readIfThere, writeWhole } from '#launch/files.mjs';
import { startGuardian } from '#launch/guardian.mjs';
import { identify } from '#launch/processes.mjs';
import { checkout, inCheckout, projectNode } from '#launch/runtime.mjs';
import { badConfiguration, BadSetting } from '#launch/settings.mjs';
import type { Settings } from '#launch/settings.mjs';
import { runStep, spawnStep, stop, Stopped } from '#launch/steps.mjs';
import { settleDataDirectory } from './data-directory.js';
import { BuiltInRunner } from './built-in-runner.js';
import { EmbeddedDatabase } from './embedded-database.js';
import { revisionOfCheckout } from './revision.js';

/** How long running requests and jobs may take to finish when the service stops. */
const GRACE_MS = 30_000;
const RESTART_PAUSE_MS = 1000;

/** One process of the service: started again when it ends by itself, unless it never got ready. */
interface ServiceProcess {
  name: string;
  script: string;
  child: ChildProcess | null;
  exit: Promise<void>;
  wasReady: boolean;
}

/** A running service, or one kind of its processes. */
export class Service {
  readonly #node = projectNode();
  readonly #guardian = startGuardian(this.#node);
  readonly #database: EmbeddedDatabase | null;
  readonly #processes: ServiceProcess[] = [];
  readonly #runner: BuiltInRunner;
  #user: { uid: number; gid: number } | null = null;
  #env: NodeJS.ProcessEnv = {};
  #url: string | undefined;
  #isSetUp = false;
  #isReady = false;
  /** The setup's messages to the user. */
  #announcement: { firstStart?: string; warnings?: string[] } = {};

  /** @param claim held for as long as it runs */
  constructor(
    private readonly mode: Mode,
    private readonly claim: Claim,
    private readonly settings: Settings,
  ) {
    this.#database = settings.databaseUrl ? null : new EmbeddedDatabase(settings.dataDir, this.#guardian);
    this.#guardian.watch({ grace: GRACE_MS });
    this.#runner = new BuiltInRunner(settings, this.#node, () => this.#watchOver());
  }

  /** Runs it until a signal or a hopeless error. @returns the exit code: 0 after a signal */
  async run(): Promise<number> {
    const listener = () => void (stop.isAgain && this.#signal('SIGKILL'));
    stop.on('stop', listener);
    // From here on nothing is made that other users may read.
    process.umask(0o077);
    try {
      await this.#serve();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    } finally {
      await this.#shutDown();
      stop.off('stop', listener);
    }
    return stop.code;
  }

  /**
   * Restarts its processes. Work in progress may take a second to finish.
   * @param setsUp whether to update the database first
   */
  async renew(setsUp: boolean): Promise<void> {
    if (setsUp) await this.#setUp();
    stop.throwIfRequested();
    console.log('The sources changed: starting again ...');
    const children = this.#processes.map(({ child }) => child);
    for (const child of children) child?.kill('SIGTERM');
    setTimeout(() => children.forEach((child) => child?.kill('SIGKILL')), 1000).unref();
  }

  async #serve(): Promise<void> {
    const { dataDir, databaseUrl, workers } = this.settings;
    if (this.mode !== 'all' && !databaseUrl)
      throw new BadSetting(
        `DATABASE_URL is not set; "npm run start:${this.mode}" needs that of the database which all processes share.`,
      );
    const { user, reason } = await settleDataDirectory(dataDir, this.#node);
    if (reason) console.error(`capstan: API, workers and git run as root: ${reason}.`);
    this.#user = user;
    this.#env = this.#environment();
    const names = this.mode === 'workers' ? [] : ['api'];
    for (let n = 1; n <= (this.mode === 'api' ? 0 : workers); n += 1) names.push(`worker ${n}`);
    for (const name of names) {
      const script = inCheckout('dist', name === 'api' ? 'api' : 'workers', 'main.js');
      this.#processes.push({ name, script, child: null, exit: Promise.resolve(), wasReady: false });
    }
    // They load, which takes most of a start, while the database is started and updated.
    for (const entry of this.#processes) this.#start(entry);
    this.#env.DATABASE_URL = databaseUrl ?? (await this.#database?.start());
    await this.#setUp();
    this.#isSetUp = true;
    for (const { child } of this.#processes) this.#release(child);
    if (!stop.signal) await once(stop, 'stop');
  }

  /** What every process of the service gets, the database aside. */
  #environment(): NodeJS.ProcessEnv {
    const { dataDir, secretKeyBase } = this.settings;
    return {
      NODE_ENV: 'production',
      // Loading the dependencies takes most of a start; their compiled code is cached between starts.
      NODE_COMPILE_CACHE: path.join(dataDir, 'compile-cache'),
      ...process.env,
      CAPSTAN_REVISION: process.env.CAPSTAN_REVISION || (revisionOfCheckout() ?? ''),
      // They cannot access root's home directory.
      ...(this.#user ? { HOME: '/nonexistent' } : {}),
      CAPSTAN_HELD: '1',
      DATA_DIR: dataDir,
      SECRET_KEY_BASE: secretKeyBase ?? (this.#database ? storedSecret(dataDir) : ''),
    };
  }

  /** Checks settings and updates the database, once for all processes. */
  async #setUp(): Promise<void> {
    const code = await runStep(this.#node, [inCheckout('dist', 'shared', 'setup.js')], {
      ...this.#user,
      cwd: checkout,
      env: { ...this.#env, CAPSTAN_BUILD: readIfThere(inCheckout('dist', '.built'))?.split('\n')[0] },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
      onStart: (child) => {
        child.on('message', (announcement) => (this.#announcement = announcement as object));
        this.#watchOver(child);
      },
    });
    if (code !== 0) stop.make(code);
    stop.throwIfRequested();
  }

  #start(entry: ServiceProcess): void {
    const { name, script } = entry;
    const { host, port } = this.settings;
    const takesSocket = name === 'api' && this.#user !== null && needsRoot(port);
    const { child, exit } = spawnStep(this.#node, [script], {
      ...this.#user,
      cwd: checkout,
      env: { ...this.#env, CAPSTAN_PROCESS: name, ...(takesSocket ? { CAPSTAN_SOCKET: 'supervisor' } : {}) },
      // Its own session, so that a Ctrl-C in the terminal comes once, from us.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    entry.child = child;
    entry.exit = exit.catch(() => 1).then((code) => this.#noteEnd(entry, code));
    child.on('message', (message: { type?: string; url?: string; token?: string | null } | null) => {
      if (message?.type === 'socket') giveSocket(child, { host, port });
      if (message?.type === 'ready') this.#noteReady(entry, message.url);
      if (message?.type === 'built-in-runner') this.#runner.start(message.token);
    });
    if (this.#isSetUp) this.#release(child);
    this.#watchOver();
  }

  /** Lets a process go on that waits for the database (`shared/core/log/process.ts`). */
  #release(child: ChildProcess | null): void {
    const { DATABASE_URL } = this.#env;
    if (child?.connected) child.send({ type: 'release', env: { DATABASE_URL } }, () => undefined);
  }

  #noteEnd(entry: ServiceProcess, code: number): void {
    entry.child = null;
    this.#watchOver();
    if (stop.signal) return;
    const isHopeless = !entry.wasReady || code === badConfiguration;
    const next = isHopeless ? 'giving up' : 'starting it again';
    console.error(
      `capstan: ${entry.name} ended (code ${code})${entry.wasReady ? '' : ' before it was ready'}; ${next}.`,
    );
    if (isHopeless) stop.make(code || 1);
    else setTimeout(() => stop.signal ?? this.#start(entry), RESTART_PAUSE_MS);
  }

  /** Names the processes to end should we be killed. */
  #watchOver(setup?: ChildProcess): void {
    const pids = [setup, ...this.#processes.map(({ child }) => child)].map((child) => child?.pid ?? 0);
    this.#guardian.watch({ children: [...pids, this.#runner.pid].flatMap((pid) => identify(pid) ?? []) });
  }

  #noteReady(entry: ServiceProcess, url: string | undefined): void {
    this.#url = url ?? this.#url;
    if (entry.wasReady) console.error(`capstan: ${entry.name} runs again.`);
    entry.wasReady = true;
    if (this.#isReady && entry.name === 'api') this.#beginRunner(entry);
    if (this.#isReady || stop.signal || !this.#processes.every(({ wasReady }) => wasReady)) return;
    this.#isReady = true;
    this.claim.update({ url: this.#url, readyAt: new Date().toISOString() });
    this.#announce(this.#readyMessage());
    const api = this.#processes.find(({ name }) => name === 'api');
    if (api) this.#beginRunner(api);
  }

  #beginRunner({ child }: ServiceProcess): void {
    if (this.mode === 'all' && this.#url && !stop.signal) this.#runner.begin(child, this.#url);
  }

  #readyMessage(): string {
    const { workers } = this.settings;
    const jobs = `${workers} worker ${workers === 1 ? 'process' : 'processes'}`;
    if (!this.#url) return `\nCapstan is ready: ${jobs}. Ctrl-C stops it.\n`;
    const base = (process.env.EXTERNAL_URL || this.#url).replace(/\/+$/, '');
    return [
      '',
      `Capstan is ready at ${base}`,
      `  REST       ${base}/api/v4`,
      `  GraphQL    ${base}/api/graphql`,
      `  Pages      ${base}/`,
      `  OpenAPI    ${base}/api/v4/openapi.json`,
      ...(base === this.#url ? [] : [`  Listening  ${this.#url}`]),
      ...(this.mode === 'api' ? [] : [`  Jobs       ${jobs}`]),
      'Ctrl-C stops it.',
      '',
    ].join('\n');
  }

  /**
   * Prints what the first start made, last, where it is easy to find, and even if the start fails later. One write with
   * the message before it, so that no line of another process comes between them.
   */
  #announce(message?: string): void {
    const { firstStart, warnings = [] } = this.#announcement;
    this.#announcement = {};
    for (const warning of warnings) console.error(`capstan: ${warning}`);
    const texts = [message, firstStart].filter((text) => text !== undefined);
    if (texts.length > 0) console.log(texts.join('\n'));
  }

  #signal(signal: NodeJS.Signals): void {
    this.#runner.signal(signal);
    for (const { child } of this.#processes) child?.kill(signal);
  }

  async #shutDown(): Promise<void> {
    this.#announce();
    // Even when the checkout was deleted below a running service, its processes must end.
    attempt(() => this.claim.update({ stopping: true }), null);
    await this.#runner.stop();
    this.#signal(stop.signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), GRACE_MS);
    await Promise.all(this.#processes.map(({ exit }) => exit));
    clearTimeout(timer);
    await this.#database?.stop();
    this.#guardian.release();
  }
}

/**
 * The secret for the embedded database, created at the first start. The processes of the service get it through their
 * environment: if they run as a different user, none of them can read the file.
 */
function storedSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret_key_base');
  const stored = readIfThere(file)?.trim();
  const secret = stored || randomBytes(48).toString('base64url');
  if (!stored) writeWhole(file, `${secret}\n`, 0o600);
  return secret;
}

/** Whether only root may listen on a port. */
function needsRoot(port: number): boolean {
  return port > 0 && port < Number(readIfThere('/proc/sys/net/ipv4/ip_unprivileged_port_start') ?? 1024);
}

/**
 * Passes a listening socket to a child that requests it (`api/core/server/listen.ts` does), or the error code on
 * failure.
 */
function giveSocket(child: ChildProcess, address: { host: string; port: number }): void {
  const server = createServer((socket) => socket.destroy());
  server.once('error', ({ code }: NodeJS.ErrnoException) => child.connected && child.send({ type: 'socket', code }));
  server.listen(address, () => {
    // It continues in the child; connections accepted here would never be answered.
    if (child.connected) child.send({ type: 'socket' }, server, () => server.close());
    else server.close();
  });
}
