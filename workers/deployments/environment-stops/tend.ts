import { stopStaleEnvironments, tendEnvironments } from '../../../shared/deployments/deployments.jobs.js';
import { stopStaleOf } from '../../../shared/deployments/environment-stops/stop-stale.js';
import { stopAndRemoveDue } from '../../../shared/deployments/environment-stops/tend-environments.js';
import { handler } from '../../core/handler.js';

/** Stops what nobody has used for long, as somebody asked for it. */
export const stopOfStaleEnvironments = handler({ kind: stopStaleEnvironments, batchSize: 5, handle: stopStaleOf });

/** Stops and removes environments whose time is up. */
export const tendingOfEnvironments = handler({ kind: tendEnvironments, batchSize: 1, handle: stopAndRemoveDue });
