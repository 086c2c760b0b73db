/* What the API serves of this domain, by area: a line for each file of routes that is an area by itself. */
export { default as commitStatuses } from './commit-statuses/commit-statuses.rest.js';
export { default as instanceVariables } from './instance-variables/instance-variables.rest.js';
export { default as jobs } from './jobs/jobs.rest.js';
export { default as pipelines } from './pipelines/pipelines.rest.js';
