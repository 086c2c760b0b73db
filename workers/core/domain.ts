import type { BackgroundService, Handler } from './handler.js';

/** What workers do of a domain. Its registry names it, and `workers/domains.ts` the domains. */
export interface WorkerDomain {
  readonly handlers: readonly Handler[];
  /** What each worker process keeps running beside them. */
  readonly backgroundServices?: () => readonly BackgroundService[];
}
