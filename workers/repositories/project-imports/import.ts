import { importFromUrl } from '../../../shared/repositories/project-imports/import-from-url.js';
import { failImport } from '../../../shared/repositories/project-imports/import-state.js';
import {
  failImports,
  importProjects,
  importTransfers,
} from '../../../shared/repositories/project-imports/project-import.jobs.js';
import { giveUpPlace, inTransfer } from '../../../shared/repositories/repository-transfers/in-transfer.js';
import { handler } from '../../core/handler.js';

/** Brings repositories in from elsewhere, each by itself: a slow remote must not hold up the others. */
export const importOfProjects = handler({
  kind: importProjects,
  batchSize: 1,
  concurrency: 4,
  async handle(ctx, payload) {
    await inTransfer(ctx, importTransfers, payload, () =>
      importFromUrl(ctx, payload.project_id, payload.default_branch ?? null),
    );
  },
});

/** Ends imports that no try brought to an end. */
export const failureOfImports = handler({
  kind: failImports,
  batchSize: 20,
  async handle(ctx, { project_id: id }) {
    await failImport(ctx, id, 'The repository could not be imported.');
    await giveUpPlace(ctx, importTransfers, id);
  },
});
