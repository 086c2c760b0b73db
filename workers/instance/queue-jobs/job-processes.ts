import type { JobKind } from '../../../shared/core/context/jobs.js';
import { Limiter } from '../../../shared/core/values/limiter.js';
import type { Share } from '../../../shared/core/values/limiter.js';
import type { Logger } from '../../../shared/core/log/log.js';
import type { JobInHand } from './job-in-hand.js';
import { JOB_MEMORY_MIB, JobProcess } from './job-process.js';

/** Processes of one worker at most. Each takes some 150 MB while it is there, and five connections to the database. */
const MOST = 4;
/** Maximum number of concurrent `long` jobs: they leave one process for jobs that users wait for. */
const MOST_LONG = 3;
/** Once each has been at its job for so long, those that wait have another one started: most jobs take less. */
const START_ANOTHER_MS = 2_000;
const POLL_MS = 500;
/** A process that has nothing to do ends after so long. */
const IDLE_MS = 2_000;

const LONG: readonly Share[] = [{ key: 'long', limit: MOST_LONG }];

/** The processes in which a worker runs the jobs of isolated kinds, one job at a time in each. */
export class JobProcesses {
  readonly #all = new Set<JobProcess>();
  /** The processes that accept jobs: the capacity of the limiter. */
  readonly #open = new Set<JobProcess>();
  readonly #idle = new Map<JobProcess, NodeJS.Timeout>();
  /** In order of arrival. */
  readonly #limiter = new Limiter({ capacity: 0 });
  #closed = false;

  /**
   * @param script the script that each process runs
   * @param memoryMiB memory limit for the objects of each (tests exhaust it)
   */
  constructor(
    private readonly script: URL,
    private readonly log: Logger,
    private readonly memoryMiB = JOB_MEMORY_MIB,
  ) {}

  /**
   * Does a job in a process, once there is one for it.
   * @throws what its handler throws, JobProcessExited, the reason of its signal
   */
  async run({ name, isolated }: JobKind<object>, job: JobInHand): Promise<void> {
    const shares = isolated === 'long' ? LONG : [];
    const { id, context, payload, signal } = job;
    const process = await this.#take(shares, signal);
    try {
      await process.run({ kind: name, id, context, payload }, signal);
    } finally {
      if (!process.over) this.#rest(process);
      this.#limiter.release(shares);
      this.#startWhereNeeded();
    }
  }

  /** Ends all processes, with what they do. */
  close(): void {
    this.#closed = true;
    for (const process of this.#all) process.kill();
  }

  /** Waits for a process. @throws the signal's reason */
  async #take(shares: readonly Share[], signal: AbortSignal): Promise<JobProcess> {
    const waiting = this.#limiter.take(shares, { signal });
    if (waiting) {
      this.#startWhereNeeded();
      const looking = setInterval(() => this.#startWhereNeeded(), POLL_MS);
      await waiting.finally(() => clearInterval(looking));
    }
    // No process can end between the limiter's grant and this line: one of the open processes is idle.
    const [process] = this.#idle.keys();
    this.#leaveIdle(process!);
    return process!;
  }

  /** Starts a process if jobs are waiting for one, and the existing ones have been busy for a while. */
  #startWhereNeeded(): void {
    if (this.#closed || this.#all.size >= MOST || !this.#limiter.lacksCapacity) return;
    if (![...this.#all].every(({ busyMs }) => busyMs >= START_ANOTHER_MS)) return;
    const process: JobProcess = new JobProcess(this.script, this.memoryMiB, () => {
      this.#all.delete(process);
      this.#leaveIdle(process);
      this.#close(process);
      this.#startWhereNeeded();
    });
    this.#all.add(process);
    this.log.debug({ processes: this.#all.size }, 'a process for jobs is started');
    this.#rest(process);
    this.#open.add(process);
    this.#limiter.resize(this.#open.size);
  }

  /** It accepts no further jobs. */
  #close(process: JobProcess): void {
    this.#open.delete(process);
    this.#limiter.resize(this.#open.size);
  }

  #rest(process: JobProcess): void {
    const end = () => {
      this.#idle.delete(process);
      this.#close(process);
      process.end();
    };
    this.#idle.set(process, setTimeout(end, IDLE_MS));
  }

  #leaveIdle(process: JobProcess): void {
    clearTimeout(this.#idle.get(process));
    this.#idle.delete(process);
  }
}
