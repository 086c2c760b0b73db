import type { TablesOf } from '../core/database/tables.js';
import type { RepositoriesDatabase } from '../repositories/repositories.entities.js';
import { Job } from './pipelines/job.entity.js';
import {
  PipelineSchedule,
  PipelineScheduleInput,
  PipelineScheduleRun,
  PipelineScheduleVariable,
} from './pipeline-schedules/pipeline-schedule.entity.js';
import { PipelineVariable } from './pipelines/pipeline-variable.entity.js';
import { Pipeline } from './pipelines/pipeline.entity.js';
import { InstanceZoneData } from './pipeline-schedules/instance-zone-data.entity.js';

/** The tables of this domain. */
export const ciEntities = [
  InstanceZoneData,
  Job,
  Pipeline,
  PipelineSchedule,
  PipelineScheduleInput,
  PipelineScheduleRun,
  PipelineScheduleVariable,
  PipelineVariable,
] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface CiDatabase extends RepositoriesDatabase, TablesOf<(typeof ciEntities)[number]> {}
