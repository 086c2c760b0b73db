import type { WorkerDomain } from '../core/handler.js';
import {
  digestRegistrationTokens,
  removeOldPipelines,
  tendPipelineJobs,
  tickPipelineSchedules,
  tendPipelineSchedules,
} from '../../shared/ci/ci.jobs.js';
import { tickSchedules } from '../../shared/ci/pipeline-schedules/tick-schedules.js';
import { handler, logWork } from '../core/handler.js';
import { prunePipelines } from '../../shared/ci/job-tending/prune-pipelines.js';
import { pruneRuns, rescueRuns } from '../../shared/ci/pipeline-schedule-runs/tend-runs.js';
import { assign, processJobs, sweep } from './processing/process.js';
import { digestOldTokens } from '../../shared/ci/runners/registration-tokens.js';
import { tendRunnerJobs } from '../../shared/ci/job-tending/tend-jobs.js';
import { AcknowledgementWatch } from './jobs/acknowledgement-watch.js';
import { ScheduleAlarm } from './pipeline-schedules/alarm.js';
import { sealLogsHandler, tendLogsHandler } from './job-logs/seal-logs.js';
import { pushPipelinesHandler, tendPipelinesHandler } from './pipeline-creation/create-push-pipelines.js';
import { play, run } from './pipeline-schedules/run.js';
import { ZoneDataWatch, zoneData } from './pipeline-schedules/zone-data.js';

/** Rescues runs that lost their job, and removes old ones. */
const tend = handler({
  kind: tendPipelineSchedules,
  batchSize: 1,
  async handle(ctx) {
    const { resent, abandonedRuns } = await rescueRuns(ctx);
    const pruned = await pruneRuns(ctx);
    logWork(ctx.log, { resent, abandoned: abandonedRuns, pruned }, 'pipeline_schedule.tend');
  },
});

/** Ends jobs that nobody will end, and makes the queue of jobs right. */
const tendJobsHandler = handler({
  kind: tendPipelineJobs,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await tendRunnerJobs(ctx), 'pipeline_jobs.tend');
  },
});

/** Removes pipelines past the retention of their project. */
const removeOld = handler({
  kind: removeOldPipelines,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, { removed: await prunePipelines(ctx) }, 'pipelines.remove_old');
  },
});

/** Digests registration tokens that are older than their digests. */
const digestTokens = handler({
  kind: digestRegistrationTokens,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, { digested: await digestOldTokens(ctx) }, 'registration_tokens.digest');
  },
});

/** Claims due schedules. Several ticks in a batch do so once: the first claims all of them. */
const tick = handler({
  kind: tickPipelineSchedules,
  batchSize: 20,
  async handleBatch(ctx) {
    const claimed = await tickSchedules(ctx);
    logWork(ctx.log, { claimed }, 'pipeline_schedule.tick');
  },
});

export const ciWorkers: WorkerDomain = {
  handlers: [
    assign,
    processJobs,
    sweep,
    tick,
    run,
    play,
    pushPipelinesHandler,
    tendPipelinesHandler,
    removeOld,
    digestTokens,
    zoneData,
    tend,
    tendJobsHandler,
    sealLogsHandler,
    tendLogsHandler,
  ],
  backgroundServices: () => [new ScheduleAlarm(), new AcknowledgementWatch(), new ZoneDataWatch()],
};
