import { out, serializer } from '../../core/operations/serializer.js';
import type { BulkAnswer, BulkRecord, BulkResult } from './queue-bulk.record.js';

const done = (answer: BulkAnswer): Partial<BulkResult> => ('bulk_id' in answer ? {} : answer);

/** What became of an action on many jobs, or where to ask. */
export const bulkAnswerSerializer = serializer<BulkAnswer>('QueueJobBulkAnswer', {
  matched: out.integer((answer) => done(answer).matched, { optional: true }),
  affected: out.integer((answer) => done(answer).affected, { optional: true }),
  skipped: out.integer((answer) => done(answer).skipped, {
    optional: true,
    description: 'Found, and not in a state for it.',
  }),
  completed: out.boolean((answer) => done(answer).completed, { optional: true }),
  bulk_id: out.integer((answer) => ('bulk_id' in answer ? answer.bulk_id : undefined), {
    optional: true,
    description: 'Where it is left to a job: what to ask for its progress by.',
  }),
});

/** How far an action on many jobs has come. */
export const bulkSerializer = serializer<BulkRecord>('QueueJobBulk', {
  id: out.integer((bulk) => bulk.id),
  action: out.text((bulk) => bulk.action),
  filter: out.any((bulk) => bulk.filter, { type: 'object', additionalProperties: true }),
  expected_count: out.integer((bulk) => bulk.expected),
  matched: out.integer((bulk) => bulk.matched, { description: 'Looked at so far.' }),
  affected: out.integer((bulk) => bulk.affected),
  skipped: out.integer((bulk) => bulk.skipped),
  completed: out.boolean((bulk) => bulk.finished_at !== null, { description: 'Nothing more is done.' }),
  cancelled: out.boolean((bulk) => bulk.cancelled, { description: 'Ended before all were looked at.' }),
  created_by: out.nullableText((bulk) => bulk.created_by, { description: 'Username.' }),
  created_at: out.instant((bulk) => bulk.created_at),
  finished_at: out.nullableInstant((bulk) => bulk.finished_at),
});
