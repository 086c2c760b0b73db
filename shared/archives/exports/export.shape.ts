import { out, shape } from '../../core/shape.js';
import type { RelationProgress } from './archive-export.entity.js';
import type { ArchiveExportRecord } from './archive-export.finder.js';

const relationProgress = shape<RelationProgress>('ExportProgress', {
  relation: out.text((one) => one.relation, { description: 'Its file in the archive; `groups` for the tree itself.' }),
  total: out.integer((one) => one.total, { description: 'Objects that there are.' }),
  done: out.integer((one) => one.done, { description: 'Objects that are written.' }),
});

interface FoundExport {
  readonly row: ArchiveExportRecord | null;
}

const sum = (row: ArchiveExportRecord | null, key: 'total' | 'done') =>
  (row?.progress ?? []).reduce((all, one) => all + one[key], 0);

/** An export of a group, as whoever asked for it sees it (group-export-import.md section 1, a superset). */
export const groupExportShape = shape<FoundExport>('GroupExport', {
  status: out.text(({ row }) => row?.state ?? 'none', {
    enum: ['none', 'queued', 'started', 'finished', 'failed', 'cancelled'],
  }),
  phase: out.nullableText(({ row }) => (row?.state === 'started' ? row.progress.at(-1)?.relation : null) ?? null, {
    description: 'The relation that is being written.',
  }),
  objects_count: out.integer(({ row }) => sum(row, 'done'), { description: 'Objects that are written.' }),
  total_objects_count: out.integer(({ row }) => sum(row, 'total'), {
    description: 'Objects of all relations that were begun.',
  }),
  relations: out.records(relationProgress, ({ row }) => row?.progress ?? []),
  attempts: out.integer(({ row }) => row?.attempts ?? 0),
  error: out.nullableText(({ row }) => row?.error ?? null),
  filename: out.nullableText(({ row }) => row?.filename ?? null),
  file_size: out.nullableInteger(({ row }) => row?.object?.bytes ?? null, { description: 'Bytes of the archive.' }),
  file_sha256: out.nullableText(({ row }) => row?.object?.sha256 ?? null),
  created_at: out.nullableInstant(({ row }) => row?.created_at ?? null),
  started_at: out.nullableInstant(({ row }) => row?.started_at ?? null),
  finished_at: out.nullableInstant(({ row }) => row?.finished_at ?? null),
  expires_at: out.nullableInstant(({ row }) => row?.expires_at ?? null),
});
