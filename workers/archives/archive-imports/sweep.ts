import { sweepImports } from '../../../shared/archives/archive-imports/archive-import.jobs.js';
import { sweepImportFolders } from '../../../shared/archives/archive-imports/import-folder.js';
import { handler } from '../../core/handler.js';

/** Removes from disk what imports left whose process died. */
export const sweepOfImports = handler({
  kind: sweepImports,
  batchSize: 1,
  async handle(ctx) {
    ctx.log.info({ removed: await sweepImportFolders(ctx) }, 'archive_import.sweep');
  },
});
