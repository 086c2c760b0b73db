import type { WorkerDomain } from '../core/handler.js';
import {
  rebuildDora,
  rebuildDoraOfProject,
  refreshDoraDay,
  linkDeployedMergeRequests,
  linkLateMergeRequest,
  stopStaleEnvironments,
  tendEnvironments,
} from '../../shared/deployments/deployments.jobs.js';
import { rebuildAllDora } from '../../shared/deployments/dora/rebuild-dora.js';
import { refreshDays, resendLost } from '../../shared/deployments/dora/refresh-days.js';
import { rollUpProjects } from '../../shared/deployments/dora/roll-up.js';
import { handler, logWork } from '../core/handler.js';
import { linkLate } from '../../shared/deployments/deployed-merge-requests/link-late.js';
import { linkMergeRequests } from '../../shared/deployments/deployed-merge-requests/link-merge-requests.js';
import { stopStaleOf } from '../../shared/deployments/environment-stops/stop-stale.js';
import { stopAndRemoveDue } from '../../shared/deployments/environment-stops/tend-environments.js';

/** Links deployments to the merge requests that they deployed. */
const linkingOfDeployments = handler({
  kind: linkDeployedMergeRequests,
  batchSize: 10,
  handle: linkMergeRequests,
});

/** Links merge requests with deployments that had them before they were known to be merged. */
const linkingOfLateMergeRequests = handler({
  kind: linkLateMergeRequest,
  batchSize: 10,
  handle: linkLate,
});

/** Recomputes days, those of many jobs with one statement. */
const dayRefresh = handler({
  kind: refreshDoraDay,
  batchSize: 200,
  async handleBatch(ctx, payloads) {
    await refreshDays(ctx, payloads);
  },
});

/** Recomputes all days of projects whose production environments have changed. */
const projectRebuild = handler({
  kind: rebuildDoraOfProject,
  batchSize: 20,
  async handleBatch(ctx, payloads) {
    await ctx.transaction(() => rollUpProjects(ctx, [...new Set(payloads.map(({ project_id: id }) => id))]));
  },
});

/** Runs nightly: repairs undetected errors. */
const fullRebuild = handler({
  kind: rebuildDora,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await rebuildAllDora(ctx), 'dora.rebuild');
    await resendLost(ctx);
  },
});

/** Stops environments that have not been used for a long time, at a user's request. */
const stopOfStaleEnvironments = handler({ kind: stopStaleEnvironments, batchSize: 5, handle: stopStaleOf });

/** Stops and removes environments that are due. */
const tendingOfEnvironments = handler({ kind: tendEnvironments, batchSize: 1, handle: stopAndRemoveDue });

export const deploymentsWorkers: WorkerDomain = {
  handlers: [
    dayRefresh,
    fullRebuild,
    linkingOfDeployments,
    linkingOfLateMergeRequests,
    projectRebuild,
    stopOfStaleEnvironments,
    tendingOfEnvironments,
  ],
};
