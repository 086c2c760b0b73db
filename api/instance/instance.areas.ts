/* What the API serves of this domain, by area: a line for each file of routes that is an area by itself. */
export { default as applicationSettings } from './application-settings/application-settings.rest.js';
export { default as auditEvents } from './audit-events/audit-events.rest.js';
export { default as featureFlags } from './feature-flags/feature-flags.rest.js';
export { default as metadata } from './metadata/metadata.rest.js';
export { default as queueJobs } from './queue-jobs/queue-jobs.rest.js';
export { default as sidekiq } from './queue-jobs/sidekiq.rest.js';
export { default as refusedRequests } from './refused-requests/refused-requests.rest.js';
