import {
  createPipelineSchedule,
  updatePipelineSchedule,
} from '../../../shared/ci/pipeline-schedules/edit-pipeline-schedule.js';
import {
  deletePipelineSchedule,
  getPipelineSchedule,
  listPipelineSchedules,
  listPipelinesOfSchedule,
  takeOwnershipOfPipelineSchedule,
} from '../../../shared/ci/pipeline-schedules/pipeline-schedule.operations.js';
import { dryRunPipelineSchedule, scheduleDryRun } from '../../../shared/ci/lint/dry-run-schedule.js';
import { playPipelineSchedule } from '../../../shared/ci/pipeline-schedule-runs/play-schedule.js';
import {
  createScheduleVariable,
  deleteScheduleVariable,
  getScheduleVariable,
  updateScheduleVariable,
} from '../../../shared/ci/pipeline-schedule-variables/schedule-variable.operations.js';
import {
  changedSchedule,
  deletedScheduleVariable,
  listedSchedule,
  scheduleDetails,
  scheduleVariable,
} from '../../../shared/ci/pipeline-schedules/pipeline-schedule.serializer.js';
import { listNextRunsOfSchedule } from '../../../shared/ci/pipeline-schedule-runs/schedule-run.operations.js';
import { nextRunSerializer } from '../../../shared/ci/pipeline-schedule-runs/schedule-run.serializer.js';
import { basicPipeline } from '../../../shared/ci/pipelines/pipeline.serializer.js';
import { out, serializer } from '../../../shared/core/operations/serializer.js';
import { del, get, post, put, routes } from '../../core/routes.js';

/** Play is a job: the answer names no pipeline, clients poll `last_pipeline`. */
const created = serializer<unknown>('Created', { message: out.text(() => '201 Created') });

export default routes('/projects/:id/pipeline_schedules', [
  get('/', listPipelineSchedules, { present: listedSchedule, paginate: 'offset' }),
  post('/', createPipelineSchedule, { present: changedSchedule, status: 201 }),
  get('/:pipeline_schedule_id', getPipelineSchedule, { present: scheduleDetails }),
  put('/:pipeline_schedule_id', updatePipelineSchedule, { present: changedSchedule }),
  // 200 with the deleted schedule (contract decision 3).
  del('/:pipeline_schedule_id', deletePipelineSchedule, { present: changedSchedule }),
  get('/:pipeline_schedule_id/pipelines', listPipelinesOfSchedule, { present: basicPipeline, paginate: 'offset' }),
  // Beyond the public API: when the next runs are. What became of those before is in schedule-ledger.rest.ts.
  get('/:pipeline_schedule_id/next_runs', listNextRunsOfSchedule, { present: nextRunSerializer, paginate: 'none' }),
  post('/:pipeline_schedule_id/take_ownership', takeOwnershipOfPipelineSchedule, {
    present: changedSchedule,
    status: (schedule) => (schedule.unchanged ? 200 : 201),
  }),
  post('/:pipeline_schedule_id/dry_run', dryRunPipelineSchedule, { present: scheduleDryRun, status: 200 }),
  post('/:pipeline_schedule_id/play', playPipelineSchedule, { present: created, status: 201 }),
  post('/:pipeline_schedule_id/variables', createScheduleVariable, { present: scheduleVariable, status: 201 }),
  get('/:pipeline_schedule_id/variables/:key', getScheduleVariable, { present: scheduleVariable }),
  put('/:pipeline_schedule_id/variables/:key', updateScheduleVariable, { present: scheduleVariable }),
  del('/:pipeline_schedule_id/variables/:key', deleteScheduleVariable, {
    present: deletedScheduleVariable,
    status: 202,
  }),
]);
