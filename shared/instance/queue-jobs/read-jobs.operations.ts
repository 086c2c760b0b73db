import { anyOf, constant } from '../../core/database/expressions.js';
import { BadParams } from '../../core/values/errors.js';
import { boolean, instant, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { narrow } from '../../core/database/list.js';
import { auditEvents, onAuditEvents } from '../audit-events/audit-event.finder.js';
import { jobFilterParams } from './job-filter.js';
import { jobOverview } from '../pg-boss/job-stats.js';
import { listFoundJobs } from '../pg-boss/job.finder.js';
import { readQueues } from '../pg-boss/list-queues.js';
import { QUEUE_JOB_NOTES } from './queue-job.audit.js';
import { jobResource, queueResource } from './queue-job.resources.js';
import { getQueueFeed } from '../queues/queue-feed.js';
import { lastHourOfQueues, queueSeries, RESOLUTIONS } from '../pg-boss/queue-series.js';
import type { Resolution } from '../pg-boss/queue-series.js';
import { queueWorkers } from '../pg-boss/queue-worker.finder.js';
import { listRecurring } from '../pg-boss/recurring-jobs.js';
import { countJobs } from '../pg-boss/search-jobs.js';

/** Administrators and auditors may read all of `/admin/jobs` (jobs-admin.md section 5). */
const reading = { authentication: 'auditor', kind: 'read' } as const;

const internal = {
  internal: withDefault(boolean(), false).describe('If `true`, includes the internal queues of the queue library.'),
};

/** List queues with their current state. */
export const listQueues = operation({
  name: 'listQueues',
  summary: 'List job queues',
  ...reading,
  resource: instance,
  statements: 3,
  params: internal,
  run: (ctx, _instance, input) => readQueues(ctx, { internal: input.internal }),
});

/** Read one queue. */
export const getQueue = operation({
  name: 'getQueue',
  summary: 'Read a job queue',
  ...reading,
  resource: queueResource,
  statements: 3,
  run: (_ctx, queue) => Promise.resolve(queue),
});

const DAY_MS = 86_400_000;
const LAST: Record<Resolution, number> = { minute: 3_600_000, hour: DAY_MS };

/** Read how a queue stood over time. Without times the last hour, or day. */
export const getQueueStats = operation({
  name: 'getQueueStats',
  summary: 'Read the statistics of a job queue',
  ...reading,
  resource: queueResource,
  statements: 4,
  params: {
    from: optional(instant()).describe(
      'Start of the time range; by default an hour before the end, or a day for points by the hour.',
    ),
    to: optional(instant()).describe('End of the time range, exclusive; now by default.'),
    resolution: withDefault(oneOf(['minute', 'hour']), 'minute').describe(
      'Resolution of the points: one for each minute, over a day at most, or one for each hour, over a week at most.',
    ),
  },
  run(ctx, queue, { from, to, resolution }) {
    const end = to ?? new Date(ctx.clock.now().getTime() + 1);
    const start = from ?? new Date(end.getTime() - LAST[resolution]);
    if (start >= end) throw new BadParams(['from is not before to']);
    const { days } = RESOLUTIONS[resolution];
    if (end.getTime() - start.getTime() > days * DAY_MS + 1)
      throw new BadParams([`from is more than ${days === 1 ? 'a day' : `${days} days`} before to`]);
    return queueSeries(ctx, queue.name, { from: start, to: end, resolution });
  },
});

/** List what queues did in the last hour, by the minute. Queues in which nothing was done are left out. */
export const listQueueSeries = operation({
  name: 'listQueueSeries',
  summary: 'List the activity of job queues in the last hour',
  ...reading,
  resource: instance,
  statements: 3,
  run: (ctx) => lastHourOfQueues(ctx),
});

/** Search jobs of all queues. */
export const searchJobs = operation({
  name: 'searchJobs',
  summary: 'Search jobs of all queues',
  ...reading,
  resource: instance,
  statements: 3,
  params: {
    ...jobFilterParams,
    ...internal,
    sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order by creation time.'),
    cursor: optional(text()).describe('Cursor for the start of the page, as in the link to the page.'),
  },
  run: (ctx, _instance, { sort, cursor, internal: withInternal, ...filter }) =>
    Promise.resolve(listFoundJobs(ctx, filter, { sort, cursor, internal: withInternal })),
});

/** Past this many jobs are not counted. */
const JOB_COUNT_LIMIT = 1_000_000;

/** Count the jobs that a search finds. */
export const countJobsOfSearch = operation({
  name: 'countJobs',
  summary: 'Count the jobs of a search',
  ...reading,
  resource: instance,
  statements: 3,
  params: { ...jobFilterParams, ...internal },
  async run(ctx, _instance, { internal: withInternal, ...filter }) {
    const found = await countJobs(ctx, filter, JOB_COUNT_LIMIT + 1, withInternal);
    return { count: Math.min(found, JOB_COUNT_LIMIT), limited: found > JOB_COUNT_LIMIT };
  },
});

/** Read one job. */
export const getQueueJob = operation({
  name: 'getQueueJob',
  summary: 'Read a job of a queue',
  ...reading,
  resource: jobResource,
  statements: 5,
  run: (_ctx, job) => Promise.resolve(job),
});

/** Read counts over all queues. */
export const getJobOverview = operation({
  name: 'getJobOverview',
  summary: 'Read counts over all job queues',
  ...reading,
  resource: instance,
  statements: 3,
  run: (ctx) => jobOverview(ctx),
});

/** List worker processes; those that died stay for an hour. */
export const listProcesses = operation({
  name: 'listQueueProcesses',
  summary: 'List worker processes',
  ...reading,
  resource: instance,
  statements: 3,
  run: (ctx) => queueWorkers(ctx),
});

/** List recurring jobs. */
export const listRecurringJobs = operation({
  name: 'listRecurringJobs',
  summary: 'List recurring jobs',
  ...reading,
  resource: instance,
  statements: 3,
  run: (ctx) => listRecurring(ctx),
});

/** List actions on queues and jobs with their authors, newest first. */
export const listJobActions = operation({
  name: 'listJobActions',
  summary: 'List actions on job queues and jobs',
  ...reading,
  resource: instance,
  statements: 4,
  run: () =>
    Promise.resolve({
      ...narrow(auditEvents, [
        onAuditEvents('e.entity_type', '=', constant('Instance')),
        onAuditEvents('e.event_name', '=', anyOf(QUEUE_JOB_NOTES, 'text')),
      ]),
      keyset: { type: 'AuditEvent', by: 'cursor', offered: true },
    } as const),
});

/** Follow the state of the queues, as server-sent events. */
export const followQueues = operation({
  name: 'followQueues',
  summary: 'Follow the job queues as server-sent events',
  ...reading,
  resource: instance,
  statements: 3,
  run: (ctx) => Promise.resolve(getQueueFeed(ctx.services)),
});
