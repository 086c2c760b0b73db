import { out, serializer } from '../../core/operations/serializer.js';
import { projectOfSchedule } from '../pipeline-schedule-runs/list-schedules.js';
import { listedFields } from '../pipeline-schedules/pipeline-schedule.serializer.js';
import type { VisibleSchedule } from '../pipeline-schedules/visible-schedules.js';
import type { AfterOutage } from './forecast-due-times.js';

/** A schedule with what it does in a time range. */
export interface ForecastSchedule extends VisibleSchedule {
  /** Due times, the first and the last of them. */
  moments: number;
  first_at: Date;
  last_at: Date;
  after: AfterOutage;
}

const afterSerializer = serializer<AfterOutage>('AfterOutage', {
  fires: out.integer((after) => after.fires, {
    description: 'Number of runs that would fire once the service is back.',
  }),
  missed: out.integer((after) => after.missed, {
    description: 'Number of due times that would be recorded as missed.',
  }),
});

/** A schedule in the list of what fires within a time. */
export const forecastScheduleSerializer = serializer<ForecastSchedule>('ForecastPipelineSchedule', {
  ...listedFields,
  project: out.record(projectOfSchedule, (schedule) => schedule.project),
  moments: out.integer((schedule) => schedule.moments, {
    description: 'Number of times the schedule fires within the time range.',
  }),
  first_at: out.instant((schedule) => schedule.first_at),
  last_at: out.instant((schedule) => schedule.last_at),
  after_outage: out.record(afterSerializer, (schedule) => schedule.after),
});
