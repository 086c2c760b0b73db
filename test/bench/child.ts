import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_MS = 30_000;
const STOP_MS = 30_000;
/** Linux counts CPU time in ticks of 10 ms. */
const MS_PER_TICK = 10;

interface ReadyMessage {
  type: 'ready';
  url?: string;
}

/** A process of the service, or a twin, that reports over its channel when it is ready. */
export class Child {
  private constructor(
    readonly process: ChildProcess,
    /** The address it listens at; empty for a worker. */
    readonly url: string,
  ) {}

  /**
   * Starts a compiled file below `dist` and waits until it is ready. Its log goes to a file, as in production.
   * `CAPSTAN_BENCH_NODE` gives Node options, such as `--cpu-prof`, to the file that `CAPSTAN_BENCH_PROFILE` names.
   */
  static async start(file: string, env: NodeJS.ProcessEnv, directory: string): Promise<Child> {
    const log = openSync(path.join(directory, `${file.replaceAll('/', '-')}.log`), 'a');
    const profiled = process.env.CAPSTAN_BENCH_PROFILE === file;
    const options = profiled ? (process.env.CAPSTAN_BENCH_NODE ?? '--cpu-prof').split(' ') : [];
    const child = spawn(process.execPath, [...options, path.join('dist', file)], {
      env: { ...process.env, ...env },
      stdio: ['ignore', log, 'inherit', 'ipc'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${file} was not ready in time.`)), READY_MS);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`${file} ended with ${code} before it was ready.`)));
      child.on('message', (message: ReadyMessage) => {
        if (message.type !== 'ready') return;
        clearTimeout(timer);
        resolve(message.url ?? '');
      });
    });
    return new Child(child, url);
  }

  /** CPU time used so far, in milliseconds; null if the system does not report it. */
  async cpuMs(): Promise<number | null> {
    return getCpuMs(this.process.pid as number);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const finish = new Promise<void>((resolve) => this.process.once('exit', () => resolve()));
    this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), STOP_MS);
    await finish;
    clearTimeout(timer);
  }
}

/** CPU time of a process, user and system, in milliseconds; null if `/proc` does not report it. */
export async function getCpuMs(pid: number): Promise<number | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold spaces: count from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}

/** CPU time that a process takes over a while, in percent of one core. */
export async function getPercent(child: Child, milliseconds: number): Promise<number> {
  const [before, began] = [await child.cpuMs(), performance.now()];
  await sleep(milliseconds);
  const [after, finish] = [await child.cpuMs(), performance.now()];
  if (before === null || after === null) throw new Error('This system does not tell a process’s CPU time.');
  return ((after - before) / (finish - began)) * 100;
}

/** MiB of memory that a process holds; NaN if `/proc` does not report it. */
export async function getMemory(child: Child): Promise<number> {
  const status = await readFile(`/proc/${child.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** The maximum of a measurement that is repeated while some work runs. */
export async function highestWhile(work: Promise<unknown>, measure: () => Promise<number>): Promise<number> {
  const going = { on: true };
  const finish = work.finally(() => (going.on = false));
  // Reported at the end, after the measurement.
  finish.catch(() => undefined);
  let highest = 0;
  while (going.on) {
    highest = Math.max(highest, await measure());
    await sleep(100);
  }
  await finish;
  return highest;
}
