import { failUploads, uploadExports } from '../../../shared/archives/exports/archive-export.jobs.js';
import { failUpload, uploadExport } from '../../../shared/archives/exports/upload-export.js';
import { handler } from '../../core/handler.js';

/** Sends archives, several at a time: a slow server must not hold up the others. */
export const uploadOfExports = handler({
  kind: uploadExports,
  batchSize: 1,
  concurrency: 5,
  async handle(ctx, { export_id: id }) {
    await uploadExport(ctx, id);
  },
});

/** Ends the sending of archives that no try brought to an end. */
export const failureOfUploads = handler({
  kind: failUploads,
  batchSize: 20,
  async handle(ctx, { export_id: id }) {
    await failUpload(ctx, id);
  },
});
