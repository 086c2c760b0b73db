import { sweepImports } from '../../../shared/archives/archive-imports/archive-import.jobs.js';
import { sweepImportFolders } from '../../../shared/archives/archive-imports/import-folder.js';
import { endLostImports } from '../../../shared/archives/project-imports/end-lost-imports.js';
import { handler } from '../../core/handler.js';

/** Removes from disk what imports left whose process died, and ends those whose job is lost. */
export const sweepOfImports = handler({
  kind: sweepImports,
  batchSize: 1,
  async handle(ctx) {
    const lost = await endLostImports(ctx);
    ctx.log.info({ removed: await sweepImportFolders(ctx), lost }, 'archive_import.sweep');
  },
});
