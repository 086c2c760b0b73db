/* The tables of this domain: a line for each file of entities. */
export { InstanceZoneData } from './pipeline-schedules/instance-zone-data.entity.js';
export {
  PipelineSchedule,
  PipelineScheduleInput,
  PipelineScheduleRun,
  PipelineScheduleVariable,
} from './pipeline-schedules/pipeline-schedule.entity.js';
export { Job } from './pipelines/job.entity.js';
export { PipelineVariable } from './pipelines/pipeline-variable.entity.js';
export { Pipeline } from './pipelines/pipeline.entity.js';
