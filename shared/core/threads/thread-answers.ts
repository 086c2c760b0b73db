import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { FromThread, ToThread } from './thread.js';

/** Next to a busy thread it gets a quarter of a core: its work is slow then, but continues. */
const NICENESS = 5;

/** Requests data that only the other side can read. */
export type Ask = (about: unknown) => Promise<unknown>;

/**
 * Makes this thread answer the questions of a `Thread`, with a low priority. Call it once, in the thread's own file.
 */
export function answerQuestions<Q, A>(answer: (question: Q, ask: Ask) => A | Promise<A>): void {
  // Linux has a priority per thread; elsewhere this would slow the whole process.
  // Relative to the priority of the process: without root privileges it cannot be raised above the initial one.
  if (process.platform === 'linux') setPriority(0, Math.min(getPriority(0) + NICENESS, 19));
  const send = (message: FromThread<A>) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(message);
  };
  const requests = new Map<number, (value: unknown) => void>();
  let sequence = 0;
  const reply = async (id: number, question: Q) => {
    const ask: Ask = (about) =>
      new Promise((resolve) => {
        const request = (sequence += 1);
        requests.set(request, resolve);
        send({ id, request, about });
      });
    try {
      send({ id, answer: await answer(question, ask) });
    } catch (error) {
      send({ id, error: (error as Error).message });
    }
  };
  parentPort?.on('message', (message: ToThread<Q>) => {
    if ('question' in message) return void reply(message.id, message.question);
    requests.get(message.request)?.(message.value);
    requests.delete(message.request);
  });
}
