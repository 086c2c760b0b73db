import { closeExport, sweepExportsNow } from '../../../shared/archives/exports/export-state.js';
import {
  failExports,
  failRelationExports,
  failUploads,
  runExports,
  runRelationExports,
  sweepExports,
  sweepRelationExports,
  uploadExports,
} from '../../../shared/archives/archives.jobs.js';
import { runExport } from '../../../shared/archives/exports/run-export.js';
import { failUpload, uploadExport } from '../../../shared/archives/exports/send-to-url.js';
import { handler, logWork } from '../../core/handler.js';
import { whenCancelled } from '../../core/job-ends.js';
import { failRelationExport, sweepRelationExportsNow } from '../../../shared/archives/exports/relation-export-state.js';
import { runRelationExport } from '../../../shared/archives/exports/run-export.js';

/** Writes archives, several at a time: a large one must not hold up the others. */
export const exporting = handler({
  kind: runExports,
  batchSize: 1,
  concurrency: 10,
  async handle(ctx, { export_id: id }) {
    await whenCancelled(
      ctx,
      () => runExport(ctx, id),
      (still) => closeExport(still, id, 'cancelled', null),
    );
  },
});

/** Fails exports that no try completed. */
export const failureOfExports = handler({
  kind: failExports,
  batchSize: 20,
  async handle(ctx, { export_id: id }) {
    await closeExport(ctx, id, 'failed', null);
  },
});

/** Removes expired exports. */
export const sweepOfExports = handler({
  kind: sweepExports,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await sweepExportsNow(ctx), 'archive_export.sweep');
  },
});

/** Sends archives, several at a time: a slow server must not hold up the others. */
export const uploadOfExports = handler({
  kind: uploadExports,
  batchSize: 1,
  concurrency: 5,
  async handle(ctx, { export_id: id }) {
    await uploadExport(ctx, id);
  },
});

/** Fails uploads of archives that no try completed. */
export const failureOfUploads = handler({
  kind: failUploads,
  batchSize: 20,
  async handle(ctx, { export_id: id }) {
    await failUpload(ctx, id);
  },
});

/** Writes relations of groups, several at a time. */
export const relationExporting = handler({
  kind: runRelationExports,
  batchSize: 1,
  concurrency: 4,
  handle: (ctx, { export_id: id }) => runRelationExport(ctx, id),
});

/** Fails exports of relations that no try completed. */
export const failureOfRelationExports = handler({
  kind: failRelationExports,
  batchSize: 20,
  async handle(ctx, { export_id: id }) {
    await failRelationExport(ctx, id, null);
  },
});

/** Removes expired relation exports. */
export const sweepOfRelationExports = handler({
  kind: sweepRelationExports,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await sweepRelationExportsNow(ctx), 'relation_export.sweep');
  },
});
