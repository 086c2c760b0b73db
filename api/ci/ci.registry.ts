import type { ApiDomain } from '../core/domain.js';
import commitStatuses from './commit-statuses/commit-statuses.rest.js';
import instanceVariables from './instance-variables/instance-variables.rest.js';
import jobs from './jobs/jobs.rest.js';
import pipelineSchedules from './pipeline-schedules/pipeline-schedules.rest.js';
import scheduleLedger from './pipeline-schedules/schedule-ledger.rest.js';
import schedulesOfInstance from './pipeline-schedules/schedules-of-instance.rest.js';
import pipelines from './pipelines/pipelines.rest.js';

export const ciApi: ApiDomain = {
  areas: {
    commitStatuses,
    instanceVariables,
    jobs,
    pipelineSchedules: [...pipelineSchedules, ...scheduleLedger, ...schedulesOfInstance],
    pipelines,
  },
  resolvers: async () => (await import('./ci.resolvers.js')).ciResolvers,
};
