import { RepositoryMissing } from '../../shared/core/git/index.js';
import { measureProject } from '../../shared/projects/measure-project.js';
import { measureProjects } from '../../shared/projects/project.jobs.js';
import { handler } from '../core/handler.js';

/** Counts repositories after pushes; several pushes to one project in a batch are counted once. */
export const measure = handler({
  kind: measureProjects,
  batchSize: 50,
  async handle(ctx, payloads) {
    for (const id of new Set(payloads.map((payload) => payload.project_id))) {
      try {
        await measureProject(ctx, id);
      } catch (error) {
        // Removed meanwhile: there is nothing to count any more.
        if (!(error instanceof RepositoryMissing)) throw error;
      }
    }
  },
});
