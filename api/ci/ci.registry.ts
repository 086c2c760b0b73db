import type { ApiDomain } from '../core/routes.js';
import * as areas from './ci.areas.js';
import pipelineSchedules from './pipeline-schedules/pipeline-schedules.rest.js';
import scheduleLedger from './pipeline-schedules/schedule-ledger.rest.js';
import schedulesOfInstance from './pipeline-schedules/schedules-of-instance.rest.js';

export const ciApi: ApiDomain = {
  areas: { ...areas, pipelineSchedules: [...pipelineSchedules, ...scheduleLedger, ...schedulesOfInstance] },
  resolvers: async () => (await import('./ci.resolvers.js')).ciResolvers,
};
