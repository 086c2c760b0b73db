import type { WorkerDomain } from './core/domain.js';
import type { Companion } from './core/handler.js';
import { RecurringJobs } from './core/recurring.js';
import { tenancyDomain } from './tenancy/tenancy.registry.js';
import { authDomain } from './auth/auth.registry.js';
import { repositoriesDomain } from './repositories/repositories.registry.js';
import { ciDomain } from './ci/ci.registry.js';

/** The one list of domains that workers serve, from the ground up. */
const domains: readonly WorkerDomain[] = [tenancyDomain, authDomain, repositoriesDomain, ciDomain];

export const handlers = domains.flatMap((domain) => domain.handlers);

export const recurring = domains.flatMap((domain) => domain.recurring ?? []);

/** What each worker process keeps running beside its handlers. */
export const companions = (): Companion[] => [
  new RecurringJobs(recurring),
  ...domains.flatMap((domain) => domain.companions?.() ?? []),
];
