import type { Services } from '../../../shared/core/context/context.js';
import { flushLogs } from '../../../shared/core/log/log.js';
import type { Handler, HandlerOfOne } from '../../core/handler.js';
import { runHere } from './run-batch.js';
import { receivedError, sentError } from './job-messages.js';
import type { FromJobProcess, SentJob, ToJobProcess } from './job-messages.js';

/** Does the jobs that the worker of this process sends, one at a time. @returns whether it does one now */
export function answerJobs(services: Services, handlers: readonly Handler[]): () => boolean {
  const send = (message: FromJobProcess) => {
    flushLogs();
    // A worker that has exited needs no message.
    if (process.connected) process.send?.(message, undefined, {}, () => undefined);
  };
  let ending = new AbortController();
  let busy = false;
  const run = async ({ kind: name, ...job }: SentJob) => {
    ending = new AbortController();
    busy = true;
    const handler = handlers.find(({ kind }) => kind.name === name);
    try {
      if (!handler) throw new Error(`There is no handler for ${name}.`);
      await runHere(services, handler as HandlerOfOne<object>, { ...job, signal: ending.signal });
      busy = false;
      send({ done: true });
    } catch (error) {
      busy = false;
      send({ error: sentError(error) });
    }
  };
  process.on('message', (message: ToJobProcess) => {
    if ('job' in message) void run(message.job);
    else ending.abort(receivedError(message.end));
  });
  send({ ready: true });
  return () => busy;
}
