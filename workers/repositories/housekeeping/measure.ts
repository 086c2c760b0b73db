import { RepositoryMissing } from '../../../shared/git/index.js';
import { requestHousekeeping } from '../../../shared/repositories/housekeeping/request-housekeeping.js';
import { measureProject } from '../../../shared/repositories/housekeeping/measure-project.js';
import { measureProjects } from '../../../shared/tenancy/tenancy.jobs.js';
import { eachOnce } from '../../core/each.js';
import { handler } from '../../core/handler.js';

/**
 * Measures repositories after pushes, and requests housekeeping if due; several pushes to one project in a batch are
 * measured once. A failed measurement does not hold up the others.
 */
export const measure = handler({
  kind: measureProjects,
  batchSize: 10,
  handleBatch: (ctx, payloads) =>
    eachOnce(
      ctx,
      payloads,
      (payload) => payload.project_id,
      async (id) => {
        try {
          await measureProject(ctx, id);
          await requestHousekeeping(ctx, id);
        } catch (error) {
          // Removed meanwhile: there is nothing to count any more.
          if (!(error instanceof RepositoryMissing)) throw error;
        }
      },
    ),
});
