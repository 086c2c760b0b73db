/* Routes of this domain by area: one line per route file. */
export {
  applicationSettingRoutes as applicationSettings,
  auditEventRoutes as auditEvents,
  featureFlagRoutes as featureFlags,
  metadataRoutes as metadata,
  refusedRequestRoutes as refusedRequests,
} from './instance.rest.js';
export { default as queueJobs } from './queue-jobs/queue-jobs.rest.js';
export { default as sidekiq } from './queue-jobs/sidekiq.rest.js';
