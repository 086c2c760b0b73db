import { deleteProjects } from '../../../shared/tenancy/tenancy.jobs.js';
import { removeProject } from '../../../shared/repositories/project-lifecycle/remove-project.js';
import { handler } from '../../core/handler.js';

/** Removes projects whose time has come. */
export const deleteProjectHandler = handler({
  kind: deleteProjects,
  batchSize: 5,
  longStatements: true,
  async handle(ctx, payload) {
    await removeProject(ctx, payload.project_id, new Date(payload.marked_at));
    ctx.log.info({ project_id: payload.project_id }, 'project.deleted');
  },
});
