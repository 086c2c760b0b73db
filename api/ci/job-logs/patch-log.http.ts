import Router from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { BadParams } from '../../../shared/core/values/errors.js';
import { PATCH_BYTES } from '../../../shared/ci/job-logs/append-log.js';
import { findLoggingRun, patchLog } from '../../../shared/ci/job-logs/patch-log.js';
import type { PatchedLog } from '../../../shared/ci/job-logs/patch-log.js';
import { JobTokenCaller } from '../../../shared/ci/runner-protocol/job-token-caller.js';
import { hasBody, openBody } from '../../core/bodies/guard.js';
import { readBytes } from '../../core/bodies/read-body.js';
import { sendError } from '../../core/rest/send-error.js';
import { sendNothing, sendErrorBody } from '../../core/respond.js';
import type { ApiServices } from '../../core/services.js';
import { throttle } from '../../core/throttle.js';
import { textParam, webQuery } from '../../core/web-routes.js';

const PATH = '/api/v4/jobs/:job_id/trace';
const JOB_ID = /^\d{1,15}$/;

/** `0-99`: where the body begins. The end is not looked at: some runners write another, and the body has a length. */
const RANGE = /^\s*(?:bytes[ =])?\s*(\d{1,15})-\d*\s*$/i;

/** @throws BadParams without a range */
function getStart(koa: KoaContext): number {
  const [, start] = RANGE.exec(koa.get('content-range')) ?? [];
  if (start === undefined) throw new BadParams(['Content-Range is missing or invalid']);
  return Number(start);
}

function answer(koa: KoaContext, { problem, size, status, interval }: PatchedLog): void {
  koa.set({ 'Job-Status': status, Range: `0-${size}`, 'X-GitLab-Trace-Update-Interval': String(interval) });
  if (problem === null) sendNothing(koa, 202);
  else if (problem === 'gap') sendErrorBody(koa, 416, { message: '416 Range Not Satisfiable' });
  else sendErrorBody(koa, 403, { message: '403 Forbidden - Job is not running' });
}

async function serve(koa: KoaContext, services: ApiServices, jobId: number): Promise<void> {
  const ctx = new Context(services, ANONYMOUS, koa.state.origin as Origin);
  const query = webQuery(koa);
  const token = koa.get('job-token').trim() || textParam(query, 'token');
  const run = await findLoggingRun(ctx, jobId, token);
  const start = getStart(koa);
  // One address may have any number of runners: what the request takes of the process counts to its job.
  const caller = new JobTokenCaller(run);
  services.traffic.answerFor(koa, caller);
  const body = hasBody(koa) ? await readBytes(openBody(services, koa, caller), PATCH_BYTES) : Buffer.alloc(0);
  const debug = ['true', '1'].includes(textParam(query, 'debug_trace').toLowerCase());
  answer(koa, await patchLog(ctx, run, { start, body, debug_trace: debug }));
}

/**
 * Serves `PATCH /jobs/:id/trace`, by which runners send logs. It is apart from the routes of the API, since its body is
 * bytes and its caller a job, and since it is called more often than all others.
 */
export function patchLogMiddleware(services: ApiServices): Middleware {
  const router = new Router({ sensitive: true });
  router.patch(PATH, async (koa, next) => {
    const id = koa.params.job_id ?? '';
    if (!JOB_ID.test(id)) return next();
    koa.state.pattern = PATH;
    try {
      await serve(koa, services, Number(id));
    } catch (error) {
      // Only what is refused counts to the address.
      if (await throttle(services, koa)) sendError(koa, services, error);
    }
  });
  return router.routes() as Middleware;
}
