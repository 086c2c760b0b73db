/* Routes of this domain by area: one line per route file. */
export {
  ciVariableRoutes as variables,
  commitStatusRoutes as commitStatuses,
  jobRoutes as jobs,
  lintRoutes as lint,
  pipelineRoutes as pipelines,
} from './ci.rest.js';
export { runnerProtocolRoutes as runnerProtocol } from './runner-protocol/runner-protocol.rest.js';
export { jobLogRoutes as jobLogs } from './job-logs/job-logs.rest.js';
export { runnerRoutes as runners } from './runners/runners.rest.js';
export { jobActionRoutes as jobActions } from './job-actions/job-actions.rest.js';
export { jobWaitingRoutes as jobWaiting } from './job-waiting/job-waiting.rest.js';
export { pipelineCreationRoutes as pipelineCreation } from './pipeline-creation/pipeline-creation.rest.js';
