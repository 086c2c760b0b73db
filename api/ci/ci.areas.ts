/* Routes of this domain by area: one line per route file. */
export {
  commitStatusRoutes as commitStatuses,
  instanceVariableRoutes as instanceVariables,
  jobRoutes as jobs,
  lintRoutes as lint,
  pipelineRoutes as pipelines,
} from './ci.rest.js';
