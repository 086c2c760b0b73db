import { out, shape } from '../../core/operations/shape.js';
import type { ArchiveImport } from '../archive-imports/archive-import.entity.js';
import type { ImportFailure } from '../archive-imports/failures.js';

/** How far the import of a group is. */
export interface GroupImportRecord extends ArchiveImport {
  groups: { total: number; imported: number; skipped: number };
  relations: { relation: string; total: number; imported: number; skipped: number }[];
  failures_count: number;
  /** The first of them. */
  failures: ImportFailure[];
}

const counted = { total: { type: 'integer' }, imported: { type: 'integer' }, skipped: { type: 'integer' } };
const nullable = (type: string) => ({ type: [type, 'null'] });

/** How far the import of a group is. */
export const groupImportShape = shape<GroupImportRecord>('GroupImport', {
  id: out.integer((one) => one.id),
  status: out.text((one) => one.status, { enum: ['created', 'started', 'finished', 'failed'] }),
  phase: out.text((one) => one.phase, { enum: ['waiting', 'reading', 'restoring', 'done'] }),
  last_error: out.nullableText((one) => one.last_error),
  created_at: out.instant((one) => one.created_at),
  started_at: out.nullableInstant((one) => one.started_at),
  finished_at: out.nullableInstant((one) => one.finished_at),
  groups: out.any((one) => one.groups, { type: 'object', required: Object.keys(counted), properties: counted }),
  relations: out.any((one) => one.relations, {
    type: 'array',
    items: {
      type: 'object',
      required: ['relation', ...Object.keys(counted)],
      properties: { relation: { type: 'string' }, ...counted },
    },
  }),
  failures_count: out.integer((one) => one.failures_count),
  failures: out.any((one) => one.failures, {
    type: 'array',
    items: {
      type: 'object',
      required: ['reason'],
      properties: {
        file: nullable('string'),
        line: nullable('integer'),
        relation: nullable('string'),
        reason: { type: 'string' },
      },
    },
  }),
});
