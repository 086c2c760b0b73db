/* The tables of this domain: a line for each file of entities. */
export { InstanceZoneData } from './pipeline-schedules/pipeline-schedule.entity.js';
export {
  PipelineSchedule,
  PipelineScheduleInput,
  PipelineScheduleRun,
  PipelineScheduleVariable,
} from './pipeline-schedules/pipeline-schedule.entity.js';
export { Job } from './pipelines/job.entity.js';
export { PipelineVariable, Pipeline } from './pipelines/pipeline.entity.js';
export { CiVariable } from './variables/ci-variable.entity.js';
