import type { Domain } from '../core/domain.js';
import { ciAuditOf } from './ci.audit.js';
import { ciFollowed, ciPageChanges } from './ci.pages.js';
import { addPipelineToCommits } from './pipelines/pipeline-of-commit.js';
import { ciSubscribers } from './ci.subscribers.js';
import { Job } from './pipelines/job.entity.js';
import {
  PipelineSchedule,
  PipelineScheduleInput,
  PipelineScheduleRun,
  PipelineScheduleVariable,
} from './pipeline-schedules/pipeline-schedule.entity.js';
import {
  followTimeZoneData,
  playPipelineSchedules,
  runPipelineSchedules,
  tendPipelineSchedules,
  tickPipelineSchedules,
} from './pipeline-schedules/pipeline-schedule.jobs.js';
import { PipelineVariable } from './pipelines/pipeline-variable.entity.js';
import { Pipeline } from './pipelines/pipeline.entity.js';

addPipelineToCommits();

export const ciDomain: Domain = {
  name: 'ci',
  entities: [
    Job,
    Pipeline,
    PipelineSchedule,
    PipelineScheduleInput,
    PipelineScheduleRun,
    PipelineScheduleVariable,
    PipelineVariable,
  ],
  jobKinds: [
    followTimeZoneData,
    playPipelineSchedules,
    runPipelineSchedules,
    tendPipelineSchedules,
    tickPipelineSchedules,
  ],
  subscribers: ciSubscribers,
  auditOf: ciAuditOf,
  followed: ciFollowed,
  pageChanges: ciPageChanges,
};
