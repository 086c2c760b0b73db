import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { availableParallelism, homedir, hostname, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { findIsolation, NO_ISOLATION } from './isolation.js';
import { buildsName, removeLeftBuilds, removeTree } from './job-files.js';
import { RejectedCall, ServiceClient } from './protocol.js';
import { JobRunner } from './runner.js';

const VERSION = '0.1.0';
/** Whom jobs run as when root starts the runner; it owns nothing but its builds. */
const RUNNER_USER = 65_531;
/** The exit code of a runner that can't keep jobs apart from the machine. */
const EXIT_NOT_ISOLATED = 77;
const EXIT_REJECTED = 78;
const MOST_AT_ONCE = 4;

const FEATURES = {
  variables: true,
  refspecs: true,
  masking: true,
  raw_variables: true,
  trace_checksum: true,
  trace_size: true,
  cancelable: true,
  cancel_gracefully: true,
  two_phase_job_commit: true,
  return_exit_code: true,
};

function readOptions() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      url: text,
      token: text,
      'token-file': text,
      executor: text,
      concurrency: text,
      'builds-dir': text,
      hide: { type: 'string', multiple: true },
      'without-isolation': { type: 'boolean' },
    },
  });
  const { url = '', executor = 'shell' } = values;
  if (!/^https?:\/\/\S+$/.test(url))
    throw new Error('--url is the address of the service, such as http://127.0.0.1:3000');
  if (executor !== 'shell') throw new Error(`--executor is "${executor}"; there is only shell`);
  const concurrency = Number(values.concurrency ?? Math.min(MOST_AT_ONCE, availableParallelism()));
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 100)
    throw new Error('--concurrency is a number from 1 to 100');
  return { ...values, url: url.replace(/\/+$/, ''), concurrency };
}

/** The token, from a file or standard input where it is not in the command line. */
async function readToken({ token, 'token-file': file }: { token?: string; 'token-file'?: string }): Promise<string> {
  if (file !== undefined) return readFileSync(file, 'utf8').trim();
  if (token !== undefined && token !== '-') return token;
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  throw new Error('The token of the runner is read from standard input, which is empty; or give it with --token-file');
}

/** The same for each start on a machine, so that the service knows it again. */
function systemId(): string {
  const identity = `${hostname()} ${userInfo().uid} ${homedir()}`;
  return `s_${createHash('sha256').update(identity).digest('hex').slice(0, 12)}`;
}

/** Makes the directory of the builds, and leaves root behind. */
function prepareBuilds(chosen: string | undefined, id: string): string {
  if (chosen !== undefined) mkdirSync(chosen, { recursive: true, mode: 0o700 });
  // Its real path: what isolates jobs follows no links.
  const directory = realpathSync(chosen ?? mkdtempSync(path.join(tmpdir(), buildsName(id, process.pid))));
  if (process.getuid?.() === 0) {
    chownSync(directory, RUNNER_USER, RUNNER_USER);
    process.chdir('/');
    process.setgroups?.([RUNNER_USER]);
    process.setgid?.(RUNNER_USER);
    process.setuid?.(RUNNER_USER);
  }
  if (chosen === undefined) removeLeftBuilds(tmpdir(), id, directory);
  return directory;
}

const print = (line: string): unknown => process.stderr.write(`runner: ${line}\n`);

async function main(): Promise<number> {
  const options = readOptions();
  const token = await readToken(options);
  process.umask(0o077);
  const id = systemId();
  const hidden = [homedir(), ...(options.hide ?? [])].map((directory) => path.resolve(directory));
  const directory = prepareBuilds(options['builds-dir'], id);
  try {
    const isolation = findIsolation(directory, hidden) ?? (options['without-isolation'] ? NO_ISOLATION : null);
    if (isolation === null) {
      print('jobs can not be kept apart from this machine: neither bubblewrap nor user namespaces work here.');
      return EXIT_NOT_ISOLATED;
    }
    const shell = spawnSync('bash', ['-c', ':']).status === 0 ? 'bash' : 'sh';
    const client = new ServiceClient(options.url, token, id, {
      name: 'capstan-runner',
      version: VERSION,
      revision: 'capstan',
      platform: process.platform,
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      executor: 'shell',
      shell,
      features: FEATURES,
    });
    const runner = new JobRunner(client, { directory, isolation, shell, version: VERSION }, options.concurrency, print);
    const stopping = new AbortController();
    const stop = (graceMs?: number) => {
      stopping.abort();
      void runner.stop(graceMs);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop());
    // Whoever started it is gone, and the service with it.
    process.on('disconnect', () => stop(0));
    const number = await client.verify(stopping.signal).catch((error: unknown) => {
      if (stopping.signal.aborted) return null;
      throw error;
    });
    if (number === null) return 0;
    print(
      `runner ${number} asks ${options.url} for jobs, ${options.concurrency} at a time; isolation: ${isolation.name}.`,
    );
    process.send?.({ type: 'ready' });
    await runner.run();
    return 0;
  } catch (error) {
    if (!(error instanceof RejectedCall)) throw error;
    print(error.status === 403 ? 'the service does not know its token.' : `${error.message}.`);
    return EXIT_REJECTED;
  } finally {
    if (options['builds-dir'] === undefined) removeTree(directory);
  }
}

try {
  process.exit(await main());
} catch (error) {
  print((error as Error).message);
  process.exit(1);
}
