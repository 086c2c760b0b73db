import type { JobKind } from '../../../shared/core/jobs.js';
import type { Logger } from '../../../shared/core/log.js';
import type { JobInHand } from './job-in-hand.js';
import { JOB_MEMORY_MIB, JobProcess } from './job-process.js';

/** Processes of one worker at most. Each takes some 150 MB while it is there, and five connections to the database. */
const MOST = 4;
/** `long` jobs at a time: they leave a process for those that somebody waits for. */
const MOST_LONG = 3;
/** Once each has been at its job for so long, those that wait have another one started: most jobs take less. */
const START_ANOTHER_MS = 2_000;
const LOOK_MS = 500;
/** A process that has nothing to do ends after so long. */
const IDLE_MS = 2_000;

interface Waiting {
  readonly isLong: boolean;
  begin(process: JobProcess): void;
}

/** The processes in which a worker runs the jobs of isolated kinds, one job at a time in each. */
export class JobProcesses {
  readonly #all = new Set<JobProcess>();
  readonly #idle = new Map<JobProcess, NodeJS.Timeout>();
  readonly #waiting = new Set<Waiting>();
  #long = 0;
  #closed = false;

  /**
   * @param script what each process runs
   * @param memoryMiB what the objects of each may take (tests fill it)
   */
  constructor(
    private readonly script: URL,
    private readonly log: Logger,
    private readonly memoryMiB = JOB_MEMORY_MIB,
  ) {}

  /**
   * Does a job in a process, once there is one for it.
   * @throws what its handler throws, JobProcessEnded, the reason of its signal
   */
  async run({ name, isolated }: JobKind<object>, job: JobInHand): Promise<void> {
    const isLong = isolated === 'long';
    const { id, context, payload, signal } = job;
    const process = await this.#take(isLong, signal);
    try {
      await process.run({ kind: name, id, context, payload }, signal);
    } finally {
      if (isLong) this.#long -= 1;
      if (!process.over) this.#rest(process);
      this.#serve();
    }
  }

  /** Ends all processes, with what they do. */
  close(): void {
    this.#closed = true;
    for (const process of this.#all) process.kill();
  }

  /** Waits for a process, in order of arrival. @throws the signal's reason */
  #take(isLong: boolean, signal: AbortSignal): Promise<JobProcess> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearInterval(looking);
        signal.removeEventListener('abort', gone);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        isLong,
        begin: (process) => {
          stop();
          resolve(process);
        },
      };
      const gone = () => {
        stop();
        reject(signal.reason as Error);
      };
      const looking = setInterval(() => this.#serve(), LOOK_MS);
      if (signal.aborted) return gone();
      signal.addEventListener('abort', gone, { once: true });
      this.#waiting.add(waiting);
      this.#serve();
    });
  }

  /** Gives processes to those who wait. */
  #serve(): void {
    if (this.#closed) return;
    for (const waiting of this.#waiting) {
      if (waiting.isLong && this.#long >= MOST_LONG) continue;
      const process = this.#free();
      if (!process) continue;
      if (waiting.isLong) this.#long += 1;
      waiting.begin(process);
    }
  }

  #free(): JobProcess | undefined {
    const [idle] = this.#idle;
    if (idle) {
      const [process, ending] = idle;
      clearTimeout(ending);
      this.#idle.delete(process);
      return process;
    }
    const allBusy = [...this.#all].every(({ busyMs }) => busyMs >= START_ANOTHER_MS);
    return allBusy && this.#all.size < MOST ? this.#start() : undefined;
  }

  #start(): JobProcess {
    const process: JobProcess = new JobProcess(this.script, this.memoryMiB, () => {
      this.#all.delete(process);
      clearTimeout(this.#idle.get(process));
      this.#idle.delete(process);
      this.#serve();
    });
    this.#all.add(process);
    this.log.debug({ processes: this.#all.size }, 'a process for jobs is started');
    return process;
  }

  #rest(process: JobProcess): void {
    this.#idle.set(
      process,
      setTimeout(() => {
        this.#idle.delete(process);
        process.end();
      }, IDLE_MS),
    );
  }
}
