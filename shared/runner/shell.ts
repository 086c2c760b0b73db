import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { temporaryOf } from './isolation.js';
import type { Isolation, JobDirectories } from './isolation.js';
import { writeFresh } from './job-files.js';
import type { JobTrace } from './job-trace.js';

/** How long commands may take to end when asked to. */
const GRACE_MS = 5000;

/** How a shell ended; `stoppedBy` is null where it ended by itself. */
export interface ShellEnd {
  exitCode: number;
  stoppedBy: 'time' | 'signal' | null;
}

/** Runs the scripts of one job, one after the other. */
export class JobShell {
  #count = 0;

  constructor(
    private readonly isolation: Isolation,
    private readonly directories: JobDirectories,
    /** `bash`, or `sh` where it is not there. */
    readonly program: string,
    private readonly log: JobTrace,
  ) {}

  /**
   * Runs a script to its end; all its processes are gone then.
   *
   * @param limitMs how long it may take
   * @param signal ends it early
   */
  async run(script: string, limitMs: number, signal: AbortSignal): Promise<ShellEnd> {
    if (signal.aborted) return { exitCode: 1, stoppedBy: 'signal' };
    this.#count += 1;
    const file = path.join(this.directories.temporary, `script-${this.#count}`);
    writeFresh(file, script);
    const [command = '', ...args] = this.isolation.wrap([this.program, file], this.directories);
    const child = spawn(command, args, {
      cwd: this.directories.project,
      // Variables are set by the script itself: here they could change what isolates it.
      env: environmentOf(this.directories),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = exitOf(child);
    let stoppedBy: ShellEnd['stoppedBy'] = null;
    const stopFor = (why: ShellEnd['stoppedBy']) => {
      stoppedBy ??= why;
      endGroup(child, ended);
    };
    const timer = setTimeout(() => stopFor('time'), Math.min(limitMs, 2 ** 31 - 1));
    const onAbort = () => stopFor('signal');
    signal.addEventListener('abort', onAbort);
    try {
      const output = Promise.all([this.#copy(child.stdout), this.#copy(child.stderr)]);
      const leave = ended.then((exitCode) => {
        // What it left running in the background.
        signalGroup(child, 'SIGKILL');
        endOutput(child);
        return exitCode;
      });
      // A log that can't be written fails the job at once.
      const [exitCode] = await Promise.all([leave, output]);
      return { exitCode, stoppedBy };
    } catch (error) {
      signalGroup(child, 'SIGKILL');
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #copy(stream: AsyncIterable<Buffer> | null): Promise<void> {
    for await (const bytes of stream ?? []) {
      this.log.write(bytes);
      await this.log.room();
    }
  }
}

/**
 * Ends the output of a shell that has ended, once all of it is read: without isolation, a process that left its group
 * may hold it open for ever.
 */
function endOutput({ stdout, stderr }: ChildProcess): void {
  for (const stream of [stdout, stderr]) {
    const timer = setInterval(() => stream?.readableLength === 0 && stream.push(null), GRACE_MS);
    if (stream === null || stream.closed) clearInterval(timer);
    else stream.once('close', () => clearInterval(timer));
  }
}

function environmentOf(directories: JobDirectories): NodeJS.ProcessEnv {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', TZ } = process.env;
  const home = path.join(directories.temporary, 'home');
  const own = { PATH, HOME: home, LANG: 'C.UTF-8', SHELL: '/bin/sh', USER: 'capstan', LOGNAME: 'capstan' };
  return { ...own, TMPDIR: temporaryOf(directories), ...(TZ === undefined ? {} : { TZ }) };
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 143)));
  });
}

function endGroup(child: ChildProcess, ended: Promise<number>): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
  void ended.then(() => clearTimeout(timer));
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // All of it has ended.
  }
}
