import type { Domain } from '../core/domain.js';
import { addMeasure } from '../instance/monitoring/measures.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { ciEntities } from './ci.entities.js';
import * as readings from './ci.audit.js';
import { ciLiveKinds, ciPageChanges } from './ci.pages.js';
import { addPipelineToCommits } from './pipelines/pipeline-of-commit.js';
import { basicJobTokens } from './runner-protocol/basic-job-tokens.js';
import { measurePendingJobs } from './job-queue/pending-jobs.js';
import { ciSubscribers } from './ci.subscribers.js';
import {
  assignResources,
  digestRegistrationTokens,
  createPushPipelines,
  syncTimeZoneData,
  playPipelineSchedules,
  processPipelines,
  removeOldPipelines,
  runPipelineSchedules,
  sealJobLogs,
  tendJobLogs,
  sweepPipelines,
  tendPipelineJobs,
  tendPipelineSchedules,
  tendPipelines,
  tickPipelineSchedules,
} from './ci.jobs.js';

addPipelineToCommits();
addMeasure(measurePendingJobs);

export const ciDomain: Domain = {
  name: 'ci',
  entities: ciEntities,
  jobKinds: [
    syncTimeZoneData,
    playPipelineSchedules,
    assignResources,
    digestRegistrationTokens,
    processPipelines,
    removeOldPipelines,
    runPipelineSchedules,
    sealJobLogs,
    tendJobLogs,
    sweepPipelines,
    tendPipelineJobs,
    tendPipelineSchedules,
    tendPipelines,
    tickPipelineSchedules,
    createPushPipelines,
  ],
  basicReaders: [basicJobTokens],
  subscribers: ciSubscribers,
  auditOf: allReadings(readings),
  liveKinds: ciLiveKinds,
  pageChanges: ciPageChanges,
};
