import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, SpawnOptionsWithoutStdio } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '../client.js';
import { ROOT_TOKEN } from '../processes.js';

const SOURCES = ['api', 'workers', 'shared', 'migrations', 'test', 'dist'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.service.json', 'ava.config.mjs'];
const PACKAGES = ['node_modules', path.join('api', 'web', 'node_modules')];
/** A start takes seconds, on a machine that does nothing else. */
export const LAUNCH_MS = 600_000;
/** Environment variables of the developer that runs the tests. */
const NOT_HANDED_ON = /^(CAPSTAN_.*|NODE_.*|npm_.*|HOST|PORT|EXTERNAL_URL|DATABASE_URL|SECRET_KEY_BASE|LOG_LEVEL)$/;

export interface RunningProcess {
  uid: number;
  command: string;
}

/** The command behind a script of package.json. */
function getCommand(name: string, args: string[]): string[] {
  if (args[0] === 'dev') return ['test/runner/main.mjs', 'dev'];

  if (name === 'test') return ['test/runner/test.mjs', ...args];
  if (name === 'new-migration') return ['test/runner/main.mjs', 'db:new', ...args];
  return ['shared/launch/capstan.mjs', name, ...args];
}

/** A service that `npm start` would run from an installation. */
export class Started {
  said = '';
  url = '';
  readonly #exit: Promise<number | null>;

  constructor(readonly process: ChildProcess) {
    const hear = (chunk: Buffer) => (this.said += chunk.toString());
    process.stdout?.on('data', hear);
    process.stderr?.on('data', hear);
    this.#exit = new Promise((resolve) => process.once('close', resolve));
  }

  /** Waits for its end. @returns the exit code */
  exitCode(): Promise<number | null> {
    return this.#exit;
  }

  /** Waits until it prints its address. */
  ready(): Promise<this> {
    return new Promise((resolve, reject) => {
      const readUrl = () => {
        this.url = /^Capstan is ready at (\S+)\n/m.exec(this.said)?.[1] ?? '';
        if (this.url) resolve(this);
      };
      this.process.stdout?.on('data', readUrl);
      void this.#exit.then((code) => reject(new Error(`The start ended with ${code}: ${this.said}`)));
    });
  }

  get root(): Client {
    return new Client(this.url, { 'PRIVATE-TOKEN': ROOT_TOKEN });
  }

  /** Its processes, by script or program, as listed by Linux; except the guardian, which monitors the others. */
  processes(): RunningProcess[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const [parent, uid] = [/^PPid:\t(\d+)/m, /^Uid:\t(\d+)/m].map((field) => Number(field.exec(status)?.[1]));
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return parent === this.process.pid && /dist\/|\/postgres /.test(command)
          ? [{ uid: uid as number, command }]
          : [];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
  }

  /** Ctrl-C. @returns the exit code */
  async stop(): Promise<number | null> {
    if (this.process.exitCode === null) this.process.kill('SIGINT');
    return this.#exit;
  }
}

/**
 * A second installation next to the checkout, so that its service does not conflict with one of the checkout. Shares
 * `node_modules`.
 */
export class Installation {
  /** Accessible to all users, like a system's folders; contains the copy and additional files of tests. */
  readonly directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'capstan-installation-')));
  readonly checkout = path.join(this.directory, 'checkout');
  readonly #started: Started[] = [];

  /** @param installed whether its dependencies are there */
  constructor({ installed = true } = {}) {
    chmodSync(this.directory, 0o755);
    for (const name of [...SOURCES, ...FILES])
      cpSync(path.resolve(name), path.join(this.checkout, name), {
        recursive: true,
        preserveTimestamps: true,
        filter: (source) => path.basename(source) !== 'node_modules',
      });
    if (installed) for (const name of PACKAGES) symlinkSync(path.resolve(name), path.join(this.checkout, name));
  }

  /** Runs what `npm start` runs, with a low priority, as some do; waits until it is ready. */
  start(env: NodeJS.ProcessEnv, uid?: number): Promise<Started> {
    return this.begin({ PORT: '0', LOG_LEVEL: 'error', INITIAL_ROOT_TOKEN: ROOT_TOKEN, ...env }, uid).ready();
  }

  /**
   * The same with only these settings, and without waiting.
   * @param how another of the launcher's scripts, with its arguments, and a command that runs the rest of its line
   */
  begin(
    env: NodeJS.ProcessEnv,
    uid?: number,
    how: { script?: string; args?: string[]; through?: string[] } = {},
  ): Started {
    const { script = 'start', args = [], through = [] } = how;
    const child = spawn('nice', [...through, process.execPath, ...getCommand(script, args)], {
      ...this.#as(env, uid),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new Started(child);
    this.#started.push(started);
    return started;
  }

  /** Runs what `npm run admin --` runs, to its end. `input` is its standard input. */
  admin(args: string[], env: NodeJS.ProcessEnv, { uid, input = '' }: { uid?: number; input?: string } = {}) {
    return this.#run(process.execPath, getCommand('admin', args), input, this.#as(env, uid));
  }

  /** Runs a line of a shell in the checkout, to its end. Its home is in the installation: npm keeps logs there. */
  shell(line: string, env: NodeJS.ProcessEnv) {
    return this.#run('sh', ['-c', line], '', this.#as({ HOME: this.directory, ...env }));
  }

  async #run(command: string, args: string[], input: string, options: SpawnOptionsWithoutStdio) {
    const child = spawn(command, args, options);
    const result = { code: null as number | null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (result.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (result.stderr += chunk.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    result.code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return result;
  }

  #as(env: NodeJS.ProcessEnv, uid?: number) {
    const variables = Object.entries(process.env).filter(([name]) => !NOT_HANDED_ON.test(name));
    return {
      cwd: this.checkout,
      // Its runner is started by tests of it alone.
      env: { ...Object.fromEntries(variables), RUNNER_BUILT_IN: 'off', ...env },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    };
  }

  async remove(): Promise<void> {
    await Promise.all(this.#started.map((started) => started.stop()));
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Ports that are free, below those that the system gives to connections meanwhile. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) found.add(port);
  }
  return [...found];
}

/** All below a directory, as absolute paths: folders and files, no links. */
export function allBelow(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

const READ = `
const { openSync, readdirSync, readFileSync, closeSync } = require('node:fs');
const can = (file) => {
  try { closeSync(openSync(file, 'r')); return true; } catch { return false; }
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).filter(can)));
`;

/** The paths that a user can open. Requires root. */
export function readableBy(uid: number, paths: string[]): string[] {
  const { stdout, stderr, error } = spawnSync(process.execPath, ['-e', READ], {
    uid,
    gid: uid,
    cwd: '/',
    env: {},
    input: JSON.stringify(paths),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error || stderr) throw error ?? new Error(stderr);
  return JSON.parse(stdout) as string[];
}
