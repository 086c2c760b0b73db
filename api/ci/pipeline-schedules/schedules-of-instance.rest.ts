import {
  forecastPipelineSchedules,
  listForecastPipelineSchedules,
} from '../../../shared/ci/pipeline-schedule-forecast/forecast.operations.js';
import { forecastScheduleSerializer } from '../../../shared/ci/pipeline-schedule-forecast/forecast.serializer.js';
import {
  listAllPipelineSchedules,
  scheduleOfInstance,
} from '../../../shared/ci/pipeline-schedule-runs/list-schedules.js';
import {
  listRecentRunsOfSchedules,
  recentRunsSerializer,
} from '../../../shared/ci/pipeline-schedule-runs/recent-runs.js';
import { previewNextRuns } from '../../../shared/ci/pipeline-schedule-runs/schedule-run.operations.js';
import { nextRunSerializer } from '../../../shared/ci/pipeline-schedule-runs/schedule-run.serializer.js';
import { get, routes } from '../../core/routes.js';

const integer = { type: 'integer' };
const instant = { type: 'string', format: 'date-time' };

const record = (properties: Record<string, unknown>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const POLICY_OUTAGE = record({ schedules: integer, due: integer, fires: integer, missed: integer });

const FORECAST = record({
  from: instant,
  to: instant,
  schedules: integer,
  left_out: integer,
  hours: { type: 'array', items: integer },
  stampedes: { type: 'array', items: record({ at: instant, count: integer, days: integer }) },
  outage: {
    anyOf: [
      record({
        from: instant,
        to: instant,
        by_policy: record({ last: POLICY_OUTAGE, skip: POLICY_OUTAGE, all: POLICY_OUTAGE }),
      }),
      { type: 'null' },
    ],
  },
});

/** Beyond the public API: the schedules of all projects in one list, what became of them, and what they will do. */
export default routes('/pipeline_schedules', [
  get('/', listAllPipelineSchedules, { present: scheduleOfInstance, paginate: 'keyset' }),
  get('/recent_runs', listRecentRunsOfSchedules, { present: recentRunsSerializer, paginate: 'none' }),
  get('/next_runs', previewNextRuns, { present: nextRunSerializer, paginate: 'none' }),
  get('/forecast', forecastPipelineSchedules, { schema: FORECAST }),
  get('/forecast/schedules', listForecastPipelineSchedules, {
    present: forecastScheduleSerializer,
    paginate: 'keyset',
  }),
]);
