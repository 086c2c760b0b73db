import { scryptSync } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { HashAnswer, HashRequest } from './hash-thread.js';

/** Beside a busy thread it gets a quarter of a core: sign-ins are slow then, but go on. */
const NICENESS = 5;

// Linux gives each thread a priority of its own; elsewhere this would slow the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS);

parentPort?.on('message', ({ id, password, salt, options }: HashRequest) => {
  let answer: HashAnswer;
  try {
    answer = { id, key: scryptSync(password, salt, 32, options) };
  } catch (error) {
    answer = { id, error: (error as Error).message };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answer);
});
