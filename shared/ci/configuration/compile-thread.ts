import { ClientGone, Overloaded } from '../../core/values/errors.js';
import { Limiter } from '../../core/values/limiter.js';
import { Thread, ThreadTimeout } from '../../core/threads/thread.js';
import { rejectCompilation } from './compile.types.js';
import type { Compilation, CompileRequest, DataAnswer, DataRequest } from './compile.types.js';

/** Configurations that are compiled at once in a process, and those that wait for it. */
const THREADS = 2;
const WAITING = 100;
const RETRY_AFTER_SECONDS = 5;
/** What the thread itself may work on one configuration. */
const WORK_MS = 5000;
/** With everything that is fetched for it. */
const TIMEOUT_MS = 30_000;
const MEMORY_MIB = 384;

const idle = Array.from(
  { length: THREADS },
  () =>
    new Thread<CompileRequest, Compilation>(
      new URL('./compile-worker.js', import.meta.url),
      'compiles CI configurations',
      MEMORY_MIB,
    ),
);

const limiter = new Limiter({
  capacity: THREADS,
  queueLimit: WAITING,
  createError: (why) => (why === 'aborted' ? new ClientGone() : new Overloaded(RETRY_AFTER_SECONDS)),
});

interface CompileOptions {
  /** Whoever it is compiled for: each has one thread at a time, and all take turns. */
  owner: string;
  signal: AbortSignal;
}

/**
 * Compiles a configuration on a thread of its own, one at a time per thread.
 * @param createFetch makes what answers all that the thread needs: included files, changed paths, paths of a commit
 * @returns an error of the configuration, if compiling it took too long or needed too much memory
 * @throws Overloaded when too many wait, ClientGone, errors of what answers
 */
export async function compileApart(
  request: CompileRequest,
  createFetch: () => (request: DataRequest) => Promise<DataAnswer>,
  { owner, signal }: CompileOptions,
): Promise<Compilation> {
  const compile = async () => {
    const thread = idle.pop()!;
    const ask = () => {
      const fetch = createFetch();
      const onRequest = (about: unknown) => fetch(about as DataRequest);
      return thread.ask(request, { workMs: WORK_MS, timeoutMs: TIMEOUT_MS, signal, onRequest });
    };
    try {
      return await ask().catch((error: unknown) => {
        if (!isOutOfMemory(error)) throw error;
        // What the thread remembered of others may be to blame; its successor remembers nothing yet.
        return ask();
      });
    } catch (error) {
      if (signal.aborted) throw new ClientGone();
      if (error instanceof ThreadTimeout) return rejectCompilation('Resolving config took longer than expected');
      if (isOutOfMemory(error)) return rejectCompilation('The parsed YAML is too big');
      throw error;
    } finally {
      idle.push(thread);
    }
  };
  return limiter.run(compile, [{ key: owner, limit: 1 }], { queue: owner, signal });
}

const isOutOfMemory = (error: unknown) => (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
