import type { ApiDomain } from '../core/domain.js';
import applicationSettings from './application-settings/application-settings.rest.js';
import auditEvents from './audit-events/audit-events.rest.js';
import featureFlags from './feature-flags/feature-flags.rest.js';
import metadata from './metadata/metadata.rest.js';
import refusedRequests from './refused-requests/refused-requests.rest.js';
import queueJobs from './queue-jobs/queue-jobs.rest.js';
import sidekiq from './queue-jobs/sidekiq.rest.js';

export const instanceApi: ApiDomain = {
  areas: {
    applicationSettings,
    auditEvents,
    featureFlags,
    metadata,
    queueJobs,
    refusedRequests,
    sidekiq,
  },
  resolvers: async () => (await import('./instance.resolvers.js')).instanceResolvers,
};
