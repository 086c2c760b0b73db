import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { receivedError, sentError } from './job-messages.js';
import type { FromJobProcess, SentJob, ToJobProcess } from './job-messages.js';

/** Memory limit for the objects of a job: several times the size of one line of an archive and its parsed form. */
export const JOB_MEMORY_MIB = 384;
/** The young ones. More is faster, and stays with the process. */
const YOUNG_MIB = 4;
/** It gets what time others leave, as threads do that keep a core busy. */
const NICENESS = 5;
/** A job that does not obey its signal has so long; then its process ends. */
const OBEYS_MS = 5_000;
/** And one that has nothing to do, until it has closed what it opened. */
const ENDS_MS = 2_000;

/** The process of a job exited while running it. The message contains the reason, for the users of the job's result. */
export class JobProcessExited extends Error {
  override get name() {
    return 'JobProcessExited';
  }
}

/** What ended a process, as far as it shows: V8 aborts the process when its memory is used up. */
function getReason(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === 'SIGABRT' || code === 134) return 'It took more memory than a job may.';
  return signal === null ? `Its process ended with code ${code}.` : `Its process was ended by ${signal}.`;
}

/** A process that does one job at a time, and is gone when this one is. */
export class JobProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  readonly #exit: Promise<never>;
  #over = false;
  #since: number | null = null;

  /**
   * @param script what it runs
   * @param memoryMiB what its objects may take
   * @param onEnd called once it is gone
   */
  constructor(script: URL, memoryMiB: number, onEnd: () => void) {
    this.#child = fork(script, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [
        ...process.execArgv.filter((argument) => !argument.startsWith('--inspect')),
        `--max-old-space-size=${memoryMiB}`,
        `--max-semi-space-size=${YOUNG_MIB}`,
      ],
    });
    this.#exit = new Promise((_resolve, reject) => {
      const end = (reason: string) => {
        if (this.#over) return;
        this.#over = true;
        reject(new JobProcessExited(reason));
        onEnd();
      };
      this.#child.once('error', (error) => end(`Its process did not start: ${error.message}.`));
      this.#child.once('exit', (code, signal) => end(getReason(code, signal)));
    });
    this.#exit.catch(() => undefined);
    this.#ready = this.#nextMessage((message) => 'ready' in message).then(() => undefined);
    this.#ready.catch(() => undefined);
    if (this.#child.pid !== undefined) lowerPriority(this.#child.pid);
  }

  get over(): boolean {
    return this.#over;
  }

  /** Milliseconds that its job has run so far; 0 before the first job. */
  get busyMs(): number {
    return this.#since === null ? 0 : performance.now() - this.#since;
  }

  /**
   * Runs a job.
   * @param signal aborts it: through its handler, or by killing its process if the handler does not react
   * @throws errors of the handler, JobProcessExited
   */
  async run(job: SentJob, signal: AbortSignal): Promise<void> {
    await Promise.race([this.#ready, this.#exit]);
    signal.throwIfAborted();
    const answered = this.#nextMessage((message) => !('ready' in message));
    let killing: NodeJS.Timeout | undefined;
    const end = () => {
      this.#send({ end: sentError(signal.reason) });
      killing = setTimeout(() => this.kill(), OBEYS_MS);
    };
    signal.addEventListener('abort', end, { once: true });
    this.#since = performance.now();
    try {
      this.#send({ job });
      const answer = await answered;
      if ('error' in answer) throw receivedError(answer.error);
    } finally {
      this.#since = null;
      signal.removeEventListener('abort', end);
      clearTimeout(killing);
    }
  }

  /** Ends it in good order, once it has nothing to do. */
  end(): void {
    if (this.#child.connected) this.#child.disconnect();
    setTimeout(() => this.kill(), ENDS_MS).unref();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** The next matching message. @throws JobProcessExited */
  #nextMessage(fits: (message: FromJobProcess) => boolean): Promise<FromJobProcess> {
    const { promise, resolve } = Promise.withResolvers<FromJobProcess>();
    const hear = (message: unknown) => {
      if (fits(message as FromJobProcess)) resolve(message as FromJobProcess);
    };
    this.#child.on('message', hear);
    return Promise.race([promise, this.#exit]).finally(() => this.#child.off('message', hear));
  }

  #send(message: ToJobProcess): void {
    // Its exit reports why it is disconnected.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}

/** Relative to the priority of this process: without root privileges it cannot be raised. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(getPriority(0) + NICENESS, 19));
  } catch {
    // It is a preference: jobs run without it too.
  }
}
