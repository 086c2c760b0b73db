import type { Domain } from './core/domain.js';
import { instanceDomain } from './instance/instance.registry.js';
import { tenancyDomain } from './tenancy/tenancy.registry.js';
import { authDomain } from './auth/auth.registry.js';
import { repositoriesDomain } from './repositories/repositories.registry.js';
import { ciDomain } from './ci/ci.registry.js';
import { planningDomain } from './planning/planning.registry.js';
import { mergeRequestsDomain } from './merge-requests/merge-requests.registry.js';
import { notesDomain } from './notes/notes.registry.js';
import { deploymentsDomain } from './deployments/deployments.registry.js';
import { packagesDomain } from './packages/packages.registry.js';
import { archivesDomain } from './archives/archives.registry.js';

/** The one list of domains, from the ground up: each knows only those before it. */
export const domains: readonly Domain[] = [
  instanceDomain,
  tenancyDomain,
  authDomain,
  repositoriesDomain,
  ciDomain,
  planningDomain,
  mergeRequestsDomain,
  notesDomain,
  deploymentsDomain,
  packagesDomain,
  archivesDomain,
];
