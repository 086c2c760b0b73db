import type { Context as KoaContext } from 'koa';
import { updateJobOfRunner } from '../../../shared/ci/job-reports/update-job.js';
import type { JobUpdate } from '../../../shared/ci/job-reports/update-job.js';
import { jobSerializer } from '../../../shared/ci/jobs/job.serializer.js';
import { retractJob } from '../../../shared/ci/runner-protocol/hand-over.js';
import { getOwnJob } from '../../../shared/ci/runner-protocol/own-job.js';
import { requestJobOfRunner, returnJob } from '../../../shared/ci/runner-protocol/request-job.operations.js';
import type { AnsweredRunner } from '../../../shared/ci/runner-protocol/request-job.operations.js';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Context } from '../../../shared/core/context/context.js';
import { sendJson, sendNothing, sendText } from '../../core/respond.js';
import { get, post, put } from '../../core/routes.js';
import type { RestRoute } from '../../core/routes.js';

/** Queues a job again whose runner has gone before the first byte of the answer. */
function watchHandOver(koa: KoaContext, giveBack: () => Promise<void>): Promise<void> | undefined {
  const { res } = koa;
  const { socket } = koa.req;
  if (res.closed || socket.destroyed) return giveBack();
  const sent = socket.bytesWritten;
  res.once('close', () => {
    if (!res.writableFinished && socket.bytesWritten === sent) void giveBack();
  });
  return undefined;
}

async function answerRunner(koa: KoaContext, ctx: Context<Caller>, answer: AnsweredRunner): Promise<void> {
  if (answer.payload === null) {
    koa.set('X-GitLab-Last-Update', answer.last_update);
    return sendNothing(koa, 204);
  }
  await watchHandOver(koa, () => returnJob(ctx, answer));
  try {
    sendJson(koa, 201, answer.payload);
  } catch (error) {
    await retractJob(ctx, answer.claim, error);
    throw error;
  }
}

function answerUpdate(koa: KoaContext, _ctx: unknown, { status, job_status, interval }: JobUpdate): void {
  koa.set({ 'Job-Status': job_status, 'X-GitLab-Trace-Update-Interval': String(interval) });
  sendText(koa, String(status), status);
}

/** Not throttled by address: one address may have any number of runners. */
const RUNNER_TOKEN = { headerParams: { token: 'runner-token' }, unthrottled: true } as const;
const JOB_TOKEN = { headerParams: { token: 'job-token' }, unthrottled: true } as const;

export const runnerProtocolRoutes: RestRoute[] = [
  post('/jobs/request', requestJobOfRunner, { status: 201, respond: answerRunner, ...RUNNER_TOKEN }),
  put('/jobs/:job_id', updateJobOfRunner, { respond: answerUpdate, ...JOB_TOKEN }),
  get('/job', getOwnJob, { present: jobSerializer, headerParams: { job_token: 'job-token' }, unthrottled: true }),
];
