import { out, shape } from '../../core/operations/shape.js';
import type { RelationExportRecord, WrittenBatch } from './relation-export-state.js';

/** The states of the database as the numbers of the API. */
const STATUS: Readonly<Record<string, number>> = { started: 0, finished: 1, failed: -1 };

const batchShape = shape<WrittenBatch>('RelationExportBatch', {
  status: out.integer(() => 1, { description: 'A batch is told of once it is written: 1.' }),
  batch_number: out.integer((batch) => batch.batch_number),
  objects_count: out.integer((batch) => batch.objects_count),
  error: out.nullableText(() => null),
  updated_at: out.instant((batch) => new Date(batch.updated_at)),
});

/** How far the export of a relation is (group-export-import.md section 7). */
export const relationExportShape = shape<RelationExportRecord>('RelationExport', {
  relation: out.text((one) => one.relation),
  status: out.integer((one) => STATUS[one.state] ?? 0, { description: '0 started, 1 finished, -1 failed.' }),
  error: out.nullableText((one) => one.error ?? null),
  updated_at: out.instant((one) => one.updated_at),
  batched: out.boolean((one) => one.batched),
  batches_count: out.integer((one) => (one.batched ? one.batches.length : 0)),
  total_objects_count: out.integer((one) => one.objects_count),
  batches: out.records(batchShape, (one) => (one.batched ? one.batches : [])),
});
