import { rebuildDora, rebuildDoraOfProject, refreshDoraDay } from '../../../shared/deployments/deployments.jobs.js';
import { rebuildAllDora } from '../../../shared/deployments/dora/rebuild-dora.js';
import { refreshDays, resendLost } from '../../../shared/deployments/dora/refresh-days.js';
import { rollUpProjects } from '../../../shared/deployments/dora/roll-up.js';
import { handler } from '../../core/handler.js';
import { logWork } from '../../core/log-work.js';

/** Computes days anew, those of many jobs by one statement. */
export const dayRefresh = handler({
  kind: refreshDoraDay,
  batchSize: 200,
  async handleBatch(ctx, payloads) {
    await refreshDays(ctx, payloads);
  },
});

/** Computes all days of projects whose environments of production are others now. */
export const projectRebuild = handler({
  kind: rebuildDoraOfProject,
  batchSize: 20,
  async handleBatch(ctx, payloads) {
    await ctx.transaction(() => rollUpProjects(ctx, [...new Set(payloads.map(({ project_id: id }) => id))]));
  },
});

/** Once a night: mends what went wrong unseen. */
export const fullRebuild = handler({
  kind: rebuildDora,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await rebuildAllDora(ctx), 'dora.rebuild');
    await resendLost(ctx);
  },
});
