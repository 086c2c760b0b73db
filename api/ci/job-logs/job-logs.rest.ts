import type { Context as KoaContext } from 'koa';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Context } from '../../../shared/core/context/context.js';
import { BadParams } from '../../../shared/core/values/errors.js';
import { eraseJob, getJobLog } from '../../../shared/ci/job-logs/job-log.operations.js';
import type { RequestedLog } from '../../../shared/ci/job-logs/job-log.operations.js';
import { getLogFeed } from '../../../shared/ci/job-logs/log-feed.js';
import { openLog } from '../../../shared/ci/job-logs/read-log.js';
import { jobSerializer } from '../../../shared/ci/jobs/job.serializer.js';
import { get, post, routes } from '../../core/routes.js';
import { sendEvents } from '../../core/send-events.js';
import { sendFile } from '../../core/send-file.js';
import type { ApiServices } from '../../core/services.js';

/** A position in a log. */
const POSITION = /^\d{1,15}$/;

/** Where a stream goes on: behind the last event that the client has. @throws BadParams */
function getPosition(koa: KoaContext): number {
  const id = koa.get('last-event-id').trim();
  if (id === '') return 0;
  if (!POSITION.test(id)) throw new BadParams(['Last-Event-ID is invalid']);
  return Number(id);
}

/** Sends a log as a file of text, or as a stream of events to those who follow it. */
async function sendLog(koa: KoaContext, ctx: Context<Caller>, { job, log, live }: RequestedLog): Promise<void> {
  if (live && koa.get('accept').includes('text/event-stream')) {
    const start = { position: getPosition(koa), debug_trace: log?.debug_trace === true };
    const feed = getLogFeed(ctx.services as ApiServices);
    return sendEvents(koa, (listener) => feed.join(ctx as Context, job, start, listener));
  }
  return sendFile(koa, ctx, {
    filename: `${job.id}.log`,
    bytes: log?.bytes ?? 0,
    sha256: log?.object?.sha256 ?? null,
    mediaType: 'text/plain; charset=utf-8',
    open: async (range) => (log && log.bytes > 0 ? openLog(ctx, job, log, range) : null),
  });
}

export const jobLogRoutes = routes('/projects/:id/jobs/:job_id', [
  get('/trace', getJobLog, { respond: sendLog }),
  post('/erase', eraseJob, { present: jobSerializer, status: 201 }),
]);
