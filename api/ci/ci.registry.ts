import type { ApiDomain } from '../core/routes.js';
import * as areas from './ci.areas.js';
import pipelineSchedules from './pipeline-schedules/pipeline-schedules.rest.js';
import scheduleLedgerRoutes from './pipeline-schedules/schedule-ledger.rest.js';
import instanceScheduleRoutes from './pipeline-schedules/schedules-of-instance.rest.js';

export const ciApi: ApiDomain = {
  areas: { ...areas, pipelineSchedules: [...pipelineSchedules, ...scheduleLedgerRoutes, ...instanceScheduleRoutes] },
};
