import type { ScryptOptions } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/** What the thread is asked. */
export interface HashRequest {
  id: number;
  password: string;
  salt: Uint8Array;
  options: ScryptOptions;
}

/** What it answers: 32 bytes, or why there are none. */
export interface HashAnswer {
  id: number;
  key?: Uint8Array;
  error?: string;
}

interface Waiting {
  resolve(key: Buffer): void;
  reject(error: Error): void;
}

let worker: Worker | undefined;
const waiting = new Map<number, Waiting>();
let sequence = 0;

function settle({ id, key, error }: HashAnswer) {
  const asked = waiting.get(id);
  waiting.delete(id);
  // A thread that has nothing to do keeps no process alive.
  if (waiting.size === 0) worker?.unref();
  if (key) asked?.resolve(Buffer.from(key));
  else asked?.reject(new Error(error ?? 'The password was not hashed.'));
}

/** The thread is gone: whoever waits is told, and the next one starts another. */
function abandon(gone: Worker, error: Error) {
  if (worker === gone) worker = undefined;
  for (const asked of waiting.values()) asked.reject(error);
  waiting.clear();
}

function thread(): Worker {
  if (worker) return worker;
  const started = new Worker(new URL('./hash-worker.js', import.meta.url));
  started.on('message', settle);
  started.on('error', (error: Error) => abandon(started, error));
  started.on('exit', () => abandon(started, new Error('The thread that hashes passwords ended.')));
  worker = started;
  return started;
}

/**
 * scrypt on a thread of its own with a low priority, one at a time: a flood of sign-ins takes what time other requests
 * leave. The pool that Node would use has the same priority as they, and reading files waits in it.
 * @returns 32 bytes
 */
export function scryptApart(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const id = (sequence += 1);
    const asked = thread();
    waiting.set(id, { resolve, reject });
    asked.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    asked.postMessage({ id, password, salt, options } satisfies HashRequest);
  });
}
