import { keepProject } from '../../../shared/repositories/housekeeping/keep-project.js';
import { maintainRepositories } from '../../../shared/repositories/repositories.jobs.js';
import { handler } from '../../core/handler.js';

/** Packs repositories, one at a time in each process: it costs what nobody else wants of the machine. */
export const housekeeping = handler({
  kind: maintainRepositories,
  batchSize: 1,
  async handle(ctx, { project_id: id }) {
    const packed = await keepProject(ctx, id);
    ctx.log.info({ project_id: id, packed }, 'repository.maintain');
  },
});
