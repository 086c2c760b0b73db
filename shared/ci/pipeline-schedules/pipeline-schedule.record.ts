import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Pipeline } from '../pipelines/pipeline.entity.js';
import type { PipelineSchedule } from './pipeline-schedule.entity.js';

/** A schedule with its project, owner and newest pipeline. */
export interface ScheduleRecord extends PipelineSchedule {
  project: ProjectRecord;
  owner: UserSummary | null;
  last_pipeline: Pipeline | null;
  /** Loaded by the shapes that show them. */
}
