/* The tables of this domain: a line for each file of entities. */
export { InstanceZoneData } from './pipeline-schedules/pipeline-schedule.entity.js';
export {
  PipelineSchedule,
  PipelineScheduleInput,
  PipelineScheduleRun,
  PipelineScheduleVariable,
} from './pipeline-schedules/pipeline-schedule.entity.js';
export { Runner, RunnerManager, RunnerProject } from './runners/runner.entity.js';
export { InstanceRegistrationToken } from './runners/registration-token.entity.js';
export { InstanceUptime } from './uptimes/uptime.entity.js';
export { ResourceGroup } from './pipelines/resource-group.entity.js';
export { JobDefinition } from './pipelines/job-definition.entity.js';
export { Job, JobNeed, JobRun, ManualJobVariable } from './pipelines/job.entity.js';
export { JobLog, JobLogChunk } from './job-logs/job-log.entity.js';
export { QueuedJob } from './job-queue/queued-job.entity.js';
export { CommitConfiguration } from './pipeline-creation/commit-configuration.entity.js';
export { PipelineRef } from './pipelines/pipeline-ref.entity.js';
export { PipelineExplanation } from './pipelines/pipeline-explanation.entity.js';
export { PipelineVariable, Pipeline } from './pipelines/pipeline.entity.js';
export { CiVariable } from './variables/ci-variable.entity.js';
