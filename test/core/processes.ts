import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { processorShare } from '#runner/processor-share.mjs';
import { cloneDatabase, testPool } from './databases.js';
import { Client } from './client.js';

export const ROOT_TOKEN = 'pat-token-of-root-for-a-test';

/** The service as its users run it: an API process and worker processes over one database. */
export class StartedService {
  url = '';
  readonly children: ChildProcess[] = [];

  constructor(
    readonly env: NodeJS.ProcessEnv,
    readonly database: pg.Pool,
    private readonly onLine?: (line: string) => void,
  ) {}

  get root(): Client {
    return new Client(this.url, { 'PRIVATE-TOKEN': ROOT_TOKEN });
  }

  /** Starts a process, with additional settings, and waits until it serves. */
  async start(script: string, env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
    const child = fork(path.resolve('dist', script), {
      env: { ...this.env, ...env },
      stdio: ['ignore', this.onLine ? 'pipe' : 'ignore', 'inherit', 'ipc'],
    });
    if (this.onLine && child.stdout) createInterface(child.stdout).on('line', this.onLine);
    this.children.push(child);
    const ready = new Promise<{ url?: string }>((resolve, reject) => {
      child.once('message', (message) => resolve(message as { url?: string }));
      child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
    });
    const { url } = await ready;
    if (url) this.url = url;
    return child;
  }

  startApi(): Promise<ChildProcess> {
    return this.start('api/main.js');
  }

  startWorker(env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
    return this.start('workers/main.js', env);
  }

  async stop(): Promise<void> {
    const running = this.children.filter((child) => child.exitCode === null && child.signalCode === null);
    const exits = running.map((child) => once(child, 'exit'));
    for (const child of running) child.kill('SIGKILL');
    await Promise.all(exits);
  }
}

/**
 * Sets up a service of the test's own: database, administrator with {@link ROOT_TOKEN}, one API process.
 * @param options.onLine gets each line of the processes' logs
 */
export async function startService(
  t: { teardown(end: () => Promise<void>): void },
  options: { workers?: number; env?: NodeJS.ProcessEnv; onLine?: (line: string) => void } = {},
): Promise<StartedService> {
  const database = await cloneDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'capstan-service-'));
  const pool = testPool(database.url, 3);
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY_BASE: 'a secret for tests, of at least 32 characters',
    LOG_LEVEL: 'error',
    INITIAL_ROOT_TOKEN: ROOT_TOKEN,
    INITIAL_ROOT_PASSWORD: 'correct horse battery staple',
    ...options.env,
  };
  const service = new StartedService(env, pool, options.onLine);
  t.teardown(async () => {
    await service.stop();
    await pool.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const setup = fork(path.resolve('dist/shared/setup.js'), {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [code] = await once(setup, 'exit');
  if (code !== 0) throw new Error(`setup ended with ${code}`);
  await service.startApi();
  for (let n = 0; n < (options.workers ?? 1); n += 1) await service.startWorker();
  return service;
}

/** Less than the time after which `npm test` ends a silent file. */
const EVENTUALLY_SECONDS = 45;
const EVERY_MS = 25;

/**
 * Polls until there is a result. Time in which the machine has less than one processor per process counts in proportion
 * to the share that each process gets.
 * @param seconds after which it fails
 */
export async function eventually<T>(
  ask: () => Promise<T | null | undefined | false>,
  seconds = EVENTUALLY_SECONDS,
): Promise<T> {
  let waited = 0;
  for (let before = performance.now(); ;) {
    const answer = await ask();
    if (answer) return answer;
    if (waited > seconds * 1000) throw new Error(`It did not happen within ${seconds} s.`);
    await sleep(EVERY_MS);
    const now = performance.now();
    waited += (now - before) * processorShare();
    before = now;
  }
}
