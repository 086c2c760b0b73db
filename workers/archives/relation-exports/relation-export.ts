import {
  failRelationExports,
  runRelationExports,
  sweepRelationExports,
} from '../../../shared/archives/exports/archive-export.jobs.js';
import {
  failRelationExport,
  sweepRelationExportsNow,
} from '../../../shared/archives/relation-exports/relation-export-state.js';
import { runRelationExport } from '../../../shared/archives/relation-exports/run-relation-export.js';
import { handler } from '../../core/handler.js';
import { logWork } from '../../core/log-work.js';

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

/** Removes exports of relations whose time is over. */
export const sweepOfRelationExports = handler({
  kind: sweepRelationExports,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await sweepRelationExportsNow(ctx), 'relation_export.sweep');
  },
});
