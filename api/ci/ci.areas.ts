/* What the API serves of this domain, by area: a line for each file of routes. */
export {
  commitStatusRoutes as commitStatuses,
  instanceVariableRoutes as instanceVariables,
  jobRoutes as jobs,
  pipelineRoutes as pipelines,
} from './ci.rest.js';
