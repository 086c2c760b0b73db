import { out, serializer } from '../../core/operations/serializer.js';
import type { BulkAnswer, BulkRecord, BulkResult } from './queue-bulk.record.js';

const done = (answer: BulkAnswer): Partial<BulkResult> => ('bulk_id' in answer ? {} : answer);

/** The result of an action on many jobs, or where to poll for it. */
export const bulkAnswerSerializer = serializer<BulkAnswer>('QueueJobBulkAnswer', {
  matched: out.integer((answer) => done(answer).matched, { optional: true }),
  affected: out.integer((answer) => done(answer).affected, { optional: true }),
  skipped: out.integer((answer) => done(answer).skipped, {
    optional: true,
    description: 'Number of matching jobs whose state does not allow the action.',
  }),
  completed: out.boolean((answer) => done(answer).completed, { optional: true }),
  bulk_id: out.integer((answer) => ('bulk_id' in answer ? answer.bulk_id : undefined), {
    optional: true,
    description: 'ID to query the progress by, if the action is performed by a background job.',
  }),
});

/** How far an action on many jobs has come. */
export const bulkSerializer = serializer<BulkRecord>('QueueJobBulk', {
  id: out.integer((bulk) => bulk.id),
  action: out.text((bulk) => bulk.action),
  filter: out.any((bulk) => bulk.filter, { type: 'object', additionalProperties: true }),
  expected_count: out.integer((bulk) => bulk.expected),
  matched: out.integer((bulk) => bulk.matched, { description: 'Number of jobs examined so far.' }),
  affected: out.integer((bulk) => bulk.affected),
  skipped: out.integer((bulk) => bulk.skipped),
  completed: out.boolean((bulk) => bulk.finished_at !== null, { description: 'Indicates the action has finished.' }),
  cancelled: out.boolean((bulk) => bulk.cancelled, {
    description: 'Indicates the action ended before all jobs were examined.',
  }),
  created_by: out.nullableText((bulk) => bulk.created_by, {
    description: 'Username of the user who created the action.',
  }),
  created_at: out.instant((bulk) => bulk.created_at),
  finished_at: out.nullableInstant((bulk) => bulk.finished_at),
});
