import type { Context } from '../../core/context/context.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { RelationProgress } from './archive-export.entity.js';
import type { ArchiveExportRecord, ProjectExportRecord } from './archive-export.finder.js';
import type { WrittenBatch, RelationExportRecord } from './relation-export-state.js';

const relationProgress = serializer<RelationProgress>('ExportProgress', {
  relation: out.text((one) => one.relation, {
    description: 'File of the relation in the archive; `groups` for the tree of groups itself.',
  }),
  total: out.integer((one) => one.total, { description: 'Total number of objects of the relation.' }),
  done: out.integer((one) => one.done, { description: 'Number of objects of the relation exported so far.' }),
});

interface FoundExport {
  readonly row: ArchiveExportRecord | null;
}

const sum = (row: ArchiveExportRecord | null, key: 'total' | 'done') =>
  (row?.progress ?? []).reduce((all, one) => all + one[key], 0);

/** An export of a group, as returned to the requesting user (group-export-import.md section 1, a superset). */
export const groupExportSerializer = serializer<FoundExport>('GroupExport', {
  status: out.text(({ row }) => row?.state ?? 'none', {
    enum: ['none', 'queued', 'started', 'finished', 'failed', 'cancelled'],
  }),
  phase: out.nullableText(({ row }) => (row?.state === 'started' ? row.progress.at(-1)?.relation : null) ?? null, {
    description: 'Relation that is currently being exported.',
  }),
  objects_count: out.integer(({ row }) => sum(row, 'done'), { description: 'Number of objects exported so far.' }),
  total_objects_count: out.integer(({ row }) => sum(row, 'total'), {
    description: 'Number of objects in all relations that were started.',
  }),
  relations: out.records(relationProgress, ({ row }) => row?.progress ?? []),
  attempts: out.integer(({ row }) => row?.attempts ?? 0),
  error: out.nullableText(({ row }) => row?.error ?? null),
  filename: out.nullableText(({ row }) => row?.filename ?? null),
  file_size: out.nullableInteger(({ row }) => row?.object?.bytes ?? null, {
    description: 'Size of the archive in bytes.',
  }),
  file_sha256: out.nullableText(({ row }) => row?.object?.sha256 ?? null),
  created_at: out.nullableInstant(({ row }) => row?.created_at ?? null),
  started_at: out.nullableInstant(({ row }) => row?.started_at ?? null),
  finished_at: out.nullableInstant(({ row }) => row?.finished_at ?? null),
  expires_at: out.nullableInstant(({ row }) => row?.expires_at ?? null),
});

/** `finished` as long as there is an archive; none of the public API's statuses is for a failed export. */
function exportStatus({ row, archived }: ProjectExportRecord): string {
  const running = row?.state === 'queued' || row?.state === 'started';
  if (running && archived) return 'regeneration_in_progress';
  if (running) return row.state;
  return archived ? 'finished' : 'none';
}

const downloadUrl = ({ project }: ProjectExportRecord, ctx: Context) =>
  `${ctx.config.externalUrl}/api/v4/projects/${project.id}/export/download`;

/** Both the same: a browser that is signed in downloads from there as well. */
const exportLinks = serializer<ProjectExportRecord>('ProjectExportLinks', {
  api_url: out.text(downloadUrl),
  web_url: out.text(downloadUrl),
});

/** How far an export of a project is (group-export-import.md section 7). */
export const projectExportSerializer = serializer<ProjectExportRecord>('ProjectExport', {
  id: out.integer(({ project }) => project.id),
  description: out.nullableText(({ project }) => project.description),
  name: out.text(({ project }) => project.name),
  name_with_namespace: out.text(({ project }) => project.full_name),
  path: out.text(({ project }) => project.path),
  path_with_namespace: out.text(({ project }) => project.full_path),
  created_at: out.instant(({ project }) => project.created_at),
  export_status: out.text(exportStatus, {
    enum: ['none', 'queued', 'started', 'finished', 'regeneration_in_progress'],
  }),
  export_error: out.nullableText(({ row }) => (row?.state === 'failed' ? row.error : null), {
    description: 'Error of the newest export, if it failed.',
  }),
  upload_status: out.nullableText(({ row }) => row?.upload_state ?? null, {
    description: 'Status of the upload of the archive: `waiting`, `sent`, `failed`; null if no upload was requested.',
  }),
  upload_error: out.nullableText(({ row }) => row?.upload_error ?? null, {
    description: 'Error of the upload of the archive.',
  }),
  relations: out.records(relationProgress, ({ row }) => row?.progress ?? []),
  _links: out.record(exportLinks, (record) => (exportStatus(record) === 'finished' ? record : undefined), {
    optional: true,
  }),
});

/** The states of the database as the numbers of the API. */
const STATUS: Readonly<Record<string, number>> = { started: 0, finished: 1, failed: -1 };
const batchSerializer = serializer<WrittenBatch>('RelationExportBatch', {
  status: out.integer(() => 1, {
    description: 'Status of the batch. Always 1, because batches are listed only when they are written.',
  }),
  batch_number: out.integer((batch) => batch.batch_number),
  objects_count: out.integer((batch) => batch.objects_count),
  error: out.nullableText(() => null),
  updated_at: out.instant((batch) => new Date(batch.updated_at)),
});

/** How far the export of a relation is (group-export-import.md section 7). */
export const relationExportSerializer = serializer<RelationExportRecord>('RelationExport', {
  relation: out.text((one) => one.relation),
  status: out.integer((one) => STATUS[one.state] ?? 0, {
    description: 'Status of the export: 0 started, 1 finished, -1 failed.',
  }),
  error: out.nullableText((one) => one.error ?? null),
  updated_at: out.instant((one) => one.updated_at),
  batched: out.boolean((one) => one.batched),
  batches_count: out.integer((one) => (one.batched ? one.batches.length : 0)),
  total_objects_count: out.integer((one) => one.objects_count),
  batches: out.records(batchSerializer, (one) => (one.batched ? one.batches : [])),
});
