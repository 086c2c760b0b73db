import { setTimeout as pause } from 'node:timers/promises';
import type { TestApp } from '../../core/app.js';

/** Answers a request that waits for a job, which is done meanwhile as a worker does it. */
export async function whileWorking<R>(app: TestApp, request: Promise<R>): Promise<R> {
  let answered = false;
  const done = request.finally(() => (answered = true));
  // Its failure is reported below.
  done.catch(() => undefined);
  while (!answered) {
    await app.work();
    await pause(10);
  }
  return done;
}
