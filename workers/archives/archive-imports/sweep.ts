import {
  sweepImports,
  planGroupImports,
  planProjectArchives,
} from '../../../shared/archives/archive-imports/archive-import.jobs.js';
import { sweepImportFolders } from '../../../shared/archives/archive-imports/import-folder.js';
import { sweepImportPlans } from '../../../shared/archives/import-plans/run-import-plan.js';
import { endLostImports } from '../../../shared/archives/project-imports/run-project-import.js';
import { handler } from '../../core/handler.js';
import { logWork } from '../../core/log-work.js';

/** Removes from disk what imports left whose process died, and ends those whose job is lost; plans go after their hour. */
export const sweepOfImports = handler({
  kind: sweepImports,
  batchSize: 1,
  async handle(ctx) {
    const lost = await endLostImports(ctx);
    const plans = await sweepImportPlans(ctx, [planGroupImports.name, planProjectArchives.name]);
    logWork(ctx.log, { removed: await sweepImportFolders(ctx), lost, plans }, 'archive_import.sweep');
  },
});
