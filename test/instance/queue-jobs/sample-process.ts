import { appendFile } from 'node:fs/promises';
import { once } from 'node:events';
import type { Context, Services } from '../../../shared/core/context/context.js';
import { createLogger } from '../../../shared/core/log/log.js';
import { handler } from '../../../workers/core/handler.js';
import { answerJobs } from '../../../workers/instance/queue-jobs/answer-jobs.js';
import { longSample, shortSample } from './sample-jobs.js';
import type { SampleJob } from './sample-jobs.js';

/** The handler run by the processes of `isolated-jobs.test.ts`. */
async function handle(ctx: Context, { what, file }: SampleJob): Promise<void> {
  await appendFile(file, `${process.pid} ${what}\n`);
  if (what === 'throw') throw new RangeError('There is none.');
  if (what === 'exit') process.exit(7);
  if (what === 'spin') for (;;);
  const objects: object[] = [];
  if (what === 'fill') for (;;) objects.push(Array.from({ length: 10_000 }, (_, at) => at + 0.5));
  if (what === 'wait' && !ctx.signal.aborted) await once(ctx.signal, 'abort');
  ctx.signal.throwIfAborted();
}

process.once('disconnect', () => process.exit(0));
answerJobs(
  { log: createLogger('silent', 'test') } as Services,
  [longSample, shortSample].map((kind) => handler<SampleJob>({ kind, batchSize: 1, handle })),
);
