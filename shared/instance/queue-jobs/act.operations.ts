import { randomUUID } from 'node:crypto';
import { Conflict } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { actOnJobs } from '../pg-boss/act-on-jobs.js';
import type { JobAction } from '../pg-boss/act-on-jobs.js';
import { readJob } from './job-detail.js';
import type { JobDetail } from './job-detail.js';
import { isInternal, findQueue } from '../pg-boss/list-queues.js';
import type { QueueRecord } from '../pg-boss/list-queues.js';
import { storePause, storeResume } from '../queues/pause-queue.js';
import { jobResource, queueResource, recurringResource } from './queue-job.resources.js';
import { wakeQueues } from '../pg-boss/queue-channel.js';
import type { SignedInContext } from '../../core/context/context.js';

/** Only administrators act (jobs-admin.md section 5). */
const acting = { authentication: 'administrator', kind: 'write' } as const;

const DONE: Record<JobAction, string> = {
  retry: 'retried',
  cancel: 'cancelled',
  resume: 'resumed',
  delete: 'deleted',
};

/** @throws Conflict saying in which state the job is, or that another one like it waits */
async function act(ctx: SignedInContext, action: JobAction, job: JobDetail): Promise<void> {
  const { id, queue, state } = job;
  const done = await actOnJobs(ctx, action, [job]);
  if (done.length === 0) {
    const fits = (action === 'retry' && state === 'failed') || (action === 'resume' && state === 'cancelled');
    throw new Conflict(
      fits
        ? `Another job like it is waiting or running; the job cannot be ${DONE[action]}.`
        : `The job is ${state === 'created' ? 'waiting' : state} and cannot be ${DONE[action]}.`,
    );
  }
  ctx.record({ type: 'queue_jobs.acted', action, job: { id, queue } });
}

const onJob = (action: Exclude<JobAction, 'delete'>, summary: string) =>
  operation({
    name: `${action}QueueJob`,
    summary,
    ...acting,
    resource: jobResource,
    async run(ctx, job) {
      await act(ctx, action, job);
      return readJob(ctx, job.id);
    },
  });

/** Try a failed job again, at once. */
export const retryJob = onJob('retry', 'Retry a failed job');

/** Cancel a job that waits or runs; the handler of one that runs sees a signal. */
export const cancelJob = onJob('cancel', 'Cancel a job that waits or runs');

/** Have a cancelled job wait again. */
export const resumeJob = onJob('resume', 'Resume a cancelled job');

/** Delete a job that does not run, with its history. */
export const deleteJob = operation({
  name: 'deleteQueueJob',
  summary: 'Delete a job that is not running',
  ...acting,
  resource: jobResource,
  run: (ctx, job) => act(ctx, 'delete', job),
});

const reason = {
  reason: text()
    .refine((value) => value.length <= 1_000, 'is too long')
    .optional()
    .describe('Reason for the action, for users who view the queue.'),
};

/** The library's own queues are fetched by no worker of ours. @throws Conflict */
function requireOurs({ name }: QueueRecord) {
  if (isInternal(name)) throw new Conflict('The queue is internal: it cannot be paused.');
}

/** Pause a queue: no process fetches from it any more. */
export const pauseQueue = operation({
  name: 'pauseQueue',
  summary: 'Pause a job queue',
  ...acting,
  resource: queueResource,
  params: reason,
  async run(ctx, queue, input) {
    requireOurs(queue);
    const said = input.reason?.trim() || null;
    if (await storePause(ctx, queue.name, said))
      ctx.record({ type: 'queue_jobs.queue_controlled', queue: queue.name, paused: true, reason: said });
    return findQueue(ctx, queue.name);
  },
});

/** Have a paused queue worked on again. */
export const resumeQueue = operation({
  name: 'resumeQueue',
  summary: 'Resume a paused job queue',
  ...acting,
  resource: queueResource,
  params: reason,
  async run(ctx, queue, input) {
    requireOurs(queue);
    const said = input.reason?.trim() || null;
    if (await storeResume(ctx, queue.name, said))
      ctx.record({ type: 'queue_jobs.queue_controlled', queue: queue.name, paused: false, reason: said });
    return findQueue(ctx, queue.name);
  },
});

/** Send a recurring job now, in addition to its schedule. */
export const runRecurringJob = operation({
  name: 'runRecurringJob',
  summary: 'Run a recurring job now',
  ...acting,
  resource: recurringResource,
  async run(ctx, recurring) {
    const id = randomUUID();
    const { name, key, every_seconds: everySeconds, feature_category: category } = recurring;
    await ctx.jobs.sendAs({ name, category, everySeconds }, [{ id, data: {} }]);
    await wakeQueues(ctx, [name]);
    ctx.record({ type: 'queue_jobs.schedule_run', name, key, job_id: id });
    return { job_id: id };
  },
});
