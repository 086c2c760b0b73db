import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectNode } from '#launch/runtime.mjs';

/** A running runner of the box. */
export interface RunnerProcess {
  pid: number;
  /** What it told its operator. */
  said: () => string;
  /** Sends a signal, and resolves to the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts the runner of the box as its own process, its token on standard input. */
export async function startBuiltInRunner(url: string, token: string, options: string[] = []): Promise<RunnerProcess> {
  const main = path.resolve('dist', 'shared', 'runner', 'main.js');
  // Of its own, so that nothing is left of a killed one.
  const builds = mkdtempSync(path.join(tmpdir(), 'builds-'));
  const child = spawn(projectNode(), [main, '--url', url, '--builds-dir', builds, ...options], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdin?.end(`${token}\n`);
  const exit = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    said: () => said,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = (await exit) as [number | null];
      rmSync(builds, { recursive: true, force: true });
      return code;
    },
  };
}
