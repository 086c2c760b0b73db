import type { WorkerDomain, BackgroundService } from './core/handler.js';
import { instanceWorkers } from './instance/instance.registry.js';
import { tenancyWorkers } from './tenancy/tenancy.registry.js';
import { authWorkers } from './auth/auth.registry.js';
import { repositoriesWorkers } from './repositories/repositories.registry.js';
import { ciWorkers } from './ci/ci.registry.js';
import { planningWorkers } from './planning/planning.registry.js';
import { mergeRequestsWorkers } from './merge-requests/merge-requests.registry.js';
import { notesWorkers } from './notes/notes.registry.js';
import { deploymentsWorkers } from './deployments/deployments.registry.js';
import { packagesWorkers } from './packages/packages.registry.js';
import { archivesWorkers } from './archives/archives.registry.js';

/** The one list of domains that workers serve, from the ground up. */
const domains: readonly WorkerDomain[] = [
  instanceWorkers,
  tenancyWorkers,
  authWorkers,
  repositoriesWorkers,
  ciWorkers,
  planningWorkers,
  mergeRequestsWorkers,
  notesWorkers,
  deploymentsWorkers,
  packagesWorkers,
  archivesWorkers,
];

export const handlers = domains.flatMap((domain) => domain.handlers);

/** The background services that each worker process runs in addition to its handlers. */
export const backgroundServices = (): BackgroundService[] =>
  domains.flatMap((domain) => domain.backgroundServices?.() ?? []);
